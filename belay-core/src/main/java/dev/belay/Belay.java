package dev.belay;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.BrokerException;
import dev.belay.broker.JobDetail;
import dev.belay.broker.Verdict;
import dev.belay.handler.Codecs;
import dev.belay.handler.EnqueueInterceptor;
import dev.belay.handler.Enqueued;
import dev.belay.handler.IdempotencyConflictException;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.JobRequest;
import dev.belay.job.JobType;
import dev.belay.job.Limits;
import dev.belay.job.NewJob;
import dev.belay.once.LedgerException;
import dev.belay.once.Outbox;
import dev.belay.time.MonotonicClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The client: enqueues jobs. Once an enqueue has returned, the job is as durable as its broker. Thread-safe; one per
 * program is enough, and best: its callers share round trips.
 *
 * <pre>{@code
 * var belay = Belay.on(broker);
 * belay.enqueue(SEND_RECEIPT, new Receipt("ann@example.org", 42));
 * belay.enqueue(CHARGE.with(new Charge(42, "19.90")).key("order-42").delay(Duration.ofMinutes(5)));
 * }</pre>
 */
public final class Belay implements AutoCloseable {

    private final Broker broker;
    private final Requests requests;
    private final InTransaction inTransaction;
    private final Duration enqueueTimeout;
    private final Map<String, EnqueueLines> lines = new ConcurrentHashMap<>();
    private final ExecutorService senders;
    private volatile boolean closed;

    private Belay(Builder from) {
        broker = from.broker;
        requests = new Requests(from.codecs == null ? Codecs.found() : from.codecs, from.interceptors);
        inTransaction = new InTransaction(broker, requests, from.outbox);
        enqueueTimeout = from.enqueueTimeout;
        var count = new AtomicInteger();
        senders = Executors.newCachedThreadPool(task -> {
            var thread = new Thread(task, "belay-enqueue-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** A client with all defaults. It does not own the broker: closing one does not close the other. */
    public static Belay on(Broker broker) {
        return builder(broker).build();
    }

    public static Builder builder(Broker broker) {
        return new Builder(broker);
    }

    /** As {@link #enqueue(JobRequest)}, with the defaults of the type. */
    public <P> Enqueued enqueue(JobType<P> type, P payload) {
        return enqueue(type.with(payload));
    }

    /**
     * Enqueues one job and waits until it is durable.
     *
     * @throws InvalidInputException where the request can't be stored; nothing was
     * @throws IdempotencyConflictException where the key is taken by another payload; nothing was stored
     * @throws BrokerException where the broker could not be reached in time: it says whether the job may have been accepted
     */
    public Enqueued enqueue(JobRequest<?> request) {
        return Answers.await(submit(List.of(request), true)).get(0);
    }

    /**
     * Enqueues many jobs, in batches, and waits until all are durable. One invalid request refuses all before anything is
     * sent; otherwise each batch is accepted as a whole.
     *
     * @return the answers, in the order of the requests
     * @throws IdempotencyConflictException where a key is taken by another payload; the others were accepted
     */
    public List<Enqueued> enqueueAll(List<? extends JobRequest<?>> requests) {
        return requests.isEmpty() ? List.of() : Answers.await(submit(List.copyOf(requests), true));
    }

    /** As {@link #enqueue(JobRequest)}, without waiting; the stage fails with what that would throw. */
    public CompletionStage<Enqueued> enqueueAsync(JobRequest<?> request) {
        try {
            // What a user hangs on to the stage must not hold up the thread that sends.
            return submit(List.of(request), false).thenApplyAsync(answers -> answers.get(0), this::elsewhere);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Enqueues a job if and only if the caller's transaction commits; commits nothing itself. Where the broker's store is in
     * the database of that connection, the broker writes the job there itself; else it is written to the outbox, and moved
     * to the broker by a relay once the transaction has committed.
     *
     * @param connection in a transaction, of the broker's own database, or of the one that the outbox is in
     * @return the answer, which holds if the transaction commits. Through the outbox nobody has asked the broker yet: the job
     *     is no duplicate, its state is null, and until a relay has moved it the broker knows no such job
     * @throws InvalidInputException where the request can't be stored, or the connection is in auto-commit mode; nothing was
     *     written
     * @throws IdempotencyConflictException where the key is taken by another payload; nothing was written, and the transaction
     *     can go on
     * @throws IllegalStateException where the connection is not one to the broker's database, and this client has no outbox
     * @throws SQLException what the database said
     */
    public Enqueued enqueueIn(Connection connection, JobRequest<?> request) throws SQLException {
        checkOpen();
        return inTransaction.enqueue(connection, request);
    }

    /**
     * Enqueues a job whose key is remembered for good: also when the job, and the broker's memory of its key, have gone; until
     * a person releases it. Key and job are written to the outbox's database in one step, then the job is moved to the broker;
     * where that is away, a relay does so later.
     *
     * @param request with a key
     * @throws InvalidInputException where the request can't be stored, or has no key
     * @throws IdempotencyConflictException where the key is taken by another payload; nothing was stored
     * @throws IllegalStateException where this client has no outbox
     * @throws LedgerException where the outbox's database can't be asked
     */
    public Enqueued enqueueOnce(JobRequest<?> request) {
        checkOpen();
        return inTransaction.enqueueOnce(request);
    }

    /** As {@link #enqueueOnce}, if and only if the caller's transaction commits: then a relay moves the job. */
    public Enqueued enqueueOnceIn(Connection connection, JobRequest<?> request) throws SQLException {
        checkOpen();
        return inTransaction.enqueueOnceIn(connection, request);
    }

    /** A job with all that is kept of it. */
    public Optional<JobDetail> find(JobId id) {
        return broker.admin().find(null, id);
    }

    /** The dead letters: to be listed, shown, replayed and discarded. */
    public DeadLetters deadLetters() {
        return new DeadLetters(broker);
    }

    /** The administrative side of the broker. */
    public BrokerAdmin admin() {
        return broker.admin();
    }

    /** Refuses further enqueues; those under way are finished. Does not close the broker. Idempotent. */
    @Override
    public void close() {
        closed = true;
        senders.shutdown();
    }

    private void elsewhere(Runnable task) {
        try {
            senders.execute(task);
        } catch (RejectedExecutionException e) {
            // Closed in the meantime: the answer has to be told all the same.
            task.run();
        }
    }

    private CompletionStage<List<Enqueued>> submit(List<JobRequest<?>> all, boolean here) {
        checkOpen();
        return requests.through(all, changed -> send(changed, here));
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("this Belay is closed: it accepts no more jobs");
        }
    }

    private CompletionStage<List<Enqueued>> send(List<JobRequest<?>> changed, boolean here) {
        var jobs = requests.encoded(changed, broker.settings().maxPayloadBytes());
        if (jobs.size() == 1) {
            return lines(jobs.get(0).queue())
                    .submit(jobs, here)
                    .thenApply(verdicts -> List.of(Answers.of(jobs.get(0), verdicts.get(0))));
        }
        return sendMany(jobs, here);
    }

    private CompletionStage<List<Enqueued>> sendMany(List<NewJob> jobs, boolean here) {
        var byQueue = new LinkedHashMap<String, List<Integer>>();
        for (var i = 0; i < jobs.size(); i++) {
            byQueue.computeIfAbsent(jobs.get(i).queue(), queue -> new ArrayList<>())
                    .add(i);
        }
        var verdicts = new Verdict[jobs.size()];
        var calls = new ArrayList<CompletableFuture<?>>();
        byQueue.forEach((queue, indexes) -> calls.add(lines(queue)
                .submit(indexes.stream().map(jobs::get).toList(), here)
                .thenAccept(answers -> {
                    for (var i = 0; i < indexes.size(); i++) {
                        verdicts[indexes.get(i)] = answers.get(i);
                    }
                })));
        return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).thenApply(done -> {
            var answers = new ArrayList<Enqueued>(jobs.size());
            for (var i = 0; i < verdicts.length; i++) {
                answers.add(Answers.of(jobs.get(i), verdicts[i]));
            }
            return List.copyOf(answers);
        });
    }

    private EnqueueLines lines(String queue) {
        return lines.computeIfAbsent(
                queue, name -> new EnqueueLines(broker, name, enqueueTimeout, MonotonicClock.SYSTEM, senders));
    }

    /** Collects a client's settings. Not thread-safe. */
    public static final class Builder {
        private final Broker broker;
        private @Nullable Codecs codecs;
        private final List<EnqueueInterceptor> interceptors = new ArrayList<>();
        private Duration enqueueTimeout = Duration.ofSeconds(10);
        private @Nullable Outbox outbox;

        private Builder(Broker broker) {
            this.broker = broker;
        }

        /** How payloads are encoded. Default: the codec found by {@link java.util.ServiceLoader}. */
        public Builder codecs(Codecs value) {
            codecs = value;
            return this;
        }

        /** One more interceptor, inside of those given before. */
        public Builder intercept(EnqueueInterceptor interceptor) {
            interceptors.add(interceptor);
            return this;
        }

        /** For how long an enqueue is tried while the broker is away. Default 10 s. */
        public Builder enqueueTimeout(Duration value) {
            enqueueTimeout = Limits.positive("enqueueTimeout", value);
            return this;
        }

        /**
         * For {@link Belay#enqueueIn} in another database than the broker's, and for {@link Belay#enqueueOnce}. A worker has to
         * relay it. It is not closed with the client.
         */
        public Builder outbox(Outbox value) {
            outbox = value;
            return this;
        }

        public Belay build() {
            return new Belay(this);
        }
    }
}
