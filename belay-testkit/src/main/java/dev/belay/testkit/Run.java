package dev.belay.testkit;

import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * One delivery that a {@link TestBelay} ran.
 *
 * @param attempt failures before it + 1
 * @param outcome what it was settled with
 * @param thrown what its handler, an interceptor or the codec threw; null where nothing was
 * @param state of the job afterwards; null where it was removed
 */
public record Run(
        JobId job,
        String queue,
        String type,
        int attempt,
        Outcome outcome,
        @Nullable Throwable thrown,
        @Nullable JobState state) {

    /** Whether it completed. */
    public boolean succeeded() {
        return outcome instanceof Outcome.Complete;
    }
}
