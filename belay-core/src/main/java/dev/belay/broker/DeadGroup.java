package dev.belay.broker;

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
        long lastSeen) {}
