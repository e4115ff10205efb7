package dev.belay.sql.step;

import dev.belay.broker.Broker.Death;
import dev.belay.broker.Event;
import dev.belay.broker.PruneReply;
import dev.belay.jdbc.Bound;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.JobState;
import dev.belay.sql.row.JobRow;
import dev.belay.sql.row.Lines;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Removes what its retention has ended, and buries what has expired: one small batch a call. */
public final class Prune {

    private static final int BATCH = 500;

    /** How long a client's newest enqueue call, and a used session id, are remembered after they were last used. */
    private static final long CALLS_KEPT_MILLIS = Duration.ofHours(24).toMillis();

    private static final By RETENTION = By.of("retention");

    private final Tx tx;
    private final Moves moves;
    private final List<Death> deaths = new ArrayList<>();
    private int left = BATCH;
    private int removed;
    private int dropped;

    private Prune(Tx tx) {
        this.tx = tx;
        this.moves = new Moves(tx);
    }

    public static PruneReply run(Tx tx) throws SQLException {
        return new Prune(tx).run();
    }

    private PruneReply run() throws SQLException {
        if (!tx.isAlone("prune")) {
            return new PruneReply(0, 0, List.of(), false);
        }
        tx.placeAccepted();
        for (var queue : tx.allQueues()) {
            prune(queue);
        }
        pruneNamespace();
        return new PruneReply(removed, dropped, List.copyOf(deaths), left <= 0);
    }

    private void prune(QueueRow queue) throws SQLException {
        pruneTimers(queue);
        pruneFinished(queue);
        pruneDead(queue);
        var now = tx.now;
        forget("dedup-prune", queue, now - tx.settings().dedupWindow().toMillis());
        forget("dedup-prune-own", queue, now);
        forget("client-prune", queue, now - CALLS_KEPT_MILLIS);
        forget("replaced-prune", queue, auditedSince());
        forget("dead-group-prune", queue, auditedSince());
        tx.sql.get("unknown-forget").set("queue", queue.id).later();
        tx.foldCounts(queue);
        new Statistics(tx).prune(queue);
    }

    /** Jobs that expired while they waited, and those whose own retention has ended. */
    private void pruneTimers(QueueRow queue) throws SQLException {
        for (var job : batch(tx.sql.get("timer-due").set("queue", queue.id).set("now", tx.now))) {
            if (job.isFinal()) {
                remove(job);
            } else {
                deaths.add(
                        moves.isCorrupt(job, null)
                                ? Moves.death(queue, job, DeadReason.CORRUPT)
                                : moves.expire(queue, job));
                moves.save(job);
                left--;
            }
        }
    }

    private void pruneFinished(QueueRow queue) throws SQLException {
        var keptSince = tx.now - queue.settings.keepFinished().toMillis();
        removeAll(queue, Lines.SUCCEEDED, keptSince);
        removeAll(queue, Lines.CANCELLED, keptSince);
        var finished = queue.count(JobState.SUCCEEDED)
                + queue.count(JobState.CANCELLED)
                + tx.tally.change(queue.id, JobState.SUCCEEDED)
                + tx.tally.change(queue.id, JobState.CANCELLED);
        var excess = finished - queue.settings.keepFinishedCount();
        if (excess > 0) {
            for (var job : tx.standing(tx.sql
                    .get("finished-oldest")
                    .set("queue", queue.id)
                    .set("limit", Math.min(excess, Math.max(0, left))))) {
                remove(job);
            }
        }
    }

    private void removeAll(QueueRow queue, int line, long until) throws SQLException {
        for (var job : batch(
                tx.sql.get("line-due").set("queue", queue.id).set("line", line).set("now", until))) {
            remove(job);
        }
    }

    private void remove(JobRow job) throws SQLException {
        left--;
        if (moves.isCorrupt(job, null)) {
            moves.save(job);
        } else {
            moves.remove(job, Event.PRUNED);
            removed++;
        }
    }

    private void pruneDead(QueueRow queue) throws SQLException {
        var settings = queue.settings;
        if (settings.keepDead() == null && settings.keepDeadCount() == null && settings.keepDeadBytes() == null) {
            return;
        }
        var count = queue.count(JobState.DEAD) + tx.tally.change(queue.id, JobState.DEAD);
        var bytes = queue.deadBytes + tx.tally.deadBytesChange(queue.id);
        for (var job : batch(tx.sql
                .get("line-due")
                .set("queue", queue.id)
                .set("line", Lines.DEAD)
                .set("now", Long.MAX_VALUE))) {
            var limit = brokenLimit(queue, job, count, bytes);
            if (limit == null) {
                return;
            }
            Audit.write(tx, "drop", queue.name, job.id, RETENTION, "dead letter " + job.reason + ", " + limit);
            moves.remove(job, Event.DEAD_DROPPED);
            dropped++;
            left--;
            count--;
            bytes -= job.payloadSize;
        }
    }

    /** Which limit the oldest dead letter has to go for; null where it stays. */
    private @Nullable String brokenLimit(QueueRow queue, JobRow oldest, long count, long bytes) {
        var age = queue.settings.keepDead();
        if (age != null && oldest.at + age.toMillis() <= tx.now) {
            return "keepDead = " + age;
        }
        var most = queue.settings.keepDeadCount();
        if (most != null && count > most) {
            return "keepDeadCount = " + most;
        }
        var mostBytes = queue.settings.keepDeadBytes();
        if (mostBytes != null && bytes > mostBytes) {
            return "keepDeadBytes = " + mostBytes;
        }
        return null;
    }

    private void pruneNamespace() throws SQLException {
        forgetInNamespace("audit-prune", auditedSince());
        forgetInNamespace("session-forget", tx.now - CALLS_KEPT_MILLIS);
        forgetInNamespace("cell-prune", tx.now);
    }

    private long auditedSince() throws SQLException {
        return tx.now - tx.settings().auditRetention().toMillis();
    }

    private void forget(String statement, QueueRow queue, long before) throws SQLException {
        forget(tx.sql.get(statement).set("queue", queue.id).set("before", before));
    }

    private void forgetInNamespace(String statement, long before) throws SQLException {
        forget(tx.sql.get(statement).set("namespace", tx.namespace.id()).set("before", before));
    }

    private void forget(Bound delete) throws SQLException {
        if (left > 0) {
            left -= delete.set("limit", left).update();
        }
    }

    private List<JobRow> batch(Bound query) throws SQLException {
        return left > 0 ? tx.standing(query.set("limit", left)) : List.of();
    }
}
