package dev.belay.broker;

import dev.belay.job.DeadReason;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import org.jspecify.annotations.Nullable;

/** What became of one item of a call. An answer, never an exception. */
public sealed interface Verdict {

    /** {@link Applied} without more to say. */
    Verdict APPLIED = new Applied(null, null);

    Verdict STALE = new Stale();
    Verdict MISSING = new Missing();
    Verdict BUSY = new Busy();
    Verdict ENDED = new Ended();

    /** Whether it was done. */
    default boolean isApplied() {
        return this instanceof Applied;
    }

    /**
     * Done.
     *
     * @param state the job's state afterwards; null where it is gone or the call does not change one
     * @param deadReason why it is DEAD; null otherwise. A retry that found its attempts exhausted says so here
     */
    record Applied(@Nullable JobState state, @Nullable DeadReason deadReason) implements Verdict {}

    /** The lease is no longer valid: nothing was changed. */
    record Stale() implements Verdict {}

    /** There is no such job (or queue, or session). */
    record Missing() implements Verdict {}

    /**
     * Another enqueue with this key or id came first.
     *
     * @param holder the job that has it
     * @param state of the holder; null where the holder no longer exists
     */
    record Duplicate(JobId holder, @Nullable JobState state) implements Verdict {}

    /**
     * The key or id is taken by a request with another fingerprint (or, for a replay, by another job).
     *
     * @param holder the job that has it
     * @param state of the holder; null where the holder no longer exists
     * @param detail both fingerprints and when the first was seen, in words
     */
    record Conflict(JobId holder, @Nullable JobState state, String detail) implements Verdict {}

    /**
     * Another job stands for it: the one that took its place by a replay with another payload; or, for an enqueue, the one
     * that holds the key, had not been started, and has the payload of this request now.
     *
     * @param by the other job
     * @param state of the job that has the payload now; null after a replay
     */
    record Replaced(JobId by, @Nullable JobState state) implements Verdict {
        /** After a replay. */
        public Replaced(JobId by) {
            this(by, null);
        }
    }

    /** Can't be done at this moment: try again. */
    record Busy() implements Verdict {}

    /** The session has ended. */
    record Ended() implements Verdict {}

    /** The job's state does not allow it. */
    record WrongState(JobState state) implements Verdict {}
}
