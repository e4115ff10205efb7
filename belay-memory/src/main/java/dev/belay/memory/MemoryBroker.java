package dev.belay.memory;

import dev.belay.broker.Beat;
import dev.belay.broker.BeatReply;
import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.BrokerException;
import dev.belay.broker.Capabilities;
import dev.belay.broker.Cells;
import dev.belay.broker.EnqueueCall;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.PromoteReply;
import dev.belay.broker.PruneReply;
import dev.belay.broker.ReapReply;
import dev.belay.broker.ReconcileReply;
import dev.belay.broker.Registration;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.Settlement;
import dev.belay.broker.TimesDelta;
import dev.belay.broker.Verdict;
import dev.belay.job.InvalidInputException;
import dev.belay.job.LeaseId;
import dev.belay.job.Limits;
import dev.belay.job.SessionId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The reference broker, in memory: one node on one store, with a connection of its own. {@link #create} and {@link
 * #builder} make a new, empty store with its first node, {@link #node} adds another. The store lives as long as
 * something refers to one of its nodes; its jobs end with it.
 */
public final class MemoryBroker implements Broker {

    private static final Capabilities CAPABILITIES = new Capabilities("memory", false, false, 1, 1_000);

    private final Operations operations;
    private final Store store;
    private final MemoryConnection connection;
    private final MemoryAdmin admin = new MemoryAdmin(this);
    private final MemoryCells cells = new MemoryCells(this);
    private volatile boolean closed;

    private MemoryBroker(Operations operations) {
        this.operations = operations;
        this.store = operations.store;
        this.connection = new MemoryConnection(store.clock);
    }

    /** A new, empty store with the system's clock and the default settings. */
    public static MemoryBroker create() {
        return builder().build();
    }

    /** For a store with a clock, a randomness or settings of its own. */
    public static Builder builder() {
        return new Builder();
    }

    /** Another broker object on the same store, as another process would have one. Its connection is new. */
    public MemoryBroker node() {
        return new MemoryBroker(operations);
    }

    /** The connection of this broker object: for tests of what happens when it fails. */
    public MemoryConnection connection() {
        return connection;
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public String namespace() {
        return store.namespace;
    }

    @Override
    public NamespaceSettings settings() {
        return call(() -> store.settings);
    }

    @Override
    public Registration register(SessionSpec session) {
        return call(() -> operations.sessions.register(session));
    }

    @Override
    public List<BeatReply> heartbeat(List<Beat> beats) {
        return call(() -> operations.sessions.heartbeat(beats));
    }

    @Override
    public List<Death> endSessions(List<SessionId> sessions) {
        return call(() -> operations.sessions.endSessions(sessions));
    }

    @Override
    public List<Verdict> enqueue(EnqueueCall enqueue) {
        return call(() -> operations.enqueuing.enqueue(enqueue));
    }

    @Override
    public LeaseReply lease(LeaseRequest request) {
        return call(() -> operations.leasing.lease(request));
    }

    @Override
    public Verdict begin(LeaseId lease) {
        return call(() -> operations.sessions.begin(lease));
    }

    @Override
    public List<Boolean> held(List<LeaseId> leases) {
        return call(() -> operations.sessions.held(leases));
    }

    @Override
    public ReconcileReply reconcile(SessionId session, long number) {
        return call(() -> operations.sessions.reconcile(session, number));
    }

    @Override
    public List<Verdict> settle(String queue, List<Settlement> settlements) {
        return call(() -> operations.settling.settle(queue, settlements));
    }

    @Override
    public PromoteReply promote(String queue, Duration interval) {
        return call(() -> operations.promoting.promote(queue, interval));
    }

    @Override
    public ReapReply reap() {
        return call(() -> operations.reaping.reap(connection));
    }

    @Override
    public PruneReply prune() {
        return call(operations.pruning::prune);
    }

    @Override
    public void record(List<TimesDelta> times) {
        run(() -> operations.queues.record(times));
    }

    @Override
    public Subscription listen(String queue, Runnable onSignal) {
        var listener = call(() -> store.signals.add(this, queue, onSignal));
        return () -> locked(() -> store.signals.remove(listener));
    }

    @Override
    public BrokerAdmin admin() {
        checkOpen();
        return admin;
    }

    @Override
    public Cells cells() {
        checkOpen();
        return cells;
    }

    @Override
    public void close() {
        closed = true;
        locked(() -> store.signals.removeAll(this));
    }

    @Override
    public String toString() {
        return "MemoryBroker" + (closed ? " (closed)" : "");
    }

    Operations operations() {
        return operations;
    }

    void run(Runnable step) {
        this.<Boolean>call(() -> {
            step.run();
            return true;
        });
    }

    /** One call over the connection: one step of the store, then the signals that it gave. */
    <T> T call(Supplier<T> step) {
        checkOpen();
        var fault = connection.request();
        List<Runnable> signals = List.of();
        T result;
        store.lock.lock();
        try {
            result = step.get();
        } catch (InvalidInputException e) {
            throw new BrokerException.Rejected(e);
        } finally {
            signals = store.signals.take();
            store.lock.unlock();
        }
        signals.forEach(MemoryBroker::signal);
        connection.answer(fault);
        return result;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("this broker is closed: open another one");
        }
    }

    private void locked(Runnable step) {
        store.lock.lock();
        try {
            step.run();
        } finally {
            store.lock.unlock();
        }
    }

    private static void signal(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException e) {
            // The step is done, and its caller is not to blame: as if the callback had a thread of its own.
            var thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    /** Makes a new, empty store and its first node. Not thread-safe. */
    public static final class Builder {

        private InstantSource clock = InstantSource.system();
        private RandomGenerator random = RandomGenerator.getDefault();
        private NamespaceSettings settings = NamespaceSettings.DEFAULT;
        private String namespace = DEFAULT_NAMESPACE;

        private Builder() {}

        /** The broker's clock; the system's where none is set. */
        public Builder clock(InstantSource value) {
            clock = Objects.requireNonNull(value, "clock");
            return this;
        }

        /** For backoffs; used by one thread at a time. */
        public Builder random(RandomGenerator value) {
            random = Objects.requireNonNull(value, "random");
            return this;
        }

        /** The settings of the namespace to begin with. */
        public Builder settings(NamespaceSettings value) {
            settings = Objects.requireNonNull(value, "settings");
            return this;
        }

        /** What it is called; {@code belay} where nothing is set. */
        public Builder namespace(String value) {
            namespace = Limits.name("namespace", value);
            return this;
        }

        public MemoryBroker build() {
            return new MemoryBroker(new Operations(new Store(namespace, clock, random, settings)));
        }
    }
}
