package dev.belay.tck;

import dev.belay.broker.Broker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A store under test with everything that watches it: leases as they are handed out, log events, threads. Closing it
 * closes the store; {@link #check} judges what the test left.
 */
public final class Bench implements AutoCloseable {

    private final Threads threads;
    private final Logs logs;
    private final Store store;
    private final Map<String, Watch> watches = new LinkedHashMap<>();
    private boolean damaged;

    private Bench(Supplier<Store> opened) {
        threads = Threads.now();
        logs = Logs.attach();
        store = opened.get();
    }

    /** Opens a fresh store of a harness. */
    public static Bench open(BrokerHarness harness) {
        return open(harness::fresh);
    }

    /** Watches the store that is opened by {@code opened}. */
    static Bench open(Supplier<Store> opened) {
        return new Bench(opened);
    }

    /** The store itself. Its brokers are not watched: prefer those of this class. */
    public Store store() {
        return store;
    }

    /** The first node. */
    public Broker broker() {
        return watch(Store.NAMESPACE).around(store.broker());
    }

    /** The second node. */
    public Broker secondNode() {
        return watch(Store.NAMESPACE).around(store.secondNode());
    }

    /** A node of another namespace. */
    public Broker namespace(String name) {
        return watch(name).around(store.namespace(name));
    }

    /** Moves the clock. */
    public void advance(Duration by) {
        store.advance(by);
    }

    /** What was logged. */
    public Logs logs() {
        return logs;
    }

    /** Damages records; from now on events are balanced per queue only, since a damaged record may lose its type. */
    public Store.Planter planter() {
        damaged = true;
        return store.planter()
                .orElseThrow(() -> Skip.because("this broker's harness can't plant damaged or newer records"));
    }

    /** Checks what must hold of every store at any time, and that nothing unexpected was logged. */
    public void check() {
        watches.forEach((namespace, watch) -> {
            var raw = namespace.equals(Store.NAMESPACE) ? store.broker() : store.namespace(namespace);
            watch.check();
            new Invariants(raw, watch, damaged).check();
        });
        logs.check();
    }

    /** Closes the store and waits until its threads have ended. */
    @Override
    public void close() {
        try {
            store.close();
        } finally {
            logs.detach();
        }
        threads.checkNoneLeft();
    }

    private Watch watch(String namespace) {
        return watches.computeIfAbsent(namespace, name -> new Watch());
    }
}
