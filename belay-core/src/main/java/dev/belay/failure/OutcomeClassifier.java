package dev.belay.failure;

import dev.belay.handler.JobSignal;
import dev.belay.job.DeadReason;
import dev.belay.job.Job;
import dev.belay.job.JobError;
import dev.belay.job.Outcome;
import dev.belay.job.RetryPolicy;
import java.util.random.RandomGenerator;

/** Classifies what a handler threw. */
public final class OutcomeClassifier {
    private OutcomeClassifier() {}

    public static Outcome classify(
            Throwable thrown, Job job, RetryPolicy policy, RandomGenerator random, JobError error) {
        if (thrown instanceof JobSignal.Snooze snooze) {
            return new Outcome.Snooze(snooze.delay(), false);
        }
        if (thrown instanceof JobSignal.RetryAfter retry) {
            return new Outcome.Retry(retry.delay(), true, error);
        }
        if (thrown instanceof JobSignal.Bury) {
            return new Outcome.Bury(DeadReason.BY_HANDLER, error);
        }
        return new Outcome.Retry(job.options().backoff().delay(job.counts().stepsTaken() + 1, random), false, error);
    }
}
