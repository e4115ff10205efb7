package dev.belay.memory;

import dev.belay.broker.BrokerAdmin.QueueView;
import dev.belay.broker.BrokerAdmin.UnknownType;
import dev.belay.broker.Command;
import dev.belay.broker.DeadGroup;
import dev.belay.broker.EventCount;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.QueueSettings;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.TimesDelta;
import dev.belay.broker.Verdict;
import dev.belay.job.By;
import dev.belay.job.Limits;
import dev.belay.job.SessionId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a person, or a tool for them, sees of and does to queues, sessions and the namespace. */
final class QueueActions {

    private final Store store;

    QueueActions(Store store) {
        this.store = store;
    }

    List<QueueView> queues() {
        return store.knownQueues(null).stream()
                .map(queue -> new QueueView(
                        queue.name,
                        queue.paused,
                        queue.settings,
                        queue.counts(),
                        (int) store.liveSessions(queue.name).count(),
                        queue.lines.oldestReadyAt()))
                .toList();
    }

    void setPaused(String name, boolean paused, By by) {
        var queue = store.queue(name);
        queue.paused = paused;
        audit(paused ? "pause" : "resume", name, by, null);
        if (!paused) {
            store.signals.resumed(name);
        }
    }

    void configure(String name, QueueSettings settings, By by) {
        var queue = store.queue(name);
        audit("configure", name, by, queue.settings + " became " + settings);
        queue.settings = settings;
    }

    void configure(NamespaceSettings settings, By by) {
        audit("configure", null, by, store.settings + " became " + settings);
        store.settings = settings;
    }

    Verdict remove(String name, By by) {
        var queue = store.knownQueue(name);
        if (queue == null) {
            return Verdict.MISSING;
        }
        var served = store.sessions.values().stream()
                .anyMatch(session -> session.spec.queue().equals(name));
        if (served || !queue.jobs.isEmpty()) {
            return Verdict.BUSY;
        }
        queue.forget();
        store.statistics.remove(name);
        audit("remove-queue", name, by, null);
        return Verdict.APPLIED;
    }

    Verdict tell(SessionId id, Command.Kind kind, By by) {
        var session = store.liveSession(id);
        if (session == null) {
            return Verdict.MISSING;
        }
        session.tell(number -> switch (kind) {
            case GO_QUIET -> new Command.GoQuiet(number);
            case RESUME -> new Command.Resume(number);
            case DRAIN -> new Command.Drain(number);
        });
        audit("tell", session.spec.queue(), by, kind + " to session " + id + " of worker " + session.spec.worker());
        return Verdict.APPLIED;
    }

    List<DeadGroup> deadGroups(@Nullable String queue, int limit) {
        Limits.range("limit", limit, 1, Integer.MAX_VALUE);
        return store.knownQueues(queue).stream()
                .flatMap(known -> known.deadGroups.list())
                .sorted(DeadGroup.MOST_FIRST)
                .limit(limit)
                .toList();
    }

    Map<UnknownType, Long> unknownTypes() {
        var found = new HashMap<UnknownType, Long>();
        for (var queue : store.knownQueues(null)) {
            queue.unknown.waiting().forEach((kind, count) -> {
                if (!store.isKnown(queue.name, kind)) {
                    found.put(new UnknownType(queue.name, kind.type(), kind.schemaVersion()), count);
                }
            });
        }
        return Map.copyOf(found);
    }

    List<EventCount> events(StatisticsQuery query) {
        return statistics(query)
                .flatMap(statistics -> statistics.events(query).stream())
                .toList();
    }

    List<TimesDelta> times(StatisticsQuery query) {
        return statistics(query)
                .flatMap(statistics -> statistics.times(query).stream())
                .toList();
    }

    void record(List<TimesDelta> times) {
        var now = store.now();
        times.forEach(delta -> {
            Limits.name("queue", delta.queue());
            Limits.name("type", delta.type());
        });
        times.forEach(delta -> store.statistics(delta.queue()).record(delta, now));
    }

    private Stream<Statistics> statistics(StatisticsQuery query) {
        return store.statistics.entrySet().stream()
                .filter(entry -> query.queue() == null || query.queue().equals(entry.getKey()))
                .map(Map.Entry::getValue);
    }

    private void audit(String action, @Nullable String queue, By by, @Nullable String detail) {
        store.audit.add(store.now(), action, queue, null, by, detail);
    }
}
