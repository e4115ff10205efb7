package dev.belay.broker;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters of one kind.
 *
 * @param fingerprint of their last error; empty for those that died without one
 * @param reason the dead reason of the newest
 * @param errorClass of the newest; null where they died without an error
 * @param message of the newest, shortened; null where they died without an error
 * @param count how many are dead now
 * @param firstSeen when this kind was first seen, even if those are no longer dead, epoch milliseconds
 * @param lastSeen when this kind was last seen
 */
public record DeadGroup(
        String queue,
        String type,
        String fingerprint,
        String reason,
        @Nullable String errorClass,
        @Nullable String message,
        long count,
        long firstSeen,
        long lastSeen) {

    /** The order in which they are listed. */
    public static final Comparator<DeadGroup> MOST_FIRST = Comparator.comparingLong(DeadGroup::count)
            .thenComparingLong(DeadGroup::lastSeen)
            .reversed()
            .thenComparing(DeadGroup::queue)
            .thenComparing(DeadGroup::type)
            .thenComparing(DeadGroup::fingerprint);
}
