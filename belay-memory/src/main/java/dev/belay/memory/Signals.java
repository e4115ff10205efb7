package dev.belay.memory;

import dev.belay.broker.Broker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who waits for jobs of which queue. A step of the store only notes which queues it woke; the callbacks run after it, when
 * the lock is free again.
 */
final class Signals {

    /** As many are woken by one step: a signal is a hint, and wakes some, not a thousand. */
    private static final int WOKEN = 8;

    private final Map<String, ArrayDeque<Listener>> listeners = new HashMap<>();
    private final Set<String> some = new LinkedHashSet<>();
    private final Set<String> all = new LinkedHashSet<>();

    Listener add(Broker owner, String queue, Runnable callback) {
        var listener = new Listener(owner, queue, callback);
        listeners.computeIfAbsent(queue, name -> new ArrayDeque<>()).add(listener);
        return listener;
    }

    void remove(Listener listener) {
        waiting(listener.queue).remove(listener);
    }

    void removeAll(Broker owner) {
        listeners.values().forEach(waiting -> waiting.removeIf(listener -> listener.owner.equals(owner)));
    }

    /** Jobs of a queue became ready. */
    void ready(String queue) {
        some.add(queue);
    }

    /** Everybody who waits for a queue should look. */
    void resumed(String queue) {
        all.add(queue);
    }

    /** The callbacks to run after the step. */
    List<Runnable> take() {
        var callbacks = new ArrayList<Runnable>();
        all.forEach(queue -> waiting(queue).forEach(listener -> callbacks.add(listener.callback)));
        some.removeAll(all);
        some.forEach(queue -> {
            var waiting = waiting(queue);
            for (var i = Math.min(WOKEN, waiting.size()); i > 0; i--) {
                var next = waiting.remove();
                waiting.add(next);
                callbacks.add(next.callback);
            }
        });
        some.clear();
        all.clear();
        return callbacks;
    }

    private ArrayDeque<Listener> waiting(String queue) {
        return listeners.getOrDefault(queue, new ArrayDeque<>());
    }

    /** Compared by identity: two subscriptions of one callback are two. */
    static final class Listener {
        private final Broker owner;
        private final String queue;
        private final Runnable callback;

        Listener(Broker owner, String queue, Runnable callback) {
            this.owner = owner;
            this.queue = queue;
            this.callback = callback;
        }
    }
}
