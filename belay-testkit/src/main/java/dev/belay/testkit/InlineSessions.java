package dev.belay.testkit;

import dev.belay.broker.Beat;
import dev.belay.broker.BrokerAdmin.QueueView;
import dev.belay.broker.Lease;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.Verdict;
import dev.belay.job.SessionId;
import dev.belay.memory.MemoryBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The sessions of one call to run jobs, one a queue: what they still hold at the end becomes ready again. */
final class InlineSessions implements AutoCloseable {

    private final MemoryBroker broker;
    private final Map<String, Integer> types;
    private final Map<String, SessionId> byQueue = new LinkedHashMap<>();
    private final List<SessionId> all = new ArrayList<>();
    private final Map<String, Duration> nextDue = new HashMap<>();
    private long number;

    InlineSessions(MemoryBroker broker, Map<String, Integer> types) {
        this.broker = broker;
        this.types = types;
    }

    /** The next job of any queue, begun where that is needed; empty where none is due. */
    Optional<Lease> lease() {
        var lease = lease(List.copyOf(byQueue.keySet()));
        return lease.isPresent() ? lease : lease(unserved());
    }

    private Optional<Lease> lease(List<String> queues) {
        for (var queue : queues) {
            var lease = lease(queue);
            if (lease.isPresent()) {
                return lease;
            }
        }
        return Optional.empty();
    }

    /** Queues that have become known, by an enqueue of a handler perhaps. */
    private List<String> unserved() {
        return broker.admin().queues().stream()
                .map(QueueView::queue)
                .filter(queue -> !byQueue.containsKey(queue))
                .toList();
    }

    @Nullable
    Duration nextDue() {
        return nextDue.values().stream().min(Duration::compareTo).orElse(null);
    }

    @Override
    public void close() {
        broker.endSessions(all);
    }

    private Optional<Lease> lease(String queue) {
        var session = byQueue.computeIfAbsent(queue, this::register);
        while (true) {
            var reply = broker.lease(LeaseRequest.of(session, ++number, 1));
            if (!reply.leases().isEmpty()) {
                var lease = reply.leases().get(0);
                if (!lease.job().hasOneCrashLeft() || begin(lease)) {
                    return Optional.of(lease);
                }
            } else if (reply.suspectWaiting()) {
                // Alone, so in a session of its own.
                var suspect = broker.lease(LeaseRequest.ofSuspect(register(queue), ++number))
                        .leases();
                return suspect.isEmpty() || !begin(suspect.get(0)) ? Optional.empty() : Optional.of(suspect.get(0));
            } else {
                if (reply.nextDue() == null) {
                    nextDue.remove(queue);
                } else {
                    nextDue.put(queue, reply.nextDue());
                }
                return Optional.empty();
            }
        }
    }

    private boolean begin(Lease lease) {
        // The test may have moved the time beyond the session's deadline.
        broker.heartbeat(List.of(new Beat(lease.id().session(), 0, Map.of())));
        return broker.begin(lease.id()) instanceof Verdict.Applied;
    }

    private SessionId register(String queue) {
        var id = SessionId.next();
        broker.register(new SessionSpec(id, queue, "testkit", "test", 1, Duration.ofSeconds(30), types));
        all.add(id);
        return id;
    }
}
