package dev.belay.failure;

import dev.belay.handler.JobSignal;
import dev.belay.job.DeadReason;
import dev.belay.job.Job;
import dev.belay.job.JobError;
import dev.belay.job.Limits;
import dev.belay.job.Outcome;
import dev.belay.job.RetryPolicy;
import dev.belay.once.EffectException;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Decides what becomes of a delivery that ended with an exception. Pure: the same arguments give the same outcome, and
 * nothing else happens.
 *
 * <p>Exceptions that only carry another one ({@code ExecutionException}, {@code CompletionException}, {@code
 * UndeclaredThrowableException}, {@code InvocationTargetException}) are looked through, for signals and for the lists of
 * a policy alike; they themselves are matched only by their own name. Suppressed exceptions don't count, nor do causes of
 * any other exception.
 */
public final class OutcomeClassifier {

    /** {@code RetryAfter} waits up to this share longer than was asked for, so that not all come back at once. */
    private static final int SPREAD_DIVISOR = 10;

    private OutcomeClassifier() {}

    /**
     * The outcome of a failed delivery.
     *
     * <p>A snooze signal is a snooze; {@code RetryAfter} a retry after what was asked for plus up to 10 %; a bury signal
     * a bury. An effect that somebody else is making is a snooze, one whose outcome is unknown a bury as {@code
     * OUTCOME_UNKNOWN}, one that failed for good or has another request a bury as {@code NOT_RETRYABLE}. An error that the policy never retries is buried as {@code NOT_RETRYABLE}. Everything else is a retry, by
     * the policy's own function where it has one and that answers sensibly, else by the job's backoff. Whether attempts
     * are left is the broker's to say.
     *
     * @param thrown what the handler, or an interceptor, threw
     * @param job as it stood when it was leased
     * @param policy of the job's type
     * @param random draws the jitter
     * @param error the description of {@code thrown}
     */
    public static Outcome classify(
            Throwable thrown, Job job, RetryPolicy policy, RandomGenerator random, JobError error) {
        var wrapped = Wrapped.of(thrown);
        var innermost = wrapped.innermost();
        if (innermost instanceof JobSignal.Snooze snooze) {
            return new Outcome.Snooze(snooze.delay(), false);
        }
        if (innermost instanceof JobSignal.RetryAfter retry) {
            return new Outcome.Retry(spread(retry.delay(), random), true, error);
        }
        if (innermost instanceof JobSignal.Bury) {
            return new Outcome.Bury(DeadReason.BY_HANDLER, error);
        }
        if (innermost instanceof EffectException.InProgress) {
            return new Outcome.Snooze(untilDone(job), false);
        }
        if (innermost instanceof EffectException.OutcomeUnknown) {
            return new Outcome.Bury(DeadReason.OUTCOME_UNKNOWN, error);
        }
        if (innermost instanceof EffectException.Conflict || innermost instanceof EffectException.Failed) {
            return new Outcome.Bury(DeadReason.NOT_RETRYABLE, error);
        }
        if (!RetryRules.isRetried(wrapped, policy)) {
            return new Outcome.Bury(DeadReason.NOT_RETRYABLE, error);
        }
        return new Outcome.Retry(delay(innermost, job, policy, random), false, error);
    }

    /** Nobody says when the other one will be done: it is asked again after 1 s, doubling to 30 s. */
    private static Duration untilDone(Job job) {
        return Duration.ofSeconds(Math.min(30, 1L << Math.min(5, job.counts().snoozes())));
    }

    private static Duration spread(Duration asked, RandomGenerator random) {
        var longer = asked.plusMillis(random.nextLong(asked.toMillis() / SPREAD_DIVISOR + 1));
        return longer.compareTo(Limits.MAX_WAIT) > 0 ? Limits.MAX_WAIT : longer;
    }

    private static Duration delay(Throwable error, Job job, RetryPolicy policy, RandomGenerator random) {
        var delays = policy.delays();
        if (delays != null) {
            try {
                return Limits.wait("delay", delays.after(oneMore(job.counts().failures()), error));
            } catch (Throwable e) {
                // As RetryPolicy.Delays says: what it throws, or a value out of range, means: go by the backoff.
            }
        }
        return job.options().backoff().delay(oneMore(job.counts().stepsTaken()), random);
    }

    private static int oneMore(int count) {
        return count == Integer.MAX_VALUE ? count : count + 1;
    }
}
