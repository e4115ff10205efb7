package dev.belay;

import dev.belay.batch.Batcher;
import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import dev.belay.broker.EnqueueCall;
import dev.belay.broker.Verdict;
import dev.belay.job.NewJob;
import dev.belay.time.MonotonicClock;
import dev.belay.time.Retrying;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/** What one client enqueues into one queue: batched, numbered, one call under way at a time, sent again unchanged. */
final class EnqueueLine {

    private static final long BATCH_BYTES = 4L * 1024 * 1024;
    private static final int MAX_PENDING = 100_000;

    private final Broker broker;
    private final UUID client;
    private final String queue;
    private final Duration timeout;
    private final MonotonicClock clock;
    private final Batcher<NewJob, Verdict> batcher;
    private long number;

    EnqueueLine(Broker broker, UUID client, String queue, Duration timeout, MonotonicClock clock, Executor executor) {
        this.broker = broker;
        this.client = client;
        this.queue = queue;
        this.timeout = timeout;
        this.clock = clock;
        batcher = new Batcher<>(
                this::send,
                job -> job.payload().size(),
                broker.capabilities().callSize(),
                BATCH_BYTES,
                MAX_PENDING,
                executor);
    }

    CompletableFuture<List<Verdict>> submit(List<NewJob> jobs, boolean here) {
        return batcher.submit(jobs, here);
    }

    boolean isBusy() {
        return batcher.isBusy();
    }

    boolean isSentHere() {
        return batcher.isSentHere();
    }

    /** The batcher calls this from one thread at a time, each call seeing what the one before wrote. */
    private List<Verdict> send(List<NewJob> jobs) {
        var call = new EnqueueCall(client, queue, ++number, jobs);
        var started = clock.nanos();
        var retrying = new Retrying(Duration.ofMillis(20), Duration.ofSeconds(1));
        var unknown = false;
        var interrupted = false;
        try {
            while (true) {
                try {
                    return broker.enqueue(call);
                } catch (BrokerException.Unknown | BrokerException.NotApplied e) {
                    // Unchanged, under the same number: if the first try was applied, this one is answered with its
                    // answers.
                    unknown |= e instanceof BrokerException.Unknown;
                    var wait = retrying.next();
                    if (clock.nanos() - started + wait.toNanos() > timeout.toNanos()) {
                        throw failure(call, unknown, e);
                    }
                    // This thread may send for others: an interrupt is kept for its caller, and ends no wait.
                    interrupted |= Thread.interrupted();
                    LockSupport.parkNanos(wait.toNanos());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private BrokerException failure(EnqueueCall call, boolean unknown, BrokerException last) {
        var what = call.jobs().size() == 1
                ? "job " + call.jobs().get(0).id()
                : call.jobs().size() + " jobs";
        return unknown
                ? new BrokerException.Unknown(
                        "it is not known whether " + what + " was accepted into queue '" + queue + "' (tried for "
                                + timeout
                                + "): enqueue the same request (or key) again to be sure; the last error was: "
                                + last.getMessage(),
                        last)
                : new BrokerException.NotApplied(
                        what + " was not accepted into queue '" + queue + "' (tried for " + timeout
                                + "); the last error was: " + last.getMessage(),
                        last);
    }
}
