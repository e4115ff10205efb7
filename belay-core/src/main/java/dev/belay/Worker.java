package dev.belay;

import dev.belay.broker.Broker;
import dev.belay.engine.Engine;
import dev.belay.event.JobListener;
import dev.belay.event.WorkerHealth;
import dev.belay.handler.Codecs;
import dev.belay.handler.HandlerInterceptor;
import dev.belay.handler.Handlers;
import dev.belay.handler.JobHandler;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobType;
import dev.belay.job.Limits;
import dev.belay.once.Ledger;
import dev.belay.once.Outbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs: one engine in this process, with its queues, slots and handlers. Thread-safe.
 *
 * <pre>{@code
 * var worker = Worker.on(broker)
 *         .queue("mail", 10)
 *         .handle(SEND_RECEIPT, (receipt, context) -> mailer.send(receipt))
 *         .start();
 * …
 * worker.close();   // drains: running jobs may finish, nothing is lost
 * }</pre>
 */
public final class Worker implements AutoCloseable {

    private final Engine engine;
    private final Duration drainTimeout;
    private final @Nullable Thread shutdownHook;

    private Worker(Engine engine, Duration drainTimeout, boolean stopOnShutdown) {
        this.engine = engine;
        this.drainTimeout = drainTimeout;
        shutdownHook = stopOnShutdown ? new Thread(() -> engine.stop(drainTimeout), "belay-shutdown") : null;
        if (shutdownHook != null) {
            Runtime.getRuntime().addShutdownHook(shutdownHook);
        }
    }

    /** Starts the definition of a worker. It does not own the broker. */
    public static Builder on(Broker broker) {
        return new Builder(broker);
    }

    /** How it is, now. */
    public WorkerHealth health() {
        return engine.health();
    }

    /** Takes no new jobs from now on; those that run may finish. Returns at once; {@link #close} waits. */
    public void drain() {
        engine.requestStop();
    }

    /**
     * Stops gracefully: takes no new jobs, gives prefetched ones back, lets running ones finish for the drain timeout,
     * then interrupts them, and gives back what has not ended 2 s later. Idempotent.
     */
    @Override
    public void close() {
        engine.stop(drainTimeout);
        if (shutdownHook != null && Thread.currentThread() != shutdownHook) {
            try {
                Runtime.getRuntime().removeShutdownHook(shutdownHook);
            } catch (IllegalStateException e) {
                // The JVM is shutting down: the hook has found, or will find, a worker that has stopped.
            }
        }
    }

    /** Waits until it has stopped, by {@link #close} or by a command to drain. */
    public void awaitStop() throws InterruptedException {
        engine.awaitStop();
    }

    /** Collects a worker's settings. Not thread-safe. Checked at {@link #start}. */
    public static final class Builder {
        private final Broker broker;
        private final Handlers.Builder handlers = Handlers.builder();
        private final Map<String, Engine.QueueConfig> queues = new LinkedHashMap<>();
        private final List<HandlerInterceptor> interceptors = new ArrayList<>();
        private final List<JobListener> listeners = new ArrayList<>();
        private @Nullable Codecs codecs;
        private @Nullable Executor executor;
        private @Nullable String name;
        private Engine.Timing timing = Engine.Timing.DEFAULT;
        private Duration drainTimeout = Duration.ofSeconds(25);
        private boolean interruptUncertain;
        private boolean stopOnShutdown = true;
        private @Nullable Ledger ledger;
        private final List<Outbox> outboxes = new ArrayList<>();

        private Builder(Broker broker) {
            this.broker = broker;
        }

        /** Serves a queue with so many slots: jobs of it that run at a time, 1 to 100,000. */
        public Builder queue(String queue, int slots) {
            return queue(queue, slots, 1);
        }

        /**
         * As {@link #queue(String, int)}, with a weight: a queue of weight 3 is asked three times as often as one of
         * weight 1 where both have work. 1 to 1,000.
         */
        public Builder queue(String queue, int slots, int weight) {
            Limits.name("queue", queue);
            Limits.range("slots of queue '" + queue + "'", slots, 1, 100_000);
            Limits.range("weight of queue '" + queue + "'", weight, 1, 1_000);
            if (queues.putIfAbsent(queue, new Engine.QueueConfig(queue, slots, weight)) != null) {
                throw new InvalidInputException("queue", "'" + queue + "' was given twice: once is enough");
            }
            return this;
        }

        /** Handles the jobs of a type. */
        public <P> Builder handle(JobType<P> type, JobHandler<P> handler) {
            handlers.add(type, handler);
            return this;
        }

        /** One more interceptor, inside of those given before. */
        public Builder intercept(HandlerInterceptor interceptor) {
            interceptors.add(interceptor);
            return this;
        }

        /** One more listener. */
        public Builder listen(JobListener listener) {
            listeners.add(listener);
            return this;
        }

        /** How payloads are decoded. Default: the codec found by {@link java.util.ServiceLoader}. */
        public Builder codecs(Codecs value) {
            codecs = value;
            return this;
        }

        /**
         * Runs handlers on an executor of the user's own; a job that it refuses is given back at no cost. Default: virtual
         * threads where the JVM has them, else a pool that grows to the number of slots.
         */
        public Builder executor(Executor value) {
            executor = value;
            return this;
        }

        /** The worker's name, for people. Default: host and process. */
        public Builder name(String value) {
            name = Limits.text("worker name", value, 1, Limits.KEY);
            return this;
        }

        /** From a heartbeat to the deadline of the worker's sessions. Default 30 s. */
        public Builder leaseDuration(Duration value) {
            timing = timing.withLease(Limits.positive("leaseDuration", value));
            return this;
        }

        /** Between heartbeats; at most a third of the lease duration. Default 10 s. */
        public Builder heartbeat(Duration value) {
            timing = timing.withHeartbeat(Limits.positive("heartbeat", value));
            return this;
        }

        /** Between looks at an idle queue when no signal comes. Default 1 s, jittered. */
        public Builder poll(Duration value) {
            timing = timing.withPoll(Limits.positive("poll", value));
            return this;
        }

        /** The longest wait before a broker that is away is tried again. Default 3 s. */
        public Builder reconnectBackoff(Duration value) {
            timing = timing.withReconnect(Limits.positive("reconnectBackoff", value));
            return this;
        }

        /** How long running jobs may go on once the worker stops. Default 25 s. */
        public Builder drainTimeout(Duration value) {
            drainTimeout = Limits.wait("drainTimeout", value);
            return this;
        }

        /** Interrupts handlers whose lease has become uncertain, instead of letting them go on. */
        public Builder interruptUncertain() {
            interruptUncertain = true;
            return this;
        }

        /** Where effects are recorded that handlers make through their context. It is not closed with the worker. Default: none. */
        public Builder ledger(Ledger value) {
            ledger = value;
            return this;
        }

        /** Moves what an outbox holds for this broker's namespace to the broker. It is not closed with the worker. */
        public Builder relay(Outbox outbox) {
            outboxes.add(outbox);
            return this;
        }

        /** Leaves it to the caller to {@link Worker#close} when the JVM shuts down; by default a shutdown hook does (SIGTERM). */
        public Builder withoutShutdownHook() {
            stopOnShutdown = false;
            return this;
        }

        /**
         * Starts: when this returns, the worker is registered or keeps trying to.
         *
         * @throws InvalidInputException where the settings can't work together
         */
        public Worker start() {
            var config = new Engine.Config(
                    name == null ? Engine.defaultName() : name,
                    List.copyOf(queues.values()),
                    handlers.build(),
                    codecs == null ? Codecs.found() : codecs,
                    interceptors,
                    listeners,
                    executor,
                    timing,
                    drainTimeout,
                    interruptUncertain,
                    ledger,
                    outboxes);
            var engine = new Engine(broker, config);
            engine.start();
            return new Worker(engine, drainTimeout, stopOnShutdown);
        }
    }
}
