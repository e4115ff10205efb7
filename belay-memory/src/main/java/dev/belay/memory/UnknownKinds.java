package dev.belay.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a queue knows of kinds (type and payload version): how many jobs of each kind wait, and, of the kinds that a worker
 * refused, which jobs, and for how long the kind has been served by nobody while somebody served the queue.
 */
final class UnknownKinds {

    private final Map<TypeVersion, Long> waiting = new HashMap<>();
    private final Map<TypeVersion, Refused> refused = new HashMap<>();

    void enter(StoredJob job) {
        if (job.isWaiting()) {
            waiting.merge(job.typeVersion(), 1L, Long::sum);
        }
        if (isRefused(job)) {
            refused.computeIfAbsent(job.typeVersion(), kind -> new Refused())
                    .jobs
                    .add(job);
        }
    }

    void leave(StoredJob job) {
        if (job.isWaiting()) {
            waiting.compute(job.typeVersion(), (kind, count) -> count == null || count == 1 ? null : count - 1);
        }
        var kind = refused.get(job.typeVersion());
        if (kind != null) {
            // The time outlives the jobs: a job that leaves its place comes back to it a moment later.
            kind.jobs.remove(job);
        }
    }

    Map<TypeVersion, Long> waiting() {
        return Map.copyOf(waiting);
    }

    /** How long a kind has been known to nobody, in milliseconds. */
    long unknownFor(TypeVersion kind) {
        var entry = refused.get(kind);
        return entry == null ? 0 : entry.millis;
    }

    /** Forgets the time of kinds of which no job is left that was refused and is not final. */
    void prune() {
        refused.values().removeIf(kind -> kind.jobs.isEmpty());
    }

    /** Adds to the time of each refused kind that nobody knows. */
    void elapse(long millis, Predicate<TypeVersion> known) {
        refused.forEach((kind, entry) -> entry.millis += known.test(kind) ? 0 : millis);
    }

    /** Forgets the time of kinds that are known now, and hands out their jobs. */
    List<StoredJob> nowKnown(Predicate<TypeVersion> known) {
        var kinds = refused.keySet().stream().filter(known).toList();
        var jobs = new ArrayList<StoredJob>();
        kinds.forEach(kind -> jobs.addAll(Objects.requireNonNull(refused.remove(kind)).jobs));
        return jobs;
    }

    private static boolean isRefused(StoredJob job) {
        return job.unknownSince != null && !job.state.isFinal();
    }

    private static final class Refused {
        final Set<StoredJob> jobs = new LinkedHashSet<>();
        long millis;
    }
}
