package dev.belay.redis;

import dev.belay.broker.Broker.Subscription;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who waits, in this broker object, for jobs of which queue. A step that makes jobs ready puts a few tokens into the
 * queue's wake-up list; one thread a queue waits there, with a connection of its own. A token wakes one program, not a
 * thousand. Thread-safe.
 */
final class Wakes implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Wakes.class);

    /** As many listeners are woken at a time. */
    private static final int WOKEN = 8;

    /** For how long one look waits: a connection that answers nothing is found by that. */
    private static final long WAIT_SECONDS = 2;

    private static final long FAILURE_PAUSE_NANOS = 500_000_000;

    private final RedisStore store;
    private final Map<String, Waiter> waiters = new HashMap<>();
    private boolean closed;

    Wakes(RedisStore store) {
        this.store = store;
    }

    synchronized Subscription listen(String queue, Runnable callback) {
        var waiter = waiters.computeIfAbsent(queue, name -> {
            var added = new Waiter(name);
            added.start();
            return added;
        });
        var listener = new Listener(callback);
        waiter.add(listener);
        return () -> waiter.remove(listener);
    }

    @Override
    public void close() {
        List<Waiter> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(waiters.values());
            waiters.clear();
        }
        all.forEach(Waiter::end);
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Waits for the tokens of one queue. */
    private final class Waiter {
        private final String queue;
        private final ArrayDeque<Listener> listeners = new ArrayDeque<>();
        private final Thread thread;
        private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;

        Waiter(String queue) {
            this.queue = queue;
            thread = new Thread(this::run, "belay-redis-wake-" + queue);
            thread.setDaemon(true);
        }

        void start() {
            thread.start();
        }

        synchronized void add(Listener listener) {
            listeners.add(listener);
        }

        synchronized void remove(Listener listener) {
            listeners.remove(listener);
        }

        private synchronized List<Listener> next() {
            var next = new ArrayList<Listener>();
            for (var i = Math.min(WOKEN, listeners.size()); i > 0; i--) {
                var listener = listeners.remove();
                listeners.add(listener);
                next.add(listener);
            }
            return next;
        }

        void end() {
            var open = connection;
            if (open != null) {
                open.closeAsync();
            }
            LockSupport.unpark(thread);
            var interrupted = false;
            while (thread.isAlive() && !thread.equals(Thread.currentThread())) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private void run() {
            while (!isClosed()) {
                StatefulRedisConnection<byte[], byte[]> opened = null;
                try {
                    opened = store.link.open();
                    connection = opened;
                    // A little longer than the server waits.
                    opened.setTimeout(Duration.ofSeconds(WAIT_SECONDS + 3));
                    while (!isClosed()) {
                        if (opened.sync().blpop(WAIT_SECONDS, store.keys(queue).key("wake")) != null) {
                            wake();
                        }
                    }
                } catch (RuntimeException e) {
                    if (!isClosed()) {
                        LOG.debug("signals of queue '{}' can't be heard for a moment: {}", queue, e.getMessage());
                        // Hints: whoever waits polls as well.
                        LockSupport.parkNanos(FAILURE_PAUSE_NANOS);
                    }
                } finally {
                    connection = null;
                    if (opened != null && opened.isOpen()) {
                        opened.close();
                    }
                }
            }
        }

        private void wake() {
            for (var listener : next()) {
                try {
                    listener.callback.run();
                } catch (RuntimeException e) {
                    LOG.warn("a listener of queue '{}' failed; listeners must not throw", queue, e);
                }
            }
        }
    }

    /** Compared by identity: two subscriptions of one callback are two. */
    private static final class Listener {
        private final Runnable callback;

        Listener(Runnable callback) {
            this.callback = callback;
        }
    }
}
