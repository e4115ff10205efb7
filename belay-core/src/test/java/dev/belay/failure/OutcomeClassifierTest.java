package dev.belay.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.handler.JobSignal;
import dev.belay.job.Backoff;
import dev.belay.job.DeadReason;
import dev.belay.job.Fingerprint;
import dev.belay.job.IdempotencyKey;
import dev.belay.job.Job;
import dev.belay.job.JobCounts;
import dev.belay.job.JobError;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.JobOptions;
import dev.belay.job.JobState;
import dev.belay.job.JobTimes;
import dev.belay.job.Limits;
import dev.belay.job.Outcome;
import dev.belay.job.RetryPolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serial;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OutcomeClassifierTest {

    private static final JobError ERROR = new JobError("X", "m", "s", "f");
    private static final Backoff PLAIN =
            Backoff.exponential(Duration.ofSeconds(10), 2, Duration.ofHours(1)).withJitter(false);

    private final Random random = new Random(1);

    interface Marker {}

    static class NonRetryable extends RuntimeException implements Marker {
        @Serial
        private static final long serialVersionUID = 1;
    }

    static final class Sub extends NonRetryable {
        @Serial
        private static final long serialVersionUID = 1;
    }

    static Stream<Throwable> never() throws Exception {
        var direct = new NonRetryable();
        var viaProxy = new ArrayList<Throwable>();
        var proxy = (Comparable<?>) Proxy.newProxyInstance(
                Comparable.class.getClassLoader(), new Class<?>[] {Comparable.class}, (p, method, args) -> {
                    throw new CheckedWrapper(new NonRetryable()).getCause();
                });
        try {
            Comparable.class.getMethod("compareTo", Object.class).invoke(proxy, "x");
        } catch (InvocationTargetException e) {
            viaProxy.add(e);
        }
        return Stream.concat(
                Stream.of(
                        direct,
                        new Sub(),
                        new ExecutionException(direct),
                        new CompletionException(direct),
                        new UndeclaredThrowableException(direct),
                        new InvocationTargetException(direct),
                        new CompletionException(new ExecutionException(new InvocationTargetException(new Sub())))),
                viaProxy.stream());
    }

    private static final class CheckedWrapper extends Exception {
        @Serial
        private static final long serialVersionUID = 1;

        CheckedWrapper(Throwable cause) {
            super(cause);
        }
    }

    @ParameterizedTest
    @MethodSource("never")
    void case58_whatIsNeverRetriedIsBuriedDirectWrappedOrAsASubclass(Throwable thrown) {
        for (var policy : List.of(
                RetryPolicy.DEFAULT.never(NonRetryable.class),
                RetryPolicy.DEFAULT.neverNamed(NonRetryable.class.getName()),
                RetryPolicy.DEFAULT.neverNamed(Marker.class.getName()),
                RetryPolicy.DEFAULT.never(RuntimeException.class).always(IllegalStateException.class))) {
            assertThat(classify(thrown, policy)).isEqualTo(new Outcome.Bury(DeadReason.NOT_RETRYABLE, ERROR));
        }
    }

    static Stream<Throwable> retried() {
        var suppressing = new IOException("x");
        suppressing.addSuppressed(new NonRetryable());
        return Stream.of(
                suppressing,
                new IOException(new NonRetryable()),
                new RuntimeException(new NonRetryable()),
                new CompletionException("no cause", null),
                new CompletionException(new IOException()),
                new Error());
    }

    @ParameterizedTest
    @MethodSource("retried")
    void case58_suppressedOnesAndOtherCausesDoNotCount(Throwable thrown) {
        assertThat(classify(thrown, RetryPolicy.DEFAULT.never(NonRetryable.class)))
                .isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void aWrapperIsMatchedOnlyByItsOwnName() {
        var thrown = new CompletionException(new IOException());

        assertThat(classify(thrown, RetryPolicy.DEFAULT.never(RuntimeException.class)))
                .isInstanceOf(Outcome.Retry.class);
        assertThat(classify(thrown, RetryPolicy.DEFAULT.never(CompletionException.class)))
                .isInstanceOf(Outcome.Bury.class);
        assertThat(classify(
                        thrown,
                        RetryPolicy.DEFAULT.never(CompletionException.class).always(IOException.class)))
                .isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void theMoreSpecificNameWins() {
        var policy = RetryPolicy.DEFAULT.never(IOException.class).always(FileNotFoundException.class);
        assertThat(classify(new FileNotFoundException(), policy)).isInstanceOf(Outcome.Retry.class);
        assertThat(classify(new IOException(), policy)).isInstanceOf(Outcome.Bury.class);
        assertThat(classify(new RuntimeException(), policy)).isInstanceOf(Outcome.Retry.class);

        var reversed = RetryPolicy.DEFAULT.never(FileNotFoundException.class).always(IOException.class);
        assertThat(classify(new FileNotFoundException(), reversed)).isInstanceOf(Outcome.Bury.class);

        var both = RetryPolicy.DEFAULT.never(IOException.class).always(IOException.class);
        assertThat(classify(new IOException(), both)).isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void signalsSayWhatBecomesOfTheDelivery() {
        var snooze = new JobSignal.Snooze(Duration.ofMinutes(3));
        var bury = new JobSignal.Bury("no");
        var policy = RetryPolicy.DEFAULT.never(Throwable.class);
        for (var wrap : List.<java.util.function.UnaryOperator<Throwable>>of(
                t -> t,
                ExecutionException::new,
                CompletionException::new,
                UndeclaredThrowableException::new,
                InvocationTargetException::new,
                t -> new CompletionException(new ExecutionException(t)))) {
            assertThat(classify(wrap.apply(snooze), policy))
                    .isEqualTo(new Outcome.Snooze(Duration.ofMinutes(3), false));
            assertThat(classify(wrap.apply(bury), policy)).isEqualTo(new Outcome.Bury(DeadReason.BY_HANDLER, ERROR));
            assertThat(classify(wrap.apply(new JobSignal.RetryAfter(Duration.ofSeconds(1), "busy")), policy))
                    .isInstanceOf(Outcome.Retry.class);
        }
        assertThat(classify(new RuntimeException(snooze), RetryPolicy.DEFAULT)).isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void retryAfterWaitsWhatWasAskedForAndUpToATenthLonger() {
        var asked = Duration.ofSeconds(100).plusNanos(1);
        var longest = Duration.ZERO;
        for (var i = 0; i < 1_000; i++) {
            var retry = (Outcome.Retry) classify(new JobSignal.RetryAfter(asked, "busy"), RetryPolicy.DEFAULT);
            assertThat(retry.explicitWait()).isTrue();
            assertThat(retry.error()).isEqualTo(ERROR);
            assertThat(retry.delay()).isBetween(asked, asked.plusSeconds(10));
            longest = retry.delay().compareTo(longest) > 0 ? retry.delay() : longest;
        }
        assertThat(longest).isGreaterThan(Duration.ofSeconds(109));
        assertThat(delay(new JobSignal.RetryAfter(Duration.ZERO, "now"), RetryPolicy.DEFAULT))
                .isZero();
        assertThat(delay(new JobSignal.RetryAfter(Limits.MAX_WAIT, "a century"), RetryPolicy.DEFAULT))
                .isEqualTo(Limits.MAX_WAIT);
    }

    @Test
    void anOrdinaryFailureWaitsByTheJobsBackoff() {
        var outcome = OutcomeClassifier.classify(new IOException(), job(2, 1), RetryPolicy.DEFAULT, random, ERROR);

        // Step 2: one step was taken before, whatever the number of failures.
        assertThat(outcome).isEqualTo(new Outcome.Retry(Duration.ofSeconds(20), false, ERROR));
        assertThat(OutcomeClassifier.classify(
                        new IOException(), job(5, Integer.MAX_VALUE), RetryPolicy.DEFAULT, random, ERROR))
                .isEqualTo(new Outcome.Retry(Duration.ofHours(1), false, ERROR));
    }

    @Test
    void aUsersFunctionIsAskedWithFailuresAndTheErrorItself() {
        var inner = new IOException("x");
        var seen = new ArrayList<Object>();
        var policy = RetryPolicy.DEFAULT.withDelays((failures, error) -> {
            seen.add(failures);
            seen.add(error);
            return Duration.ofSeconds(7);
        });

        var outcome = OutcomeClassifier.classify(new CompletionException(inner), job(2, 1), policy, random, ERROR);

        assertThat(outcome).isEqualTo(new Outcome.Retry(Duration.ofSeconds(7), false, ERROR));
        assertThat(seen).containsExactly(3, inner);
    }

    @Test
    @SuppressWarnings("NullAway")
    void aUsersFunctionThatAnswersNonsenseIsNotHeeded() {
        for (var delays : List.<RetryPolicy.Delays>of(
                (failures, error) -> Duration.ofMillis(-1),
                (failures, error) -> Limits.MAX_WAIT.plusNanos(1),
                (failures, error) -> null,
                (failures, error) -> {
                    throw new IllegalStateException("no idea");
                },
                (failures, error) -> {
                    throw new StackOverflowError();
                })) {
            assertThat(delay(new IOException(), RetryPolicy.DEFAULT.withDelays(delays)))
                    .isEqualTo(Duration.ofSeconds(10));
        }
    }

    @Test
    void wrappersThatWrapOneAnotherEnd() {
        var a = new ExecutionException("a") {
            @Serial
            private static final long serialVersionUID = 1;
        };
        var b = new CompletionException("b", a);
        a.initCause(b);

        assertThat(classify(a, RetryPolicy.DEFAULT.never(NonRetryable.class))).isInstanceOf(Outcome.Retry.class);
    }

    private Outcome classify(Throwable thrown, RetryPolicy policy) {
        return OutcomeClassifier.classify(thrown, job(0, 0), policy, random, ERROR);
    }

    private Duration delay(Throwable thrown, RetryPolicy policy) {
        return ((Outcome.Retry) classify(thrown, policy)).delay();
    }

    private static Job job(int failures, int stepsTaken) {
        return new Job(
                JobId.next(),
                "default",
                "mail",
                "json",
                1,
                2,
                new IdempotencyKey("k", Fingerprint.of(new byte[0]), true),
                JobOptions.DEFAULT.withBackoff(PLAIN),
                JobState.RUNNING,
                null,
                new JobTimes(0, 0, 0L, null, 0L, null, null, null),
                new JobCounts(failures, 0, stepsTaken, failures + 1, 0, 0, 0),
                1,
                null,
                null,
                null,
                null,
                JobLinks.NONE,
                0,
                Job.FORMAT);
    }
}
