package dev.belay.sql.step;

import dev.belay.broker.Broker.Subscription;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who waits, in this broker object, for jobs of which queue. Safe for use by many threads. */
public final class Signals {

    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    /** As many are woken at a time: a signal is a hint, and wakes some, not a thousand. */
    private static final int WOKEN = 8;

    private final Map<String, ArrayDeque<Listener>> listeners = new HashMap<>();
    private final Map<String, Long> ownWakes = new HashMap<>();
    private int count;

    /** Adds a listener. */
    public synchronized Subscription add(String queue, Runnable callback) {
        var listener = new Listener(callback);
        listeners.computeIfAbsent(queue, name -> new ArrayDeque<>()).add(listener);
        count++;
        return () -> remove(queue, listener);
    }

    /** Whether anybody listens. */
    public synchronized boolean isHeard() {
        return count > 0;
    }

    public synchronized void clear() {
        listeners.clear();
        count = 0;
    }

    /** After a commit of this broker object that woke a queue. */
    void woke(String queue, boolean everybody) {
        synchronized (this) {
            ownWakes.merge(queue, 1L, Long::sum);
        }
        call(queue, everybody);
    }

    /** How many commits of this broker object have woken a queue. */
    public synchronized long ownWakes(String queue) {
        return ownWakes.getOrDefault(queue, 0L);
    }

    /** Calls some of those who wait for a queue, or everybody. */
    public void call(String queue, boolean everybody) {
        for (var listener : next(queue, everybody)) {
            try {
                listener.callback.run();
            } catch (RuntimeException e) {
                // The commit is done, and whoever led it is not to blame.
                LOG.warn("a listener of queue '{}' failed; listeners must not throw", queue, e);
            }
        }
    }

    private synchronized List<Listener> next(String queue, boolean everybody) {
        var waiting = listeners.get(queue);
        if (waiting == null) {
            return List.of();
        }
        var next = new ArrayList<Listener>();
        for (var i = everybody ? waiting.size() : Math.min(WOKEN, waiting.size()); i > 0; i--) {
            var listener = waiting.remove();
            waiting.add(listener);
            next.add(listener);
        }
        return next;
    }

    private synchronized void remove(String queue, Listener listener) {
        var waiting = listeners.get(queue);
        if (waiting != null && waiting.remove(listener)) {
            count--;
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
