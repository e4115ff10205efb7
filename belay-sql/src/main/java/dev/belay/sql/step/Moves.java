package dev.belay.sql.step;

import dev.belay.broker.Broker.Death;
import dev.belay.broker.Event;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.HistoryEntry.Kind;
import dev.belay.job.Job;
import dev.belay.job.JobError;
import dev.belay.job.JobState;
import dev.belay.job.Moment;
import dev.belay.sql.row.CorruptRecordException;
import dev.belay.sql.row.JobRecords;
import dev.belay.sql.row.JobRow;
import dev.belay.sql.row.Lines;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The moves that bring a job from one state to another, shared by the steps. A move changes the row in memory and counts
 * what it does; the step writes the row with {@link #save} when all is done.
 */
final class Moves {

    private final Tx tx;
    private final History history;
    private final Keys keys;
    private final DeadGroups deadGroups;

    Moves(Tx tx) {
        this.tx = tx;
        this.history = new History(tx);
        this.keys = new Keys(tx);
        this.deadGroups = new DeadGroups(tx);
    }

    /** Writes the row, what only some jobs have, and the place: where it stands now, unless it is in flight. */
    void save(JobRow job) throws SQLException {
        if (!job.isRunning()) {
            if (job.flying || job.line != job.placeLine || job.at != job.placeAt) {
                leavePlace(job);
                place("place-add", job.queue, job.line, job.at, job.seq);
                tx.stands(job.queue, job.at);
            }
            job.flying = false;
            job.placeLine = job.line;
            job.placeAt = job.at;
        }
        job.more |= job.hasMore();
        job.bind(tx.sql.get("job-save")).later();
        if (job.more) {
            job.bindMore(tx.sql.get("more-save")).later();
        }
    }

    private void leavePlace(JobRow job) throws SQLException {
        tx.placeAccepted();
        if (job.flying) {
            tx.sql.get("flight-remove").set("job", job.seq).later();
        } else {
            place("place-remove", job.queue, job.placeLine, job.placeAt, job.seq);
        }
    }

    private void place(String statement, long queue, int line, long at, long job) throws SQLException {
        tx.sql
                .get(statement)
                .set("queue", queue)
                .set("line", line)
                .set("at", at)
                .set("job", job)
                .later();
    }

    /** Into line, at the place that it has by {@code readyAt}. */
    void ready(QueueRow queue, JobRow job, long readyAt) {
        detach(job);
        job.readyAt = readyAt;
        stand(job, job.readyLine(), readyAt);
        tx.ready(queue);
    }

    void schedule(JobRow job, long runAt) {
        detach(job);
        job.runAt = runAt;
        job.readyAt = null;
        stand(job, job.unknownSince == null ? Lines.SCHEDULED : Lines.UNKNOWN, runAt);
    }

    /** Scheduled after a wait, or ready where there is none. */
    void after(QueueRow queue, JobRow job, Duration delay) {
        var runAt = new Moment.After(delay).resolve(tx.now);
        if (runAt > tx.now) {
            schedule(job, runAt);
        } else {
            job.runAt = tx.now;
            ready(queue, job, tx.now);
        }
    }

    /** Ready again at no cost, at its old place in line. */
    void giveBack(QueueRow queue, JobRow job) {
        count(job, Event.RELEASED);
        job.releases++;
        var readyAt = job.readyAt;
        ready(queue, job, readyAt == null ? job.runAt : readyAt);
    }

    void succeed(JobRow job) {
        count(job, Event.SUCCEEDED);
        job.unknownSince = null;
        finish(job, Lines.SUCCEEDED, null);
    }

    void cancel(JobRow job, @Nullable Holder holder, By by) throws SQLException {
        note(job, holder, Kind.CANCELLED, by, null, null);
        count(job, job.isRunning() ? Event.CANCELLED_RUNNING : Event.CANCELLED_WAITING);
        revoke(job, holder);
        finish(job, Lines.CANCELLED, by.why() == null ? by.who() : by.why());
        keys.free(job);
    }

    /** Into the dead letters. The caller has counted how the delivery ended, if there was one. */
    void bury(JobRow job, @Nullable Holder holder, DeadReason reason) throws SQLException {
        var expired = reason == DeadReason.EXPIRED && job.isWaiting();
        note(job, holder, expired ? Kind.EXPIRED : Kind.BURIED, null, reason.name(), null);
        count(job, Event.DEAD);
        finish(job, Lines.DEAD, reason.name());
        deadGroups.enter(job);
    }

    /** A waiting job that may not be started any more. */
    Death expire(QueueRow queue, JobRow job) throws SQLException {
        count(job, Event.EXPIRED);
        bury(job, null, DeadReason.EXPIRED);
        return death(queue, job, DeadReason.EXPIRED);
    }

    void countCrash(JobRow job, Holder holder) throws SQLException {
        note(job, holder, Kind.CRASHED, null, null, null);
        count(job, Event.CRASHED);
        job.crashes++;
    }

    /** A begun job whose last crash this was. */
    Death buryAsLost(QueueRow queue, JobRow job, Holder holder) throws SQLException {
        countCrash(job, holder);
        bury(job, holder, DeadReason.WORKER_LOST);
        return death(queue, job, DeadReason.WORKER_LOST);
    }

    /** Whether the record can't be read; if so, the job is a dead letter from now on. The caller saves it then. */
    boolean isCorrupt(JobRow job, @Nullable Holder holder) throws SQLException {
        // A record of a newer version may say things that this version can't read: it is left alone.
        if (job.format > Job.FORMAT || !JobRecords.isCorrupt(job)) {
            return false;
        }
        if (job.isDead()) {
            job.reason = DeadReason.CORRUPT.name();
        } else {
            if (job.isRunning()) {
                count(job, Event.BURIED);
                revoke(job, holder);
            }
            bury(job, holder, DeadReason.CORRUPT);
        }
        return true;
    }

    /** Removes a job with all that belongs to it. Its key is left to the window, unless it was freed before. */
    void remove(JobRow job, Event why) throws SQLException {
        count(job, why);
        keys.orphan(job);
        discardRow(job);
    }

    private void discardRow(JobRow job) throws SQLException {
        if (job.isDead()) {
            deadGroups.leave(job);
        }
        countState(job, -1);
        leavePlace(job);
        tx.sql.get("job-delete").set("seq", job.seq).later();
        tx.sql.get("payload-delete").set("job", job.seq).later();
        if (job.more) {
            tx.sql.get("more-delete").set("job", job.seq).later();
        }
        if (job.historyCount > 0) {
            tx.sql.get("history-delete").set("job", job.seq).later();
        }
    }

    void count(JobRow job, Event event) {
        tx.tally.event(job.queue, job.type, event, 1);
    }

    void note(
            JobRow job,
            @Nullable Holder holder,
            Kind kind,
            @Nullable By by,
            @Nullable String detail,
            @Nullable JobError error)
            throws SQLException {
        history.add(job, holder, kind, by, detail, error);
    }

    /** Leaves the dead letters for another state: the group's count and the queue's bytes follow. */
    void leaveDead(JobRow job) throws SQLException {
        deadGroups.leave(job);
    }

    /** Changes the line of a job, and the counts of states with it. */
    void stand(JobRow job, int line, long at) {
        countState(job, -1);
        job.line = line;
        job.at = at;
        countState(job, 1);
    }

    static Death death(QueueRow queue, JobRow job, DeadReason reason) {
        return new Death(JobRecords.salvage(job, queue.name, null).id(), queue.name, job.type, reason);
    }

    private void finish(JobRow job, int line, @Nullable String reason) {
        detach(job);
        job.reason = reason;
        var own = line == Lines.DEAD ? null : job.retention;
        job.timer = own == null ? null : (Long) (tx.now + own);
        stand(job, own == null ? line : line + (Lines.SUCCEEDED_OWN - Lines.SUCCEEDED), tx.now);
    }

    private void countState(JobRow job, long n) {
        try {
            tx.tally.jobs(job.queue, Lines.state(job.line), n);
        } catch (CorruptRecordException e) {
            // A line that does not exist was never counted.
            return;
        }
    }

    private void revoke(JobRow job, @Nullable Holder holder) throws SQLException {
        if (holder != null && job.isRunning()) {
            Commands.leave(tx, holder.no(), "LEASE_REVOKED", job.id, job.token);
        }
    }

    private static void detach(JobRow job) {
        job.leasedAt = null;
        job.begunAt = null;
    }

    static JobState state(JobRow job) {
        try {
            return Lines.state(job.line);
        } catch (CorruptRecordException e) {
            return JobState.DEAD;
        }
    }
}
