package dev.belay.handler;

import dev.belay.job.JobId;
import dev.belay.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an enqueue.
 *
 * @param id of the job: the one that was accepted now, or the one that had the key before
 * @param duplicate whether it was accepted before
 * @param state of the job; null where a duplicate's job no longer exists, or the job waits in an outbox
 * @param replaced whether that job, which had not been started, has the payload of this request now: only for requests with
 *     {@link dev.belay.job.JobRequest#replaceWaiting}; then it is a duplicate too, as no second job was made
 */
public record Enqueued(
        JobId id, boolean duplicate, @Nullable JobState state, boolean replaced) {

    /** Nothing was replaced. */
    public Enqueued(JobId id, boolean duplicate, @Nullable JobState state) {
        this(id, duplicate, state, false);
    }
}
