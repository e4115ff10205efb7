package dev.belay.event;

import dev.belay.job.DeadReason;
import dev.belay.job.JobError;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that happened to a job. Told after the broker has answered that it is so. */
public sealed interface JobEvent {

    JobId job();

    String queue();

    String type();

    /** A handler is about to start. */
    record Started(JobId job, String queue, String type, int attempt, long token, Duration waited)
            implements JobEvent {}

    /** Completed. */
    record Succeeded(JobId job, String queue, String type, int attempt, Duration ran) implements JobEvent {}

    /**
     * Failed and to be tried again.
     *
     * @param delay until it may run again
     */
    record Failed(JobId job, String queue, String type, int attempt, Duration ran, Duration delay, JobError error)
            implements JobEvent {}

    /**
     * Became a dead letter, in whatever way.
     *
     * @param error null where it died without one
     */
    record Died(
            JobId job,
            String queue,
            String type,
            DeadReason reason,
            @Nullable JobError error) implements JobEvent {}

    /**
     * A delivery ended because its session did, told by the worker whose reaper took the job back.
     *
     * @param counted whether it was counted as a crash
     */
    record Reclaimed(JobId job, String queue, String type, long token, boolean counted, JobState state)
            implements JobEvent {}

    /** Put off at no cost. */
    record Snoozed(JobId job, String queue, String type, Duration delay, boolean unknownType) implements JobEvent {}

    /** Given back at no cost. */
    record Released(JobId job, String queue, String type) implements JobEvent {}

    /** The lease was taken back, cancelled or revoked while the worker held it: what its handler says is dropped. */
    record LeaseLost(JobId job, String queue, String type, long token) implements JobEvent {}

    /** A settle was answered STALE after a try with an unknown outcome: most likely that try had settled it. */
    record Unconfirmed(JobId job, String queue, String type, long token) implements JobEvent {}
}
