package dev.belay;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.BrokerException;
import dev.belay.broker.JobDetail;
import dev.belay.broker.Verdict;
import dev.belay.delivery.OutboxTarget;
import dev.belay.handler.Codecs;
import dev.belay.handler.EnqueueInterceptor;
import dev.belay.handler.Enqueued;
import dev.belay.handler.IdempotencyConflictException;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.JobRequest;
import dev.belay.job.JobState;
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
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(Belay.class);

    private final Broker broker;
    private final Codecs codecs;
    private final List<EnqueueInterceptor> interceptors;
    private final Duration enqueueTimeout;
    private final @Nullable Outbox outbox;
    private final Outbox.Target target;
    private final Map<String, EnqueueLines> lines = new ConcurrentHashMap<>();
    private final ExecutorService senders;
    private volatile boolean closed;

    private Belay(Builder from) {
        broker = from.broker;
        codecs = from.codecs == null ? Codecs.found() : from.codecs;
        interceptors = List.copyOf(from.interceptors);
        enqueueTimeout = from.enqueueTimeout;
        outbox = from.outbox;
        target = new OutboxTarget(broker);
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
        return await(submit(List.of(request), true)).get(0);
    }

    /**
     * Enqueues many jobs, in batches, and waits until all are durable. One invalid request refuses all before anything is
     * sent; otherwise each batch is accepted as a whole.
     *
     * @return the answers, in the order of the requests
     * @throws IdempotencyConflictException where a key is taken by another payload; the others were accepted
     */
    public List<Enqueued> enqueueAll(List<? extends JobRequest<?>> requests) {
        return requests.isEmpty() ? List.of() : await(submit(List.copyOf(requests), true));
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
     * Enqueues a job if and only if the caller's transaction commits: it is written to the outbox, in that transaction, and
     * moved to the broker by a relay once it has committed. Commits nothing itself.
     *
     * @param connection in a transaction, of the database that the outbox is in
     * @return the job's id; until the relay has moved it, the broker knows no such job
     * @throws InvalidInputException where the request can't be stored; nothing was
     * @throws IllegalStateException where this client has no outbox
     * @throws SQLException what the database said
     */
    public JobId enqueueIn(Connection connection, JobRequest<?> request) throws SQLException {
        return written(request, job -> {
                    outbox().add(connection, broker.namespace(), List.of(job));
                    return new Enqueued(job.id(), false, null);
                })
                .id();
    }

    /**
     * Enqueues a job whose key is remembered for good: also when the job, and the broker's memory of its key, have gone; until
     * a person releases it. Key and job are written to the outbox's database in one step, then the job is moved to the broker;
     * where that is away, a relay does so later.
     *
     * @param request with a key
     * @throws InvalidInputException where the request can't be stored, or has no key
     * @throws IdempotencyConflictException where the key is taken by another payload; nothing was stored
     * @throws LedgerException where the outbox's database can't be asked
     */
    public Enqueued enqueueOnce(JobRequest<?> request) {
        try {
            var answer = written(request, job -> answer(job, outbox().addOnce(broker.namespace(), keyed(job))));
            relay();
            return answer;
        } catch (SQLException e) {
            throw new LedgerException("the outbox could not be written: " + e.getMessage(), e);
        }
    }

    /** As {@link #enqueueOnce}, if and only if the caller's transaction commits: then a relay moves the job. */
    public Enqueued enqueueOnceIn(Connection connection, JobRequest<?> request) throws SQLException {
        return written(request, job -> answer(job, outbox().addOnce(connection, broker.namespace(), keyed(job))));
    }

    private Outbox outbox() {
        if (outbox == null) {
            throw new IllegalStateException(
                    "this Belay has no outbox: give it one with Belay.builder(broker).outbox(JdbcOutbox.open(dataSource))");
        }
        return outbox;
    }

    private static NewJob keyed(NewJob job) {
        if (!job.key().explicit()) {
            throw new InvalidInputException(
                    "idempotencyKey", "must be given where it is to be remembered for good, but none was: call key(…)");
        }
        return job;
    }

    /** Writes a job to a database. */
    private interface Writing {
        Enqueued write(NewJob job) throws SQLException;
    }

    private Enqueued written(JobRequest<?> request, Writing writing) throws SQLException {
        checkOpen();
        outbox();
        var failed = new AtomicReference<@Nullable SQLException>();
        var accepted = through(0, List.of(request), requests -> {
            var job = encoded(requests, maxPayloadBytes()).get(0);
            try {
                return CompletableFuture.completedFuture(List.of(writing.write(job)));
            } catch (SQLException e) {
                failed.set(e);
                return CompletableFuture.completedFuture(List.of(new Enqueued(job.id(), false, null)));
            }
        });
        var failure = failed.get();
        if (failure != null) {
            throw failure;
        }
        return await(accepted).get(0);
    }

    private Enqueued answer(NewJob job, JobId holder) {
        return holder.equals(job.id())
                ? new Enqueued(holder, false, null)
                : new Enqueued(holder, true, state(job.queue(), holder));
    }

    private @Nullable JobState state(String queue, JobId holder) {
        try {
            return broker.admin()
                    .find(queue, holder)
                    .map(detail -> detail.job().state())
                    .orElse(null);
        } catch (BrokerException e) {
            // The key is taken, whatever the broker could say of the job.
            return null;
        }
    }

    private void relay() {
        try {
            outbox().relay(target);
        } catch (BrokerException | Outbox.NotSentException e) {
            LOG.info("The broker does not answer: what is in the outbox is moved later; {}", e.getMessage());
        }
    }

    /** A broker that is away must not hold up a transaction that does not need it. */
    private int maxPayloadBytes() {
        try {
            return broker.settings().maxPayloadBytes();
        } catch (BrokerException e) {
            return Limits.PAYLOAD_BYTES;
        }
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

    private CompletionStage<List<Enqueued>> submit(List<JobRequest<?>> requests, boolean here) {
        checkOpen();
        return through(0, requests, changed -> send(changed, here));
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("this Belay is closed: it accepts no more jobs");
        }
    }

    private CompletionStage<List<Enqueued>> through(
            int i, List<JobRequest<?>> requests, EnqueueInterceptor.Next innermost) {
        if (i == interceptors.size()) {
            return innermost.proceed(requests);
        }
        return interceptors.get(i).around(requests, changed -> {
            if (changed.size() != requests.size()) {
                throw new IllegalStateException(
                        "interceptor " + interceptors.get(i).getClass().getName() + " turned " + requests.size()
                                + " requests into " + changed.size() + ": their number must stay");
            }
            return through(i + 1, changed, innermost);
        });
    }

    private CompletionStage<List<Enqueued>> send(List<JobRequest<?>> requests, boolean here) {
        var jobs = encoded(requests, broker.settings().maxPayloadBytes());
        if (jobs.size() == 1) {
            return lines(jobs.get(0).queue())
                    .submit(jobs, here)
                    .thenApply(verdicts -> List.of(answer(jobs.get(0), verdicts.get(0))));
        }
        return sendMany(jobs, here);
    }

    private List<NewJob> encoded(List<JobRequest<?>> requests, int maxPayload) {
        var jobs = new ArrayList<NewJob>(requests.size());
        for (var request : requests) {
            var job = codecs.encode(request, JobLinks.NONE);
            Limits.bytes("payload", job.payload().size(), maxPayload);
            jobs.add(job);
        }
        return jobs;
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
                answers.add(answer(jobs.get(i), verdicts[i]));
            }
            return List.copyOf(answers);
        });
    }

    private EnqueueLines lines(String queue) {
        return lines.computeIfAbsent(
                queue, name -> new EnqueueLines(broker, name, enqueueTimeout, MonotonicClock.SYSTEM, senders));
    }

    private static Enqueued answer(NewJob job, Verdict verdict) {
        if (verdict instanceof Verdict.Applied applied) {
            return new Enqueued(job.id(), false, applied.state());
        }
        if (verdict instanceof Verdict.Duplicate duplicate) {
            return new Enqueued(duplicate.holder(), true, duplicate.state());
        }
        if (verdict instanceof Verdict.Replaced replaced) {
            return new Enqueued(replaced.by(), true, replaced.state(), true);
        }
        if (verdict instanceof Verdict.Conflict conflict) {
            throw new IdempotencyConflictException(conflict.holder(), conflict.detail());
        }
        throw new IllegalStateException("a broker answered an enqueue of job " + job.id() + " with " + verdict);
    }

    private static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerException.Unknown(
                    "interrupted while waiting for the broker's answer: the jobs may have been accepted", e);
        } catch (ExecutionException e) {
            throw rethrown(e.getCause() == null ? e : e.getCause());
        }
    }

    private static RuntimeException rethrown(Throwable cause) {
        if (cause instanceof CompletionException && cause.getCause() != null) {
            return rethrown(cause.getCause());
        }
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof RuntimeException exception) {
            // The stack of a sender's thread says nothing about the caller's.
            exception.addSuppressed(new EnqueuedHere());
            return exception;
        }
        return new IllegalStateException("an enqueue failed: " + cause, cause);
    }

    /** Shows where an enqueue was called that failed on another thread. */
    private static final class EnqueuedHere extends RuntimeException {
        private static final long serialVersionUID = 1;

        EnqueuedHere() {
            super("enqueued here");
        }
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

        /** For {@link Belay#enqueueIn}. A worker has to relay it. It is not closed with the client. */
        public Builder outbox(Outbox value) {
            outbox = value;
            return this;
        }

        public Belay build() {
            return new Belay(this);
        }
    }
}
