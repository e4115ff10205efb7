package dev.belay.sql.step;

import dev.belay.broker.Beat;
import dev.belay.broker.BeatReply;
import dev.belay.broker.Broker.Death;
import dev.belay.broker.ReconcileReply;
import dev.belay.broker.Registration;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.Verdict;
import dev.belay.jdbc.Rows;
import dev.belay.job.DeadReason;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.LeaseId;
import dev.belay.job.Limits;
import dev.belay.job.SessionId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What a worker does with its sessions, and the session with its leases. */
public final class Sessions {

    /** What a session holds at most: all of it is read. */
    private static final int ALL = Integer.MAX_VALUE;

    private Sessions() {}

    public static Registration register(Tx tx, SessionSpec spec) throws SQLException {
        var queue = tx.queue(spec.queue());
        var added = tx.sql
                .get("session-add")
                .set("id", spec.id().value())
                .set("queue", queue.id)
                .set("worker", spec.worker())
                .set("version", spec.version())
                .set("slots", spec.slots())
                .set("leaseDuration", spec.leaseDuration().toMillis())
                .set("now", tx.now)
                .set("deadline", tx.now + spec.leaseDuration().toMillis())
                .returning(row -> row.getLong(1));
        if (added.isEmpty()) {
            throw new InvalidInputException(
                    "session", "must be a fresh id for every try to register, but " + spec.id() + " was used before");
        }
        var type = tx.sql.get("session-type-add").set("session", added.get(0).longValue());
        for (var entry : spec.types().entrySet()) {
            type.set("type", entry.getKey())
                    .set("schemaVersion", entry.getValue())
                    .add();
        }
        type.batchLater();
        new UnknownTypes(tx).nowKnown(queue, spec);
        return new Registration(tx.settings(), queue.settings, queue.paused, tx.now);
    }

    /** @param quiet whether this program must not lease any more */
    public static List<BeatReply> heartbeat(Tx tx, List<Beat> beats, boolean quiet) throws SQLException {
        for (var beat : beats) {
            for (var progress : beat.progress().values()) {
                Limits.bytes("progress", Limits.utf8Length(progress), Limits.PROGRESS_BYTES);
            }
        }
        var replies = new ArrayList<BeatReply>();
        for (var beat : beats) {
            replies.add(heartbeat(tx, beat, quiet));
        }
        return List.copyOf(replies);
    }

    private static BeatReply heartbeat(Tx tx, Beat beat, boolean quiet) throws SQLException {
        var session = tx.liveSession(beat.session());
        if (session == null) {
            return BeatReply.ENDED;
        }
        session.deadline = tx.now + session.leaseDuration;
        session.markedAt = null;
        tx.sql
                .get("session-extend")
                .set("session", session.no)
                .set("deadline", session.deadline)
                .later();
        if (beat.lastCommand() > 0) {
            tx.sql
                    .get("command-drop")
                    .set("session", session.no)
                    .set("seen", beat.lastCommand())
                    .later();
        }
        progress(tx, session, beat);
        var live = tx.sql.get("session-live-count").set("queue", session.queue).number(0);
        return new BeatReply(
                false, Commands.list(tx, session.no), tx.queue(session.queueName).paused, quiet, (int) live);
    }

    private static void progress(Tx tx, SessionRow session, Beat beat) throws SQLException {
        if (beat.progress().isEmpty()) {
            return;
        }
        for (var entry : beat.progress().entrySet()) {
            var lease = entry.getKey();
            if (lease.session().equals(session.id) && lease.queue().equals(session.queueName)) {
                var job = tx.sql
                        .get("flight-find")
                        .set("queue", session.queue)
                        .set("id", lease.job().value())
                        .set("session", session.no)
                        .set("token", lease.token())
                        .number(0);
                if (job != 0) {
                    progress(tx, session.queue, job, entry.getValue());
                }
            }
        }
    }

    private static void progress(Tx tx, long queue, long job, String progress) throws SQLException {
        tx.sql
                .get("more-progress")
                .set("job", job)
                .set("queue", queue)
                .set("progress", progress)
                .later();
        tx.sql.get("more-note").set("seq", job).later();
    }

    public static List<Death> endSessions(Tx tx, List<SessionId> ids) throws SQLException {
        var deaths = new ArrayList<Death>();
        for (var id : ids) {
            var session = tx.sessionToChange(id);
            if (session != null) {
                end(tx, session, deaths);
            }
        }
        return List.copyOf(deaths);
    }

    private static void end(Tx tx, SessionRow session, List<Death> deaths) throws SQLException {
        var moves = new Moves(tx);
        var queue = tx.queue(session.queueName);
        var holder = Holder.of(session);
        for (var job : tx.held(session.queue, session.no, ALL)) {
            if (moves.isCorrupt(job, holder)) {
                deaths.add(Moves.death(queue, job, DeadReason.CORRUPT));
            } else if (job.isAtMostOnce()) {
                deaths.add(moves.buryAsLost(queue, job, holder));
            } else {
                moves.giveBack(queue, job);
            }
            moves.save(job);
        }
        gone(tx, session.no);
        tx.gone(session.id);
    }

    /** Forgets all of a session but its id: in the step that finds it empty. */
    static void gone(Tx tx, long session) throws SQLException {
        tx.sql
                .get("session-stage")
                .set("session", session)
                .set("stage", SessionRow.GONE)
                .later();
        tx.sql.get("session-clear-types").set("session", session).later();
        tx.sql.get("session-clear-commands").set("session", session).later();
    }

    public static Verdict begin(Tx tx, LeaseId lease) throws SQLException {
        var session = tx.liveSession(lease.session());
        if (session == null) {
            return Verdict.ENDED;
        }
        var job = tx.toChange(session.queue, lease.job().value());
        var held = job != null && job.isRunning() && job.at == session.no && job.token == lease.token();
        if (job == null || !held || !lease.queue().equals(session.queueName)) {
            return Verdict.STALE;
        }
        if (session.markedAt != null || session.isPastDeadline(tx.now) || (job.isSuspect() && holdsMore(tx, session))) {
            return Verdict.BUSY;
        }
        tx.sql.get("flight-begin").set("job", job.seq).set("now", tx.now).later();
        return Verdict.APPLIED;
    }

    private static boolean holdsMore(Tx tx, SessionRow session) throws SQLException {
        return tx.sql
                        .get("flight-count")
                        .set("queue", session.queue)
                        .set("session", session.no)
                        .number(0)
                > 1;
    }

    public static ReconcileReply reconcile(Tx tx, SessionId id, long number) throws SQLException {
        var session = tx.liveSession(id);
        if (session == null) {
            return new ReconcileReply(number, true, List.of());
        }
        session.fence = Math.max(session.fence, number);
        tx.sql
                .get("session-fence")
                .set("session", session.no)
                .set("number", number)
                .later();
        var held = tx.sql
                .get("flight-ids")
                .set("queue", session.queue)
                .set("session", session.no)
                .list(row -> new LeaseId(
                        session.queueName, new JobId(Rows.uuid(row.getBytes(1))), row.getLong(2), session.id));
        return new ReconcileReply(number, false, held);
    }
}
