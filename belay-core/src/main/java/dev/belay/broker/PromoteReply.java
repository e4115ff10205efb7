package dev.belay.broker;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a promoter's pass did.
 *
 * @param promoted jobs that became ready
 * @param nextDue how long until the next scheduled job of the queue is due; null where none is (or nobody looked)
 * @param expired jobs that could not be started any more, and are DEAD now
 */
public record PromoteReply(int promoted, @Nullable Duration nextDue, List<Broker.Death> expired) {

    /** A pass that came too soon. */
    public static final PromoteReply TOO_SOON = new PromoteReply(0, null, List.of());
}
