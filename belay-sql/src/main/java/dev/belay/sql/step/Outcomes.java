package dev.belay.sql.step;

import dev.belay.broker.Event;
import dev.belay.broker.Settlement;
import dev.belay.broker.Verdict;
import dev.belay.jdbc.Rows;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.HistoryEntry.Kind;
import dev.belay.job.JobError;
import dev.belay.job.NewJob;
import dev.belay.job.Outcome;
import dev.belay.sql.row.JobRow;
import java.sql.SQLException;
import java.util.List;

/** What each outcome does to a job whose lease is held. */
final class Outcomes {

    private final Tx tx;
    private final QueueRow queue;
    private final Moves moves;

    Outcomes(Tx tx, QueueRow queue) {
        this.tx = tx;
        this.queue = queue;
        this.moves = new Moves(tx);
    }

    Verdict apply(JobRow job, Holder holder, Settlement settlement) throws SQLException {
        var outcome = settlement.outcome();
        job.lastToken = job.token;
        job.lastSession = Rows.bytes(holder.id().value());
        job.lastOutcome = outcome.name();
        if (settlement.progress() != null) {
            job.progress = settlement.progress();
        }
        if (moves.isCorrupt(job, holder)) {
            return saved(job);
        }
        // No pattern-matching switch in Java 17; the last branch is reached only where Outcome gets a new kind.
        if (outcome instanceof Outcome.Complete complete) {
            return complete(job, holder, complete);
        } else if (outcome instanceof Outcome.Retry retry) {
            retry(job, holder, retry);
        } else if (outcome instanceof Outcome.Bury bury) {
            bury(job, holder, bury);
        } else if (outcome instanceof Outcome.Release release) {
            release(job, holder, release);
        } else if (outcome instanceof Outcome.Snooze snooze) {
            snooze(job, holder, snooze);
        } else {
            throw new IllegalStateException("no rule for the outcome " + outcome);
        }
        return saved(job);
    }

    private Verdict saved(JobRow job) throws SQLException {
        moves.save(job);
        return Verdicts.applied(job);
    }

    private Verdict complete(JobRow job, Holder holder, Outcome.Complete complete) throws SQLException {
        moves.succeed(job);
        var own = job.retention;
        var kept = own == null ? !queue.settings.keepFinished().isZero() : own > 0;
        if (kept) {
            moves.save(job);
            if (complete.result() != null) {
                tx.sql
                        .get("more-result")
                        .set("job", job.seq)
                        .set("queue", job.queue)
                        .set("result", complete.result())
                        .later();
                tx.sql.get("more-note").set("seq", job.seq).later();
            }
        } else {
            moves.remove(job, Event.PRUNED);
        }
        for (var followUp : complete.followUps()) {
            accept(job, holder, followUp);
        }
        return kept ? Verdicts.applied(job) : Verdict.APPLIED;
    }

    private void accept(JobRow job, Holder holder, NewJob followUp) throws SQLException {
        var verdict = new Accepting(tx)
                .accept(tx.queue(followUp.queue()), List.of(followUp))
                .get(0);
        if (verdict instanceof Verdict.Conflict conflict) {
            Audit.write(
                    tx,
                    "follow-up-conflict",
                    queue.name,
                    job.id,
                    By.of(holder.worker()),
                    "follow-up " + followUp.id() + " for queue '" + followUp.queue() + "' was dropped: "
                            + conflict.detail());
        }
    }

    private void retry(JobRow job, Holder holder, Outcome.Retry retry) throws SQLException {
        moves.note(job, holder, Kind.FAILED, null, "wait " + retry.delay(), retry.error());
        moves.count(job, Event.FAILED);
        job.failures++;
        job.stepsTaken += retry.explicitWait() ? 0 : 1;
        failed(job, retry.error());
        job.unknownSince = null;
        if (job.failures >= job.maxAttempts) {
            moves.bury(job, holder, DeadReason.ATTEMPTS_EXHAUSTED);
        } else if (job.isExpired(tx.now)) {
            moves.bury(job, holder, DeadReason.EXPIRED);
        } else {
            moves.after(queue, job, retry.delay());
        }
    }

    private void bury(JobRow job, Holder holder, Outcome.Bury bury) throws SQLException {
        var error = bury.error();
        if (error == null) {
            moves.count(job, Event.BURIED);
        } else {
            moves.note(job, holder, Kind.FAILED, null, null, error);
            moves.count(job, Event.FAILED);
            job.failures++;
            failed(job, error);
        }
        moves.bury(job, holder, bury.reason());
    }

    private void release(JobRow job, Holder holder, Outcome.Release release) throws SQLException {
        if (job.isAtMostOnce()) {
            moves.buryAsLost(queue, job, holder);
            return;
        }
        if (release.running()) {
            moves.note(job, holder, Kind.INTERRUPTED, null, null, null);
        }
        moves.giveBack(queue, job);
    }

    private void snooze(JobRow job, Holder holder, Outcome.Snooze snooze) throws SQLException {
        if (!snooze.unknownType()) {
            job.unknownSince = null;
        } else if (job.unknownSince == null) {
            job.unknownSince = tx.now;
        }
        var over = snooze.unknownType() && new UnknownTypes(tx).isOver(job);
        if (job.isExpired(tx.now)) {
            moves.count(job, Event.BURIED);
            moves.bury(job, holder, DeadReason.EXPIRED);
        } else if (over) {
            moves.count(job, Event.BURIED);
            moves.bury(job, holder, DeadReason.UNKNOWN_TYPE);
        } else {
            moves.count(job, Event.SNOOZED);
            job.snoozes++;
            moves.after(queue, job, snooze.delay());
        }
    }

    private static void failed(JobRow job, JobError error) {
        job.errorClass = error.errorClass();
        job.errorFingerprint = error.fingerprint();
        job.errorMessage = error.message();
        job.errorStack = error.stack();
    }
}
