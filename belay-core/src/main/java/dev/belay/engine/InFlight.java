package dev.belay.engine;

import dev.belay.job.JobId;
import dev.belay.job.LeaseId;
import dev.belay.job.SessionId;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The deliveries that this worker knows, from the answer of the lease to the answer of the settle. Thread-safe. */
final class InFlight {

    private record Key(JobId job, long token) {}

    private final ConcurrentMap<Key, Delivery> deliveries = new ConcurrentHashMap<>();

    void add(Delivery delivery) {
        deliveries.put(key(delivery.id()), delivery);
    }

    void remove(Delivery delivery) {
        deliveries.remove(key(delivery.id()), delivery);
    }

    @Nullable
    Delivery find(JobId job, long token) {
        return deliveries.get(new Key(job, token));
    }

    boolean knows(LeaseId lease) {
        return deliveries.containsKey(key(lease));
    }

    Collection<Delivery> all() {
        return deliveries.values();
    }

    List<Delivery> ofSession(SessionId session) {
        return deliveries.values().stream()
                .filter(delivery -> delivery.id().session().equals(session))
                .toList();
    }

    boolean isEmpty() {
        return deliveries.isEmpty();
    }

    private static Key key(LeaseId lease) {
        return new Key(lease.job(), lease.token());
    }
}
