package dev.belay.broker;

/**
 * What is counted, exactly, per queue and type, in the step that changes the state. They balance: LEASED = SUCCEEDED +
 * FAILED + CRASHED + RELEASED + SNOOZED + RETURNED + CANCELLED_RUNNING + BURIED + those in flight.
 */
public enum Event {
    ACCEPTED,
    LEASED,
    SUCCEEDED,
    /** A delivery that its handler ended with an error, a buried one included. */
    FAILED,
    CRASHED,
    RELEASED,
    SNOOZED,
    /** Taken back by reaping, uncounted. */
    RETURNED,
    CANCELLED_RUNNING,
    /** Settled by a bury without an error, also where a snooze was applied as one. */
    BURIED,
    CANCELLED_WAITING,
    /** Expired while waiting. */
    EXPIRED,
    /** Became DEAD, for whatever reason. */
    DEAD,
    REPLAYED,
    DISCARDED,
    /** Dead letters dropped by a retention limit that somebody set. */
    DEAD_DROPPED,
    /** Removed by retention after success or cancel. */
    PRUNED
}
