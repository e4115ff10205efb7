package dev.belay.tck.engine;

import dev.belay.broker.Broker;
import dev.belay.tck.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets the clock of a store run that stands still unless it is moved: engines live in real time. A store whose clock runs
 * by itself is left as it is.
 */
final class RunningStore implements Store {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long TICK_MILLIS = 2;

    private final Store store;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread ticker = new Thread(this::tick, "belay-tck-clock");

    private RunningStore(Store store) {
        this.store = store;
        ticker.start();
    }

    static Store of(Store store) {
        return stands(store) ? new RunningStore(store) : store;
    }

    private static boolean stands(Store store) {
        var admin = store.broker().admin();
        var before = admin.time();
        var until = System.nanoTime() + LOOK_NANOS;
        while (System.nanoTime() - until < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return admin.time() == before;
    }

    private void tick() {
        var last = System.nanoTime();
        try {
            while (!closed.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
                var millis = (System.nanoTime() - last) / 1_000_000;
                last += millis * 1_000_000;
                advance(Duration.ofMillis(millis));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("the clock of a store under test was interrupted", e);
        }
    }

    @Override
    public Broker broker() {
        return store.broker();
    }

    @Override
    public Broker secondNode() {
        return store.secondNode();
    }

    @Override
    public Broker namespace(String name) {
        return store.namespace(name);
    }

    @Override
    public synchronized void advance(Duration by) {
        store.advance(by);
    }

    @Override
    public void breakConnection() {
        store.breakConnection();
    }

    @Override
    public void reopen() {
        store.reopen();
    }

    @Override
    public Optional<String> address() {
        return store.address();
    }

    @Override
    public Optional<String> jdbcUrl() {
        return store.jdbcUrl();
    }

    @Override
    public Optional<Planter> planter() {
        return store.planter();
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            ticker.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        store.close();
    }
}
