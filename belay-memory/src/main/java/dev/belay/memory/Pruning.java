package dev.belay.memory;

import dev.belay.broker.Broker.Death;
import dev.belay.broker.Event;
import dev.belay.broker.PruneReply;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Removes what its retention has ended, and buries what has expired: one small batch a call. */
final class Pruning {

    private static final int BATCH = 500;
    /** How long a client's newest enqueue call, and a used session id, are remembered after they were last used. */
    private static final long CALLS_KEPT_MILLIS = Duration.ofHours(24).toMillis();

    private static final By RETENTION = By.of("retention");

    private final Store store;
    private final Moves moves;

    Pruning(Store store, Moves moves) {
        this.store = store;
        this.moves = moves;
    }

    PruneReply prune() {
        var batch = new Batch(store.now());
        store.queues.values().forEach(batch::prune);
        batch.pruneNamespace();
        return new PruneReply(batch.removed, batch.dropped, List.copyOf(batch.deaths), batch.left == 0);
    }

    /** One call's work: so many steps, and no more. */
    private final class Batch {
        final long now;
        final List<Death> deaths = new ArrayList<>();
        int left = BATCH;
        int removed;
        int dropped;

        Batch(long now) {
            this.now = now;
        }

        void prune(QueueState queue) {
            for (var job = Lines.first(queue.lines.expiring);
                    left > 0 && job != null && job.isExpired(now);
                    job = Lines.first(queue.lines.expiring)) {
                deaths.add(bury(job));
                left--;
            }
            pruneFinished(queue);
            pruneDead(queue);
            var window = store.settings.dedupWindow().toMillis();
            left -= queue.dedup.prune(now, window, left);
            left -= forget(queue.clients, QueueState.ClientCall::at, now - CALLS_KEPT_MILLIS);
            left -= forget(queue.replaced, QueueState.Replacement::at, auditedSince());
            queue.deadGroups.forget(auditedSince());
            queue.unknown.prune();
        }

        private Death bury(StoredJob job) {
            return moves.isCorrupt(job, now) ? Moves.death(job, DeadReason.CORRUPT) : moves.expire(job, now);
        }

        private void pruneFinished(QueueState queue) {
            var keep = queue.settings.keepFinished().toMillis();
            removeWhile(queue.lines.finishedByOwn, Lines::keptUntil);
            removeWhile(queue.lines.finishedByQueue, job -> finishedAt(job) + keep);
            while (left > 0 && queue.lines.finished.size() > queue.settings.keepFinishedCount()) {
                remove(queue.lines.finished.first());
            }
        }

        private void removeWhile(SortedSet<StoredJob> line, ToLongFunction<StoredJob> keptUntil) {
            for (var job = Lines.first(line);
                    left > 0 && job != null && keptUntil.applyAsLong(job) <= now;
                    job = Lines.first(line)) {
                remove(job);
            }
        }

        private void remove(StoredJob job) {
            left--;
            if (!moves.isCorrupt(job, now)) {
                moves.remove(job, Event.PRUNED, now);
                removed++;
            }
        }

        private void pruneDead(QueueState queue) {
            for (var job = Lines.first(queue.lines.dead);
                    left > 0 && job != null;
                    job = Lines.first(queue.lines.dead)) {
                var limit = brokenLimit(queue, job);
                if (limit == null) {
                    return;
                }
                store.audit.add(
                        now, "drop", queue.name, job.id(), RETENTION, "dead letter " + job.reason + ", " + limit);
                moves.remove(job, Event.DEAD_DROPPED, now);
                dropped++;
                left--;
            }
        }

        /** Which limit the oldest dead letter has to go for; null where it stays. */
        private @Nullable String brokenLimit(QueueState queue, StoredJob oldest) {
            var settings = queue.settings;
            var age = settings.keepDead();
            if (age != null && finishedAt(oldest) + age.toMillis() <= now) {
                return "keepDead = " + age;
            }
            var count = settings.keepDeadCount();
            if (count != null && queue.lines.dead.size() > count) {
                return "keepDeadCount = " + count;
            }
            var bytes = settings.keepDeadBytes();
            if (bytes != null && queue.lines.deadBytes() > bytes) {
                return "keepDeadBytes = " + bytes;
            }
            return null;
        }

        void pruneNamespace() {
            left -= store.audit.prune(auditedSince(), left);
            left -= forget(store.usedSessionIds, used -> used, now - CALLS_KEPT_MILLIS);
            store.sessions.values().removeIf(session -> session.ended && session.inFlight.isEmpty());
            store.cells.prune(now);
            store.statistics.values().forEach(statistics -> statistics.fold(now));
        }

        private long auditedSince() {
            return now - store.settings.auditRetention().toMillis();
        }

        /** Removes the entries that were last used before a time, from a map whose eldest come first. */
        private <K, V> int forget(Map<K, V> entries, ToLongFunction<V> usedAt, long before) {
            var forgotten = 0;
            for (var entry = entries.values().iterator(); left - forgotten > 0 && entry.hasNext(); forgotten++) {
                if (usedAt.applyAsLong(entry.next()) >= before) {
                    break;
                }
                entry.remove();
            }
            return forgotten;
        }

        private static long finishedAt(StoredJob job) {
            return Objects.requireNonNull(job.finishedAt);
        }
    }
}
