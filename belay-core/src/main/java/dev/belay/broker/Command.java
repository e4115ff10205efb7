package dev.belay.broker;

import dev.belay.job.JobId;

/** A numbered order to a session, kept by the broker until a heartbeat names it as seen. */
public sealed interface Command {

    /** Grows within the session. */
    long number();

    /** A lease was revoked: the job was cancelled. */
    record LeaseRevoked(long number, JobId job, long token) implements Command {}

    /** Lease nothing more; go on with what runs. */
    record GoQuiet(long number) implements Command {}

    /** Lease again after a {@link GoQuiet}. */
    record Resume(long number) implements Command {}

    /** Stop gracefully. */
    record Drain(long number) implements Command {}

    /** What can be told to a session. */
    enum Kind {
        GO_QUIET,
        RESUME,
        DRAIN
    }
}
