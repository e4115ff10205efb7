package dev.belay.memory;

import dev.belay.broker.Event;
import dev.belay.broker.Settlement;
import dev.belay.broker.Verdict;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.HistoryEntry.Kind;
import dev.belay.job.InvalidInputException;
import dev.belay.job.LastSettled;
import dev.belay.job.LeaseId;
import dev.belay.job.NewJob;
import dev.belay.job.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Ends leases with an outcome. */
final class Settling {

    private final Store store;
    private final Moves moves;
    private final Enqueuing enqueuing;

    Settling(Store store, Moves moves, Enqueuing enqueuing) {
        this.store = store;
        this.moves = moves;
        this.enqueuing = enqueuing;
    }

    List<Verdict> settle(String queue, List<Settlement> settlements) {
        settlements.forEach(settlement -> check(queue, settlement));
        var now = store.now();
        return settlements.stream().map(settlement -> settle(settlement, now)).toList();
    }

    private void check(String queue, Settlement settlement) {
        if (!settlement.lease().queue().equals(queue)) {
            throw new InvalidInputException(
                    "queue", "a settlement of " + settlement.lease() + " is in a call for '" + queue + "'");
        }
        if (settlement.outcome() instanceof Outcome.Complete complete) {
            complete.followUps().forEach(store::checkPayload);
        }
    }

    private Verdict settle(Settlement settlement, long now) {
        var lease = settlement.lease();
        var session = store.sessions.get(lease.session());
        var job = session == null ? null : session.holds(lease);
        if (session == null || job == null) {
            return settledBefore(lease);
        }
        var outcome = settlement.outcome();
        job.lastSettled = new LastSettled(lease.token(), lease.session(), outcome.name());
        if (settlement.progress() != null) {
            job.progress = settlement.progress();
        }
        if (!moves.isCorrupt(job, now)) {
            apply(job, session, outcome, now);
        }
        return store.job(job.queue(), job.id()) == job ? applied(job) : Verdict.APPLIED;
    }

    /** The answer to a settle that is sent again; {@code Stale} where it is not, or where the record was not kept. */
    private Verdict settledBefore(LeaseId lease) {
        var job = store.job(lease.queue(), lease.job());
        var last = job == null ? null : job.lastSettled;
        return job != null
                        && last != null
                        && last.token() == lease.token()
                        && last.session().equals(lease.session())
                ? applied(job)
                : Verdict.STALE;
    }

    private static Verdict applied(StoredJob job) {
        return new Verdict.Applied(
                job.state, job.isDead() ? DeadReason.valueOf(Objects.requireNonNull(job.reason)) : null);
    }

    private void apply(StoredJob job, SessionState session, Outcome outcome, long now) {
        // No pattern-matching switch in Java 17; the last branch is reached only where Outcome gets a new kind.
        if (outcome instanceof Outcome.Complete complete) {
            complete(job, session, complete, now);
        } else if (outcome instanceof Outcome.Retry retry) {
            retry(job, retry, now);
        } else if (outcome instanceof Outcome.Bury bury) {
            bury(job, bury, now);
        } else if (outcome instanceof Outcome.Release release) {
            release(job, release, now);
        } else if (outcome instanceof Outcome.Snooze snooze) {
            snooze(job, snooze, now);
        } else {
            throw new IllegalStateException("no rule for the outcome " + outcome);
        }
    }

    private void complete(StoredJob job, SessionState session, Outcome.Complete complete, long now) {
        moves.succeed(job, complete.result(), now);
        if (keep(job).isZero()) {
            moves.remove(job, Event.PRUNED, now);
        }
        for (var followUp : complete.followUps()) {
            if (enqueuing.accept(followUp, now) instanceof Verdict.Conflict conflict) {
                noteConflict(job, session, followUp, conflict, now);
            }
        }
    }

    private Duration keep(StoredJob job) {
        var own = job.options.retention();
        return own == null ? store.queueOf(job).settings.keepFinished() : own;
    }

    private void noteConflict(
            StoredJob job, SessionState session, NewJob followUp, Verdict.Conflict conflict, long now) {
        store.audit.add(
                now,
                "follow-up-conflict",
                job.queue(),
                job.id(),
                By.of(session.spec.worker()),
                "follow-up " + followUp.id() + " for queue '" + followUp.queue() + "' was dropped: "
                        + conflict.detail());
    }

    private void retry(StoredJob job, Outcome.Retry retry, long now) {
        moves.note(job, Kind.FAILED, null, "wait " + retry.delay(), retry.error(), now);
        moves.count(job, Event.FAILED, now);
        moves.change(job, () -> {
            job.failures++;
            job.stepsTaken += retry.explicitWait() ? 0 : 1;
            job.lastError = retry.error();
            job.unknownSince = null;
        });
        if (job.failures >= job.options.maxAttempts()) {
            moves.bury(job, DeadReason.ATTEMPTS_EXHAUSTED, now);
        } else if (job.isExpired(now)) {
            moves.bury(job, DeadReason.EXPIRED, now);
        } else {
            moves.after(job, retry.delay(), now);
        }
    }

    private void bury(StoredJob job, Outcome.Bury bury, long now) {
        if (bury.error() == null) {
            moves.count(job, Event.BURIED, now);
        } else {
            moves.note(job, Kind.FAILED, null, null, bury.error(), now);
            moves.count(job, Event.FAILED, now);
            moves.change(job, () -> {
                job.failures++;
                job.lastError = bury.error();
            });
        }
        moves.bury(job, bury.reason(), now);
    }

    private void release(StoredJob job, Outcome.Release release, long now) {
        if (isAtMostOnce(job)) {
            moves.buryAsLost(job, now);
            return;
        }
        if (release.running()) {
            moves.note(job, Kind.INTERRUPTED, null, null, null, now);
        }
        giveBack(job, now);
    }

    /** Ready again at no cost, at its old place in line. */
    void giveBack(StoredJob job, long now) {
        moves.count(job, Event.RELEASED, now);
        moves.change(job, () -> job.releases++);
        moves.ready(job, Objects.requireNonNull(job.readyAt));
    }

    /** Whether the job must not be run again: begun, and only one crash ever allowed. */
    static boolean isAtMostOnce(StoredJob job) {
        return job.begunAt != null && job.options.maxCrashes() == 1;
    }

    private void snooze(StoredJob job, Outcome.Snooze snooze, long now) {
        moves.change(job, () -> {
            if (!snooze.unknownType()) {
                job.unknownSince = null;
            } else if (job.unknownSince == null) {
                job.unknownSince = now;
            }
        });
        var limit = store.settings.unknownTypeLimit().toMillis();
        if (job.isExpired(now)) {
            moves.count(job, Event.BURIED, now);
            moves.bury(job, DeadReason.EXPIRED, now);
        } else if (snooze.unknownType() && store.queueOf(job).unknown.unknownFor(job.typeVersion()) >= limit) {
            moves.count(job, Event.BURIED, now);
            moves.bury(job, DeadReason.UNKNOWN_TYPE, now);
        } else {
            moves.count(job, Event.SNOOZED, now);
            moves.change(job, () -> job.snoozes++);
            moves.after(job, snooze.delay(), now);
        }
    }
}
