package dev.belay.job;

/** Where a job is in its life. */
public enum JobState {
    /** Accepted, not yet due. */
    SCHEDULED,
    /** Waiting for a worker. */
    READY,
    /** In flight: leased by a session. */
    RUNNING,
    /** Final: acknowledged by its worker. */
    SUCCEEDED,
    /** Final: a dead letter, waiting for a person or a rule. */
    DEAD,
    /** Final: called off by a person or a program. */
    CANCELLED;

    /** Whether nothing but a replay, a discard or retention changes the job any more. */
    public boolean isFinal() {
        return this == SUCCEEDED || this == DEAD || this == CANCELLED;
    }
}
