package dev.belay.broker;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a lease request.
 *
 * @param status whether the request was allowed
 * @param leases in the order in which they should start
 * @param more whether jobs were left ready (hint)
 * @param suspectWaiting whether a suspect is ready (hint)
 * @param nextDue how long until the next scheduled job of the queue is due; null where none is
 * @param expired jobs that were found expired, and are DEAD now
 */
public record LeaseReply(
        Status status,
        List<Lease> leases,
        boolean more,
        boolean suspectWaiting,
        @Nullable Duration nextDue,
        List<Broker.Death> expired) {

    /** Whether the request was allowed. */
    public enum Status {
        OK,
        /** The queue is paused. */
        PAUSED,
        /** The session has ended or was never registered. */
        ENDED,
        /** The call's number is not above the session's fence, or not above its newest call. */
        FENCED
    }

    /** An answer without jobs. */
    public static LeaseReply none(Status status) {
        return new LeaseReply(status, List.of(), false, false, null, List.of());
    }
}
