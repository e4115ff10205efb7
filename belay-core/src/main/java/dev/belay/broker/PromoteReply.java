package dev.belay.broker;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a promoter's pass did.
 *
 * @param promoted jobs that became ready
 * @param nextDue how long until the next scheduled job of the queue is due; null where none is (or nobody looked)
 */
public record PromoteReply(int promoted, @Nullable Duration nextDue) {}
