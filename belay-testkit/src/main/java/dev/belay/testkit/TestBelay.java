package dev.belay.testkit;

import dev.belay.Belay;
import dev.belay.delivery.LedgerAccess;
import dev.belay.handler.Codecs;
import dev.belay.handler.EnqueueInterceptor;
import dev.belay.handler.HandlerInterceptor;
import dev.belay.handler.JobHandler;
import dev.belay.job.JobType;
import dev.belay.job.Limits;
import dev.belay.memory.MemoryBroker;
import dev.belay.once.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A broker in memory, a client for the code under test, and a worker that does nothing until it is told to: then it runs
 * jobs on the test's own thread, the way a real one would (decode, intercept, handle, classify, settle), and returns. The
 * time is the test's: it stands still until {@link #advance} moves it.
 *
 * <pre>{@code
 * try (var belay = TestBelay.create()) {
 *     shop.placeOrder(belay.client(), 42);
 *
 *     belay.assertEnqueued(CHARGE).withKey("order-42").once();
 *     belay.handle(CHARGE, (charge, context) -> charged.add(charge.orderId()));
 *     belay.runAll();
 * }
 * }</pre>
 *
 * <p>Transactions are the code's own: what it enqueues in one ({@code enqueueIn}, with any connection that is in a
 * transaction) is there at once, and a job that a handler completes in one ({@code completeIn}) is completed when the handler
 * returns normally, whatever became of the transaction.
 *
 * <p>What a handler throws is a failure of its job, to be retried, but for an {@link AssertionError}: that is the test's
 * own, and is thrown on. Jobs whose type has no handler here are left where they are. Timeouts are not enforced: there is no other thread
 * that could interrupt. All that is random is the same in every run. The client may be used by any thread; everything
 * else is for one thread at a time.
 */
public final class TestBelay implements AutoCloseable {

    private final TestClock clock;
    private final MemoryBroker broker;
    private final Belay client;
    private final Codecs codecs;
    private final Ledger ledger;
    private final InlineWorker worker;
    private final EnqueuedJobs enqueued;

    private TestBelay(Builder from) {
        clock = new TestClock(from.start);
        codecs = from.codecs == null ? Codecs.found() : from.codecs;
        broker = MemoryBroker.builder()
                .clock(clock)
                .random(new Random(from.seed))
                .build();
        enqueued = new EnqueuedJobs(broker, codecs);
        var builder =
                Belay.builder(InlineTransactions.around(broker)).codecs(codecs).intercept(enqueued);
        from.enqueueInterceptors.forEach(builder::intercept);
        client = builder.build();
        ledger = from.ledger == null ? new MemoryLedger(clock) : from.ledger;
        worker = new InlineWorker(
                broker, codecs, new LedgerAccess(ledger, broker, codecs), new Random(from.seed), enqueued);
    }

    /** With all defaults. */
    public static TestBelay create() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The client for the code under test. */
    public Belay client() {
        return client;
    }

    /** The broker, for all that has no short cut here: administration, faults of the connection, a real worker. */
    public MemoryBroker broker() {
        return broker;
    }

    /**
     * What handlers record their effects in: {@code context.once} and {@code context.step} work. Unless the test has given
     * another one it is in memory, by the test's time, without {@code context.onceInTransaction}, which needs a database. Hand
     * it to {@link dev.belay.Once} for code under test that makes effects outside of jobs.
     */
    public Ledger ledger() {
        return ledger;
    }

    /** Handles the jobs of a type from now on. */
    public <P> TestBelay handle(JobType<P> type, JobHandler<P> handler) {
        worker.handle(type, handler);
        return this;
    }

    /** One more interceptor around handlers, inside of those given before. */
    public TestBelay intercept(HandlerInterceptor interceptor) {
        worker.intercept(interceptor);
        return this;
    }

    /** The time, as the broker sees it. */
    public Instant now() {
        return clock.instant();
    }

    /** Moves the time on. Runs nothing. */
    public void advance(Duration by) {
        clock.advance(Limits.wait("advance", by));
    }

    /** Runs the next due job; empty where there is none. */
    public Optional<Run> runNext() {
        return worker.runNext();
    }

    /**
     * Runs jobs until none is due, those that are enqueued on the way included.
     *
     * @return what ran, in order
     * @throws IllegalStateException after 10,000 runs: then jobs make jobs, or retry without a wait, for ever
     */
    public List<Run> runAll() {
        return worker.runAll();
    }

    /**
     * Lets so much time pass and runs each job when it is due: with its retries, as a worker would have.
     *
     * @return what ran, in order
     * @throws IllegalStateException as {@link #runAll}
     */
    public List<Run> runFor(Duration span) {
        var end = clock.instant().plus(Limits.wait("span", span));
        var ran = new ArrayList<Run>();
        while (true) {
            ran.addAll(worker.runAll());
            worker.checkNotEndless(ran.size());
            var next = worker.nextDue();
            if (next == null || clock.instant().plus(next).isAfter(end)) {
                clock.set(end);
                return List.copyOf(ran);
            }
            clock.advance(next);
        }
    }

    /**
     * From now on, what a handler throws is thrown on by the run, as the cause of an {@link AssertionError}, once it is
     * settled; signals are not.
     */
    public TestBelay rethrowFailures() {
        worker.rethrowFailures();
        return this;
    }

    /**
     * Asserts that a job of this type was enqueued: by the client, as a follow-up, or in any other way; whether it ran
     * since or not. What is called on the answer narrows it down.
     *
     * @throws AssertionError where none was: it lists what was enqueued instead
     */
    public <P> EnqueuedAssert<P> assertEnqueued(JobType<P> type) {
        return new EnqueuedAssert<>(enqueued, type);
    }

    /** Asserts that no job of this type was enqueued. */
    public void assertNotEnqueued(JobType<?> type) {
        enqueued.assertNone("no '" + type.name() + "'", job -> job.isOf(type));
    }

    /** Asserts that no job of this type with such a payload was enqueued. */
    public <P> void assertNotEnqueued(JobType<P> type, Predicate<? super P> payload) {
        enqueued.assertNone("no '" + type.name() + "' with such a payload", job -> {
            var decoded = job.isOf(type) ? job.decode(type) : null;
            return decoded != null && payload.test(decoded);
        });
    }

    /** Asserts that nothing was enqueued at all. */
    public void assertNothingEnqueued() {
        enqueued.assertNone("nothing", job -> true);
    }

    /** The payloads of all jobs of this type that were enqueued, in order. */
    public <P> List<P> payloads(JobType<P> type) {
        var payloads = new ArrayList<P>();
        for (var job : enqueued.all()) {
            var payload = job.isOf(type) ? job.decode(type) : null;
            if (payload != null) {
                payloads.add(payload);
            }
        }
        return List.copyOf(payloads);
    }

    /** Ends the client and the broker; its jobs are gone. */
    @Override
    public void close() {
        client.close();
        broker.close();
    }

    /** Collects settings. Not thread-safe. */
    public static final class Builder {
        private @Nullable Codecs codecs;
        private @Nullable Ledger ledger;
        private Instant start = Instant.parse("2026-01-01T00:00:00Z");
        private long seed = 42;
        private final List<EnqueueInterceptor> enqueueInterceptors = new ArrayList<>();

        private Builder() {}

        /** How payloads are encoded. Default: the codec found by {@link java.util.ServiceLoader}. */
        public Builder codecs(Codecs value) {
            codecs = value;
            return this;
        }

        /**
         * The ledger of the handlers, for effects in a database of the test's own; it stays the caller's to close. Its time is
         * its database's, not the test's. Default: one in memory.
         */
        public Builder ledger(Ledger value) {
            ledger = value;
            return this;
        }

        /** The time to begin with. Default: the first instant of 2026, UTC. */
        public Builder startAt(Instant value) {
            start = Limits.instant("start", value);
            return this;
        }

        /** Where randomness (the jitter of retries) begins. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** One more interceptor of the client, inside of those given before. */
        public Builder intercept(EnqueueInterceptor interceptor) {
            enqueueInterceptors.add(interceptor);
            return this;
        }

        public TestBelay build() {
            return new TestBelay(this);
        }
    }
}
