package dev.belay.failure;

import dev.belay.job.JobError;

/** Describes errors. */
public final class ErrorDescriber {
    public JobError describe(String type, Throwable e) {
        return new JobError(
                e.getClass().getName(),
                String.valueOf(e.getMessage()),
                "",
                type + e.getClass().getName());
    }
}
