package dev.belay.sql.step;

import dev.belay.broker.Event;
import dev.belay.broker.JobEdit;
import dev.belay.broker.Verdict;
import dev.belay.jdbc.Rows;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.Fingerprint;
import dev.belay.job.HistoryEntry.Kind;
import dev.belay.job.InvalidInputException;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.NewJob;
import dev.belay.sql.row.JobRecords;
import dev.belay.sql.row.JobRow;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a person, or a tool for them, does to one job. Each is written to the audit log in the same step. */
public final class JobActions {

    private final Tx tx;
    private final By by;
    private final Moves moves;
    private final Accepting accepting;
    private final Keys keys;

    /** @param by who acts, and why */
    public JobActions(Tx tx, By by) {
        this.tx = tx;
        this.by = by;
        this.moves = new Moves(tx);
        this.accepting = new Accepting(tx);
        this.keys = new Keys(tx);
    }

    public Verdict cancel(@Nullable String name, JobId id) throws SQLException {
        return act(name, id, (queue, job) -> {
            if (job.isFinal()) {
                return Verdicts.wrongState(job);
            }
            audit("cancel", queue, job, "was " + Moves.state(job));
            moves.cancel(job, Holder.of(tx, job), by);
            return saved(job);
        });
    }

    public Verdict runNow(@Nullable String name, JobId id) throws SQLException {
        return act(name, id, (queue, job) -> {
            if (!job.isScheduled()) {
                return Verdicts.wrongState(job);
            }
            audit("run-now", queue, job, null);
            moves.note(job, null, Kind.RUN_NOW, by, null, null);
            job.runAt = tx.now;
            moves.ready(queue, job, tx.now);
            return saved(job);
        });
    }

    public Verdict edit(@Nullable String name, JobId id, JobEdit edit) throws SQLException {
        return act(name, id, (queue, job) -> {
            if (job.isFinal() || (job.isRunning() && edit.runAt() != null)) {
                return Verdicts.wrongState(job);
            }
            var what = describe(edit);
            audit("edit", queue, job, what);
            moves.note(job, Holder.of(tx, job), Kind.EDITED, by, what, null);
            if (edit.priority() != null) {
                job.priority = edit.priority();
            }
            if (edit.tags() != null) {
                job.tags = JobRecords.stored(edit.tags());
            }
            if (job.isReady()) {
                moves.stand(job, job.readyLine(), job.at);
            }
            if (edit.runAt() != null) {
                startAt(queue, job, Math.max(tx.now, edit.runAt().resolve(tx.now)));
            }
            return saved(job);
        });
    }

    private void startAt(QueueRow queue, JobRow job, long runAt) {
        if (runAt > tx.now) {
            moves.schedule(job, runAt);
        } else if (!job.isReady()) {
            job.runAt = runAt;
            moves.ready(queue, job, tx.now);
        }
    }

    public Verdict replay(@Nullable String name, JobId id, @Nullable Long onlyIfFinishedBy) throws SQLException {
        return act(name, id, (queue, job) -> {
            if (!canReplay(job) || JobRecords.isCorrupt(job) || isFinishedAfter(job, onlyIfFinishedBy)) {
                return Verdicts.wrongState(job);
            }
            var key = job.key;
            if (key != null) {
                tx.lockKey(queue.id, job.type, key);
            }
            var holder = key == null ? null : keys.holder(queue.id, job.type, key);
            if (key != null && holder != null && !holder.holder().equals(id)) {
                return new Verdict.Conflict(
                        holder.holder(),
                        holder.state(),
                        Accepting.keyConflict(key, job.type, holder, new Fingerprint(job.fingerprint)));
            }
            audit("replay", queue, job, "was " + Moves.state(job) + " " + job.reason);
            moves.note(job, null, Kind.REPLAYED, by, null, null);
            moves.count(job, Event.REPLAYED);
            if (job.isDead()) {
                moves.leaveDead(job);
            }
            startAnew(queue, job);
            if (key != null && holder == null) {
                keys.claim(queue.id, job.type, key, job.id, job.fingerprint, job.createdAt(), JobRecords.dedup(job));
            }
            return saved(job);
        });
    }

    private void startAnew(QueueRow queue, JobRow job) {
        job.reason = null;
        job.runAt = tx.now;
        job.unknownSince = null;
        job.expiresAt = job.lifetime == null ? null : (Long) (tx.now + job.lifetime);
        job.timer = job.expiresAt;
        job.failures = 0;
        job.crashes = 0;
        job.stepsTaken = 0;
        job.replays++;
        moves.ready(queue, job, tx.now);
    }

    public Verdict replace(@Nullable String name, JobId id, NewJob replacement) throws SQLException {
        accepting.check(List.of(replacement));
        if (!id.equals(replacement.links().replaces())) {
            throw new InvalidInputException(
                    "replaces",
                    "must be " + id + ", but is " + replacement.links().replaces());
        }
        return act(name, id, (queue, job) -> {
            if (!canReplay(job)) {
                return Verdicts.wrongState(job);
            }
            if (!replacement.queue().equals(queue.name)) {
                throw new InvalidInputException(
                        "queue",
                        "must be '" + queue.name + "', the queue of job " + id + ", but is '" + replacement.queue()
                                + "'");
            }
            if (replacement.key().explicit()) {
                tx.lockKey(queue.id, replacement.type(), replacement.key().value());
            }
            var taken = accepting.taken(queue, replacement);
            if (taken != null && (replacement.id().equals(id) || !isOwnKey(taken, id))) {
                return taken;
            }
            audit("replace", queue, job, "replaced by " + replacement.id());
            discard(job);
            tx.sql
                    .get("replaced-add")
                    .set("queue", queue.id)
                    .set("id", job.id)
                    .set("successor", replacement.id().value())
                    .set("now", tx.now)
                    .later();
            return takePlace(queue, id, replacement);
        });
    }

    /** Whether it is the replaced job itself that holds the key of its successor. */
    private static boolean isOwnKey(Verdict taken, JobId id) {
        return (taken instanceof Verdict.Duplicate duplicate
                        && duplicate.holder().equals(id))
                || (taken instanceof Verdict.Conflict conflict
                        && conflict.holder().equals(id));
    }

    private Verdict takePlace(QueueRow queue, JobId id, NewJob replacement) throws SQLException {
        accepting.accept(queue, List.of(replacement));
        var successor = tx.toChange(queue.id, replacement.id().value());
        if (successor == null) {
            throw new SQLException("job " + replacement.id() + " was accepted, but is not there");
        }
        moves.count(successor, Event.REPLAYED);
        moves.note(successor, null, Kind.REPLACED, by, "takes the place of " + id, null);
        return saved(successor);
    }

    public Verdict discard(@Nullable String name, JobId id, @Nullable Long onlyIfFinishedBy) throws SQLException {
        return act(name, id, (queue, job) -> {
            if (!job.isFinal() || isFinishedAfter(job, onlyIfFinishedBy)) {
                return Verdicts.wrongState(job);
            }
            var reason = job.reason == null ? "" : " " + job.reason;
            audit("discard", queue, job, "type " + job.type + ", was " + Moves.state(job) + reason);
            discard(job);
            return Verdict.APPLIED;
        });
    }

    private void discard(JobRow job) throws SQLException {
        keys.free(job);
        moves.remove(job, Event.DISCARDED);
    }

    private interface Action {
        Verdict on(QueueRow queue, JobRow job) throws SQLException;
    }

    /** Does something to a job, if it is there and can be read by this version. */
    private Verdict act(@Nullable String name, JobId id, Action action) throws SQLException {
        for (var queue : tx.knownQueues(name)) {
            var job = tx.toChange(queue.id, id.value());
            if (job != null) {
                var corrupt = moves.isCorrupt(job, Holder.of(tx, job));
                if (corrupt) {
                    moves.save(job);
                }
                return job.format > Job.FORMAT && !corrupt ? Verdicts.wrongState(job) : action.on(queue, job);
            }
        }
        return replacement(name, id);
    }

    private Verdict replacement(@Nullable String name, JobId id) throws SQLException {
        for (var queue : tx.knownQueues(name)) {
            var successor = tx.sql
                    .get("replaced-find")
                    .set("queue", queue.id)
                    .set("id", id.value())
                    .first(row -> row.getBytes(1));
            if (successor != null) {
                return new Verdict.Replaced(new JobId(Rows.uuid(successor)));
            }
        }
        return Verdict.MISSING;
    }

    private Verdict saved(JobRow job) throws SQLException {
        moves.save(job);
        return Verdicts.applied(job);
    }

    private void audit(String action, QueueRow queue, JobRow job, @Nullable String detail) throws SQLException {
        Audit.write(tx, action, queue.name, job.id, by, detail);
    }

    private static boolean canReplay(JobRow job) {
        return job.isDead() || job.isCancelled();
    }

    private static boolean isFinishedAfter(JobRow job, @Nullable Long limit) {
        return limit != null && Objects.requireNonNullElse(job.finishedAt(), Long.MAX_VALUE) > limit;
    }

    private String describe(JobEdit edit) {
        var text = new StringBuilder();
        if (edit.priority() != null) {
            text.append(", priority = ").append(edit.priority());
        }
        if (edit.runAt() != null) {
            text.append(", runAt = ").append(Instant.ofEpochMilli(edit.runAt().resolve(tx.now)));
        }
        if (edit.tags() != null) {
            text.append(", tags = ").append(edit.tags());
        }
        return text.substring(2);
    }

    /** Makes dead letters of records that a reading found unreadable. */
    public static int bury(Tx tx, List<Long> seqs) throws SQLException {
        var moves = new Moves(tx);
        var buried = 0;
        for (var seq : seqs) {
            var job = tx.toChange(seq);
            if (job != null
                    && !DeadReason.CORRUPT.name().equals(job.reason)
                    && moves.isCorrupt(job, Holder.of(tx, job))) {
                moves.save(job);
                buried++;
            }
        }
        return buried;
    }
}
