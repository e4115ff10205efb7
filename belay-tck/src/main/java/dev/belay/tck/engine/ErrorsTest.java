package dev.belay.tck.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.event.JobEvent;
import dev.belay.job.Backoff;
import dev.belay.job.DeadReason;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.RetryPolicy;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** G6: whatever a handler throws, no job is lost and the worker goes on. */
public class ErrorsTest extends EngineSuite {

    private static final Map<String, Supplier<Throwable>> THROWN = new LinkedHashMap<>();

    static {
        THROWN.put("exception", () -> new IllegalStateException("boom"));
        THROWN.put("checked", () -> new IOException("sneaky"));
        THROWN.put("interrupted", () -> new InterruptedException("of its own"));
        THROWN.put("memory", () -> new OutOfMemoryError("Java heap space"));
        THROWN.put("stack", StackOverflowError::new);
        THROWN.put("class", () -> new NoClassDefFoundError("com/example/Gone"));
        THROWN.put("linkage", () -> new LinkageError("loader constraint violation"));
        THROWN.put("initializer", () -> new ExceptionInInitializerError(new IllegalStateException("static")));
        THROWN.put("assertion", () -> new AssertionError("not so"));
        THROWN.put("internal", () -> new InternalError("virtual machine"));
        THROWN.put("throwable", () -> new Throwable("neither exception nor error"));
        THROWN.put("own", OwnThrowable::new);
    }

    private static final class OwnThrowable extends Throwable {
        @Serial
        private static final long serialVersionUID = 1;
    }

    @Test
    void G6_case50_everyThrowableIsAFailureAndTheWorkerGoesOn() {
        var slots = 3;
        var type = type(b -> b.maxAttempts(2));
        var flagged = new CopyOnWriteArrayList<String>();
        var together = hold();
        start(define().queue(QUEUE, slots).handle(type, effects.count((payload, context) -> {
            if (Thread.currentThread().isInterrupted()) {
                flagged.add(payload);
            }
            if (payload.equals("together")) {
                together.pass();
            }
            var thrown = THROWN.get(payload);
            if (thrown != null) {
                sneak(thrown.get());
            }
            if (payload.equals("flag")) {
                Thread.currentThread().interrupt();
            }
        })));
        var bad = new LinkedHashMap<String, JobId>();
        THROWN.keySet().forEach(name -> bad.put(name, enqueue(type.with(name))));
        awaitAll(bad.values(), JobState.DEAD);
        bad.forEach((name, id) -> {
            assertThat(job(id).counts().failures()).as(name).isEqualTo(2);
            assertThat(job(id).counts().crashes()).as(name).isZero();
            assertThat(job(id).reason()).as(name).isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED.name());
            assertThat(job(id).lastError())
                    .isNotNull()
                    .extracting("errorClass")
                    .as(name)
                    .isEqualTo(requireNonNull(THROWN.get(name)).get().getClass().getName());
        });

        // A flag that is left set reaches nobody.
        var flags = new ArrayList<JobId>();
        for (var i = 0; i < 20; i++) {
            flags.add(enqueue(type.with("flag")));
        }
        awaitAll(flags, JobState.SUCCEEDED);
        awaitAll(enqueueMany(type, 100), JobState.SUCCEEDED);
        assertThat(flagged).isEmpty();

        // All slots are still there.
        for (var i = 0; i < slots; i++) {
            enqueue(type.with("together"));
        }
        together.awaitArrived(slots);
    }

    private static void sneak(Throwable thrown) throws Exception {
        if (thrown instanceof Error error) {
            throw error;
        }
        ErrorsTest.<RuntimeException>sneakAny(thrown);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneakAny(Throwable thrown) throws T {
        throw (T) thrown;
    }

    // --- case 51: exceptions that are bad themselves ---

    private static final class CyclicCause extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        private transient Throwable other = this;

        CyclicCause(String message) {
            super(message);
        }

        @Override
        public synchronized Throwable getCause() {
            return other;
        }
    }

    private static final class BadMessage extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message either");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("nor a text");
        }
    }

    private final class BlockingText extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        private final transient Hold hold;

        BlockingText(Hold hold) {
            this.hold = hold;
        }

        @Override
        public String getMessage() {
            hold.pass();
            return "at last";
        }

        @Override
        public String toString() {
            hold.pass();
            return "at last";
        }
    }

    private static final class NotSerialisable extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        @SuppressWarnings({"unused", "serial"})
        private final Object thread = Thread.currentThread();

        @Serial
        private void writeObject(ObjectOutputStream out) throws IOException {
            throw new IOException("never");
        }
    }

    private Throwable bad(String kind, Hold hold) {
        switch (kind) {
            case "cyclic" -> {
                var a = new CyclicCause("a");
                var b = new CyclicCause("b");
                a.other = b;
                b.other = a;
                return a;
            }
            case "suppressed" -> {
                var a = new IllegalStateException("a");
                var b = new IllegalStateException("b");
                a.addSuppressed(b);
                b.addSuppressed(a);
                return a;
            }
            case "many" -> {
                var a = new IllegalStateException("many");
                for (var i = 0; i < 5_000; i++) {
                    a.addSuppressed(new IllegalStateException("suppressed " + i));
                }
                return a;
            }
            case "deep" -> {
                Throwable deep = new IllegalStateException("root");
                for (var i = 0; i < 2_000; i++) {
                    deep = new IllegalStateException("level " + i, deep);
                }
                return deep;
            }
            case "message" -> {
                return new BadMessage();
            }
            case "null" -> {
                return new IllegalStateException((String) null);
            }
            case "long" -> {
                return new IllegalStateException("x".repeat(5_000_000) + "\0\uD800");
            }
            case "blocking" -> {
                return new BlockingText(hold);
            }
            case "serialisable" -> {
                return new NotSerialisable();
            }
            default -> throw new IllegalArgumentException(kind);
        }
    }

    @Test
    void case51_exceptionsThatAreBadThemselvesAreFailuresWithASensibleText() {
        var kinds =
                List.of("cyclic", "suppressed", "many", "deep", "message", "null", "long", "blocking", "serialisable");
        var type = type(b -> b.maxAttempts(1));
        var never = hold();
        start(define().queue(QUEUE, 1).handle(type, effects.count((payload, context) -> {
            if (kinds.contains(payload)) {
                sneak(bad(payload, never));
            }
        })));
        for (var kind : kinds) {
            var id = enqueue(type.with(kind));
            awaitState(id, JobState.DEAD);
            assertThat(job(id).lastError()).as(kind).isNotNull().satisfies(error -> {
                assertThat(error.errorClass()).as(kind).isNotEmpty();
                assertThat(error.message().codePointCount(0, error.message().length()))
                        .as(kind)
                        .isLessThanOrEqualTo(4 * 1024);
                assertThat(error.message()).doesNotContain("\0");
                assertThat(error.fingerprint()).isNotEmpty();
            });
        }
        // The only slot is free.
        awaitState(enqueue(type.with("good")), JobState.SUCCEEDED);
    }

    // --- case 58: what is never retried ---

    private static class NoSuchCustomer extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;
    }

    private static final class NoSuchVip extends NoSuchCustomer {
        @Serial
        private static final long serialVersionUID = 1;
    }

    private static Throwable customer(String how) {
        var direct = new NoSuchCustomer();
        return switch (how) {
            case "direct" -> direct;
            case "subclass" -> new NoSuchVip();
            case "execution" -> new ExecutionException(direct);
            case "completion" -> new CompletionException(new ExecutionException(direct));
            case "undeclared" -> new UndeclaredThrowableException(direct);
            case "target" -> new InvocationTargetException(direct);
            case "suppressed" -> {
                var other = new IllegalStateException("other");
                other.addSuppressed(direct);
                yield other;
            }
            case "cause" -> new IllegalStateException("just a cause", direct);
            default -> throw new IllegalArgumentException(how);
        };
    }

    @Test
    void case58_whatIsNeverRetriedIsBuriedAtOnce() {
        for (var policy : List.of(
                RetryPolicy.with(Backoff.NONE).never(NoSuchCustomer.class),
                RetryPolicy.with(Backoff.NONE).neverNamed(NoSuchCustomer.class.getName()))) {
            var type = type(b -> b.maxAttempts(2).retry(policy));
            var worker = start(define().queue(QUEUE, 4)
                    .handle(type, effects.count((payload, context) -> sneak(customer(payload)))));
            for (var how : List.of("direct", "subclass", "execution", "completion", "undeclared", "target")) {
                var id = enqueue(type.with(how));
                awaitState(id, JobState.DEAD);
                assertThat(job(id).reason()).as(how).isEqualTo(DeadReason.NOT_RETRYABLE.name());
                assertThat(job(id).counts().failures()).as(how).isEqualTo(1);
                assertThat(effects.of(id)).as(how).hasSize(1);
            }
            for (var how : List.of("suppressed", "cause")) {
                var id = enqueue(type.with(how));
                awaitState(id, JobState.DEAD);
                assertThat(job(id).reason()).as(how).isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED.name());
                assertThat(effects.of(id)).as(how).hasSize(2);
            }
            worker.close();
        }
    }

    @Test
    void case58_aSubclassCanBeRetriedAllTheSame() {
        var type = type(b -> b.maxAttempts(2)
                .retry(RetryPolicy.with(Backoff.NONE)
                        .never(NoSuchCustomer.class)
                        .always(NoSuchVip.class)));
        start(define().queue(QUEUE, 4).handle(type, effects.count((payload, context) -> sneak(customer(payload)))));
        var vip = enqueue(type.with("subclass"));
        var direct = enqueue(type.with("direct"));
        awaitAll(List.of(vip, direct), JobState.DEAD);
        assertThat(effects.of(vip)).hasSize(2);
        assertThat(effects.of(direct)).hasSize(1);
    }

    @Test
    void aUsersOwnDelaysCountAfterFailures() {
        var type = type(b ->
                b.retry(RetryPolicy.with(Backoff.NONE).withDelays((failures, error) -> Duration.ofHours(failures))));
        start(define().queue(QUEUE, 1).handle(type, effects.count((payload, context) -> {
            throw new IllegalStateException("boom");
        })));
        var id = enqueue(type.with("p"));
        awaitState(id, JobState.SCHEDULED);
        assertThat(job(id).times().runAt() - now()).isBetween(3_590_000L, 3_600_000L);
        advance(Duration.ofMinutes(61));
        eventually(() -> assertThat(told.of(id, JobEvent.Failed.class)).hasSize(2));
        assertThat(job(id).times().runAt() - now()).isBetween(7_190_000L, 7_200_000L);
    }
}
