package dev.belay.sql.step;

import dev.belay.broker.Event;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.ReapReply;
import dev.belay.broker.ReapReply.Reclaimed;
import dev.belay.job.Backoff;
import dev.belay.job.HistoryEntry.Kind;
import dev.belay.sql.row.JobRecords;
import dev.belay.sql.row.JobRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Ends the sessions of dead workers, by looks, and takes their jobs back. */
public final class Reap {

    /** As many jobs are taken back in one pass. */
    private static final int BATCH = 500;

    private final Tx tx;
    private final Moves moves;
    private final List<Reclaimed> reclaimed = new ArrayList<>();
    private int marked;
    private int ended;
    private boolean more;

    private Reap(Tx tx) {
        this.tx = tx;
        this.moves = new Moves(tx);
    }

    /** @param connectedAt since when the caller's connection has stood, by the broker's clock */
    public static ReapReply run(Tx tx, long connectedAt) throws SQLException {
        return new Reap(tx).pass(connectedAt);
    }

    private ReapReply pass(long connectedAt) throws SQLException {
        if (!tx.isAlone("reap")) {
            return new ReapReply(false, 0, 0, List.of(), false);
        }
        var stored = tx.namespace.read(tx.sql);
        var settings = stored.settings();
        var last = stored.lastReapAt();
        var looked = !Promotion.isTooSoon(last, settings.reapInterval(), tx.now);
        if (looked) {
            tx.sql
                    .get("namespace-looked")
                    .set("namespace", tx.namespace.id())
                    .set("now", tx.now)
                    .later();
            // A last look in the future says as little as one long ago: the clock was set back.
            var late = last == null
                    || last > tx.now
                    || tx.now - last > 2 * settings.reapInterval().toMillis();
            var young = tx.now - connectedAt < settings.reapGrace().toMillis();
            look(settings, late, young);
            // Of what was long before a late look, nothing is known: perhaps nobody served.
            var most = 2 * settings.reapInterval().toMillis();
            new UnknownTypes(tx).elapse(last == null ? 0 : Math.min(most, Math.max(0, tx.now - last)));
        }
        takeBack();
        return new ReapReply(looked, marked, ended, List.copyOf(reclaimed), more);
    }

    private void look(NamespaceSettings settings, boolean late, boolean young) throws SQLException {
        for (var found : tx.sessionsToChange()) {
            var session = tx.seen(found);
            if (!session.live) {
                continue;
            }
            // Longer than a heartbeat gives: the clock was set back since.
            var cut = Math.min(session.deadline, tx.now + session.leaseDuration);
            var past = cut <= tx.now;
            var markedAt = session.markedAt;
            if (past && (markedAt == null || late)) {
                mark(session, cut, tx.now);
                marked++;
            } else if (past
                    && !young
                    && markedAt != null
                    && markedAt + settings.reapGrace().toMillis() <= tx.now) {
                end(session);
            } else if (cut != session.deadline) {
                mark(session, cut, markedAt);
            }
        }
    }

    private void mark(SessionRow session, long deadline, @org.jspecify.annotations.Nullable Long markedAt)
            throws SQLException {
        session.deadline = deadline;
        session.markedAt = markedAt;
        tx.sql
                .get("session-mark")
                .set("session", session.no)
                .set("deadline", deadline)
                .set("markedAt", markedAt)
                .later();
    }

    private void end(SessionRow session) throws SQLException {
        session.live = false;
        ended++;
        tx.sql
                .get("session-stage")
                .set("session", session.no)
                .set("stage", SessionRow.ENDED)
                .later();
    }

    private void takeBack() throws SQLException {
        for (var session : tx.sessionsToChange()) {
            if (session.live) {
                continue;
            }
            var left = BATCH - reclaimed.size();
            var jobs = left > 0 ? tx.held(session.queue, session.no, left) : List.<JobRow>of();
            for (var job : jobs) {
                takeBack(tx.queue(session.queueName), job, Holder.of(session));
            }
            if (jobs.size() < left && isEmpty(session)) {
                Sessions.gone(tx, session.no);
                tx.gone(session.id);
            } else {
                more = true;
            }
        }
    }

    /** What somebody else is about to settle is still there. */
    private boolean isEmpty(SessionRow session) throws SQLException {
        return tx.sql
                        .get("flight-count")
                        .set("queue", session.queue)
                        .set("session", session.no)
                        .number(0)
                == 0;
    }

    private void takeBack(QueueRow queue, JobRow job, Holder holder) throws SQLException {
        var begun = job.begunAt != null;
        var counted = false;
        if (!moves.isCorrupt(job, holder)) {
            if (!job.hasOneCrashLeft()) {
                counted = true;
                moves.countCrash(job, holder);
                job.stepsTaken++;
                backOff(job);
            } else if (begun) {
                counted = true;
                moves.buryAsLost(queue, job, holder);
            } else {
                moves.note(job, holder, Kind.RETURNED, null, null, null);
                moves.count(job, Event.RETURNED);
                backOff(job);
            }
        }
        moves.save(job);
        reclaimed.add(new Reclaimed(
                JobRecords.salvage(job, queue.name, null).id(),
                queue.name,
                job.type,
                job.token,
                counted,
                Moves.state(job),
                Verdicts.deadReason(job)));
    }

    private void backOff(JobRow job) {
        var delay = backoff(job).delay(Math.max(1, job.stepsTaken), tx.random());
        moves.schedule(job, tx.now + delay.toMillis());
    }

    private static Backoff backoff(JobRow job) {
        try {
            return JobRecords.backoff(job);
        } catch (IllegalArgumentException e) {
            // Only of a record of a newer version: one that this version can read was found corrupt before.
            return Backoff.DEFAULT;
        }
    }
}
