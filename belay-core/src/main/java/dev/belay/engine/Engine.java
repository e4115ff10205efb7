package dev.belay.engine;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import dev.belay.delivery.LedgerAccess;
import dev.belay.event.JobEvent;
import dev.belay.event.JobListener;
import dev.belay.event.WorkerHealth;
import dev.belay.handler.Codecs;
import dev.belay.handler.HandlerInterceptor;
import dev.belay.handler.Handlers;
import dev.belay.job.InvalidInputException;
import dev.belay.job.SessionId;
import dev.belay.once.Ledger;
import dev.belay.once.Outbox;
import dev.belay.time.MonotonicClock;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's engine: puts the parts together, starts and stops them. {@link #start} is the table of contents. What the
 * parts share is in {@link Parts}. Thread-safe.
 */
public final class Engine implements Parts {

    static final String VERSION = "0.1.0";

    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    /** A handler that was interrupted gets this long to return. */
    private static final Duration INTERRUPT_GRACE = Duration.ofSeconds(2);

    /** The last words to a broker that may be away. */
    private static final Duration LAST_CALLS = Duration.ofSeconds(5);

    private final Broker broker;
    private final Config config;
    private final MonotonicClock clock;
    private final JvmGate gate;

    private final List<Lane> lanes;
    private final InFlight inFlight = new InFlight();
    private final Problems problems;
    private final Events events;
    private final Times times;
    private final Settlers settlers;
    private final Timeouts timeouts;
    private final JobRunner runner;
    private final HandlerThreads threads;
    private final Suspects suspects;
    private final @Nullable LedgerAccess ledger;
    private final LeaseLoop leaseLoop;
    private final ServiceThread heartbeat;
    private final List<ServiceThread> maintenance;

    private final List<Broker.Subscription> signals = new ArrayList<>();
    private final Runnable gateOpened = this::gateOpened;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean abandoned;
    private volatile boolean started;

    public Engine(Broker broker, Config config) {
        this(broker, config, MonotonicClock.SYSTEM, JvmGate.INSTANCE);
    }

    Engine(Broker broker, Config config, MonotonicClock clock, JvmGate gate) {
        this.broker = broker;
        this.config = config;
        this.clock = clock;
        this.gate = gate;
        lanes = config.queues().stream().map(queue -> new Lane(queue, this)).toList();
        problems = new Problems(clock);
        events = new Events(config.listeners());
        times = new Times(broker);
        settlers = new Settlers(this);
        timeouts = new Timeouts(this);
        runner = new JobRunner(this, timeouts);
        threads = new HandlerThreads(
                config.executor(), lanes.stream().mapToInt(Lane::slots).sum());
        suspects = new Suspects(this);
        ledger = config.ledger() == null ? null : new LedgerAccess(config.ledger(), broker, config.codecs());
        leaseLoop = new LeaseLoop(this, new Registrar(this), new Reconciler(this));
        heartbeat = service(new Heartbeat(this));
        maintenance = Stream.concat(
                        Stream.of(
                                new Reaper(this),
                                new Promoter(this),
                                new Pruner(this),
                                new StalePrefetch(this),
                                new Operations(broker),
                                times),
                        config.outboxes().stream().map(outbox -> new Relay(outbox, broker)))
                .map(this::service)
                .toList();
    }

    /** Starts the parts, each before those that need it. */
    public void start() {
        checkAgainstNamespace();
        settlers.start(); //                        takes outcomes, from the first job on
        gate.onOpen(gateOpened); //                 lets waiting jobs start once a suspect is done
        listen(); //                                hears that there may be work
        leaseLoop.start(); //                       registers, leases, starts jobs: LeaseLoop → Lane → JobRunner →
        // Settler
        heartbeat.start(); //                       keeps the leases
        maintenance.forEach(
                ServiceThread::start); // reaper, promoter, pruner, stale prefetch, operations, times, relays
        started = true;
    }

    /** Stops the parts, in the order in which nothing gets lost. Idempotent: a second caller waits for the first. */
    public void stop(Duration drainTimeout) {
        if (!stopping.compareAndSet(false, true)) {
            awaitQuietly();
            return;
        }
        LOG.info("Worker {} stops; running jobs may go on for {}", config.name(), drainTimeout);
        signals.forEach(Broker.Subscription::close);
        leaseLoop.stop(LAST_CALLS); //              no new jobs: the lease call under way is answered first
        releaseUnstarted(); //                      what was prefetched goes back at once
        drain(drainTimeout); //                     running jobs may finish, then are interrupted, then given back
        settlers.stop(LAST_CALLS); //               every outcome is told to the broker
        abandoned = true;
        endSessions(); //                           what a late lease call may have taken becomes ready
        heartbeat.stop(LAST_CALLS); //              until here the leases were kept
        suspects.stopped(); //                      others may start again, whatever the broker could be told
        maintenance.forEach(service -> service.stop(Duration.ofSeconds(1)));
        flushTimes();
        timeouts.stop();
        threads.close();
        gate.forget(gateOpened);
        stopped.countDown();
        LOG.info("Worker {} has stopped", config.name());
    }

    /** Begins to stop, on a thread of its own. */
    public void requestStop() {
        var thread = new Thread(() -> stop(config.drainTimeout()), "belay-stop");
        thread.setDaemon(false);
        thread.start();
    }

    /** Waits until {@link #stop} is done. */
    public void awaitStop() throws InterruptedException {
        stopped.await();
    }

    /** How the worker is. */
    public WorkerHealth health() {
        var state = stopped.getCount() == 0
                ? WorkerHealth.State.STOPPED
                : stopping.get()
                        ? WorkerHealth.State.DRAINING
                        : started ? WorkerHealth.State.RUNNING : WorkerHealth.State.NEW;
        var problemsNow =
                state == WorkerHealth.State.RUNNING ? problems.list(lanes, leaseLoop.isAlive()) : List.<String>of();
        return new WorkerHealth(
                state,
                problemsNow,
                lanes.stream().mapToInt(Lane::running).sum(),
                lanes.stream().mapToInt(Lane::waiting).sum(),
                settlers.pending());
    }

    /** Host and process. */
    public static String defaultName() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "unknown-host";
        }
        return host + ":" + ProcessHandle.current().pid();
    }

    private ServiceThread service(Service service) {
        return new ServiceThread(service, config.timing().reconnect());
    }

    /** A broker that is away at start is waited for; settings that can't work together are refused at once. */
    private void checkAgainstNamespace() {
        try {
            Registrar.check(config.timing(), broker.settings());
        } catch (BrokerException e) {
            LOG.warn("The broker does not answer yet; the worker starts and keeps trying: {}", e.getMessage());
        }
    }

    private void listen() {
        for (var lane : lanes) {
            signals.add(broker.listen(lane.queue(), () -> {
                lane.signal();
                leaseLoop.wake();
            }));
        }
    }

    private void gateOpened() {
        lanes.forEach(Lane::startWaiting);
        leaseLoop.wake();
    }

    private void releaseUnstarted() {
        lanes.forEach(Lane::stop);
        lanes.forEach(lane -> lane.takeUnstarted(null).forEach(settlers::release));
    }

    private void drain(Duration drainTimeout) {
        inFlight.all().forEach(Delivery::requestStop);
        if (awaitIdle(drainTimeout)) {
            return;
        }
        LOG.info("The drain timeout of {} is over: interrupting what still runs", drainTimeout);
        inFlight.all().forEach(delivery -> delivery.interruptForStop(clock.nanos()));
        if (!awaitIdle(INTERRUPT_GRACE)) {
            LOG.warn("Some handlers ignore their interrupt: their jobs are given back while they may still run");
            inFlight.all().forEach(settlers::release);
        }
    }

    private boolean awaitIdle(Duration atMost) {
        return await(() -> lanes.stream().allMatch(lane -> lane.running() == 0), atMost);
    }

    private boolean await(BooleanSupplier condition, Duration atMost) {
        var deadline = clock.nanos() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (clock.nanos() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(2));
        }
        return true;
    }

    private void endSessions() {
        var sessions = new ArrayList<SessionId>();
        for (var lane : lanes) {
            var session = lane.session();
            if (session != null) {
                sessions.add(session);
            }
        }
        if (sessions.isEmpty()) {
            return;
        }
        try {
            events.tellDeaths(broker.endSessions(sessions));
        } catch (BrokerException e) {
            LOG.warn("The sessions could not be ended: a reaper will; {}", e.getMessage());
        }
    }

    private void flushTimes() {
        try {
            times.runOnce();
        } catch (BrokerException e) {
            LOG.info("The last observed times could not be sent: {}", e.getMessage());
        }
    }

    private void awaitQuietly() {
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // --- what the parts share ----------------------------------------------------------------------------------------

    @Override
    public Broker broker() {
        return broker;
    }

    @Override
    public Config config() {
        return config;
    }

    @Override
    public MonotonicClock clock() {
        return clock;
    }

    @Override
    public List<Lane> lanes() {
        return lanes;
    }

    @Override
    public InFlight inFlight() {
        return inFlight;
    }

    @Override
    public Settlers settlers() {
        return settlers;
    }

    @Override
    public JobRunner runner() {
        return runner;
    }

    @Override
    public HandlerThreads threads() {
        return threads;
    }

    @Override
    public JvmGate gate() {
        return gate;
    }

    @Override
    public Events events() {
        return events;
    }

    @Override
    public Times times() {
        return times;
    }

    @Override
    public Problems problems() {
        return problems;
    }

    @Override
    public Suspects suspects() {
        return suspects;
    }

    @Override
    public @Nullable LedgerAccess ledger() {
        return ledger;
    }

    @Override
    public void sessionEnded(Lane lane, SessionId session) {
        if (lane.ended(session) && !abandoned) {
            LOG.warn(
                    "The session of queue {} has ended while this worker was away: its jobs run elsewhere now; registering anew",
                    lane.queue());
        }
        lane.takeUnstarted(null).forEach(this::lose);
        inFlight.ofSession(session).forEach(this::lose);
        suspects.sessionEnded(session);
        leaseLoop.wake();
    }

    @Override
    public void lose(Delivery delivery) {
        if (delivery.lose(clock.nanos())) {
            lost(delivery);
        }
    }

    @Override
    public void revoked(Delivery delivery) {
        if (delivery.revoke(clock.nanos())) {
            lost(delivery);
        }
    }

    private void lost(Delivery delivery) {
        inFlight.remove(delivery);
        var job = delivery.lease().job();
        events.tell(new JobEvent.LeaseLost(
                job.id(), job.queue(), job.type(), delivery.id().token()));
    }

    @Override
    public void wakeLeaseLoop() {
        leaseLoop.wake();
    }

    @Override
    public boolean isStopping() {
        return stopping.get();
    }

    @Override
    public boolean isAbandoned() {
        return abandoned;
    }

    @Override
    public void drain() {
        requestStop();
    }

    /** A queue to be served. */
    public record QueueConfig(String queue, int slots, int weight) {}

    /** A worker's settings. */
    public record Config(
            String name,
            List<QueueConfig> queues,
            Handlers handlers,
            Codecs codecs,
            List<HandlerInterceptor> interceptors,
            List<JobListener> listeners,
            @Nullable Executor executor,
            Timing timing,
            Duration drainTimeout,
            boolean interruptUncertain,
            @Nullable Ledger ledger,
            List<Outbox> outboxes) {

        public Config {
            queues = List.copyOf(queues);
            interceptors = List.copyOf(interceptors);
            listeners = List.copyOf(listeners);
            outboxes = List.copyOf(outboxes);
            if (queues.isEmpty()) {
                throw new InvalidInputException("queues", "at least one must be served: call queue(name, slots)");
            }
            if (timing.heartbeat().multipliedBy(3).compareTo(timing.lease()) > 0) {
                throw new InvalidInputException(
                        "heartbeat",
                        "must be at most a third of the lease duration " + timing.lease() + ", but is "
                                + timing.heartbeat());
            }
            atLeast("leaseDuration", timing.lease(), Duration.ofSeconds(1));
            atLeast("heartbeat", timing.heartbeat(), Duration.ofMillis(100));
            atLeast("poll", timing.poll(), Duration.ofMillis(10));
            atLeast("reconnectBackoff", timing.reconnect(), Duration.ofMillis(100));
        }

        private static void atLeast(String field, Duration value, Duration least) {
            if (value.compareTo(least) < 0) {
                throw new InvalidInputException(field, "must be at least " + least + ", but is " + value);
            }
        }
    }

    /** A worker's paces. */
    public record Timing(Duration lease, Duration heartbeat, Duration poll, Duration reconnect) {

        public static final Timing DEFAULT = new Timing(
                Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(3));

        public Timing withLease(Duration value) {
            return new Timing(value, heartbeat, poll, reconnect);
        }

        public Timing withHeartbeat(Duration value) {
            return new Timing(lease, value, poll, reconnect);
        }

        public Timing withPoll(Duration value) {
            return new Timing(lease, heartbeat, value, reconnect);
        }

        public Timing withReconnect(Duration value) {
            return new Timing(lease, heartbeat, poll, value);
        }
    }
}
