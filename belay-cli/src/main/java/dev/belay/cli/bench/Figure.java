package dev.belay.cli.bench;

/** What is measured: per second, or in milliseconds where it says so. */
enum Figure {
    /** Inserts in batches of 100, the best of 1, 2 and 4 connections. */
    RAW_INSERT,
    /** Leases of 100, committed, then deletes, committed; the best of 1, 2 and 4 connections. */
    RAW_LEASE_SETTLE,
    /** A hundred callers, each with its own committed insert. */
    RAW_ONE_BY_ONE,
    /** Milliseconds for insert, lease and delete of one row. */
    RAW_ROUND_TRIP_P50,
    RAW_ROUND_TRIP_P99,
    SINGLE_1,
    SINGLE_10,
    SINGLE_100,
    /** As {@link #SINGLE_100}, but each job goes to the broker in a call of its own. */
    UNBATCHED_100,
    BULK,
    DRAIN,
    /** Microseconds of this process's processor time for each drained job. */
    DRAIN_CPU,
    /** Microseconds of the processor time of the store's server for each drained job. */
    DRAIN_SERVER_CPU,
    BOTH,
    /** Milliseconds from the call of enqueue to the start of the handler. */
    PICKUP_P50,
    PICKUP_P99
}
