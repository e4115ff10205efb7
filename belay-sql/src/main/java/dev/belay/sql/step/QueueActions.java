package dev.belay.sql.step;

import dev.belay.broker.Command;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.QueueSettings;
import dev.belay.broker.Verdict;
import dev.belay.job.By;
import dev.belay.job.SessionId;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a person, or a tool for them, does to queues, sessions and the namespace. */
public final class QueueActions {

    /** What the removal of a queue takes with it. Tokens, keys and calls stay: nothing may come twice. */
    private static final List<String> REMOVED = List.of(
            "queue-clear-dead-groups",
            "queue-clear-replaced",
            "queue-clear-unknown",
            "queue-clear-events",
            "queue-clear-times",
            "queue-clear-counted-types");

    private QueueActions() {}

    public static void setPaused(Tx tx, String name, boolean paused, By by) throws SQLException {
        var queue = tx.queue(name);
        tx.lockForPause(queue);
        queue.paused = paused;
        tx.sql
                .get("queue-pause")
                .set("queue", queue.id)
                .set("paused", paused ? 1L : 0L)
                .later();
        audit(tx, paused ? "pause" : "resume", name, by, null);
        if (!paused) {
            tx.resumed(queue);
        }
    }

    public static void configure(Tx tx, String name, QueueSettings settings, By by) throws SQLException {
        var queue = tx.queue(name);
        audit(tx, "configure", name, by, queue.settings + " became " + settings);
        queue.settings = settings;
        var keepDead = settings.keepDead();
        tx.sql
                .get("queue-configure")
                .set("queue", queue.id)
                .set("keepFinished", settings.keepFinished().toMillis())
                .set("keepFinishedCount", settings.keepFinishedCount())
                .set("keepDead", keepDead == null ? null : (Long) keepDead.toMillis())
                .set("keepDeadCount", settings.keepDeadCount())
                .set("keepDeadBytes", settings.keepDeadBytes())
                .later();
    }

    public static void configure(Tx tx, NamespaceSettings settings, By by) throws SQLException {
        audit(tx, "configure", null, by, tx.settings() + " became " + settings);
        tx.namespace.write(tx.sql, settings);
        tx.settingsChanged();
    }

    public static Verdict remove(Tx tx, String name, By by) throws SQLException {
        var queue = tx.knownQueue(name);
        if (queue == null) {
            return Verdict.MISSING;
        }
        if (!tx.lockForRemoval(queue)) {
            return Verdict.BUSY;
        }
        var served = tx.sql.get("session-any").set("queue", queue.id).number(0);
        var filled = tx.sql.get("job-any").set("queue", queue.id).number(0);
        if (served > 0 || filled > 0) {
            return Verdict.BUSY;
        }
        for (var statement : REMOVED) {
            tx.sql.get(statement).set("queue", queue.id).later();
        }
        tx.namespace.countedTypes().forget();
        queue.known = false;
        queue.paused = false;
        queue.settings = QueueSettings.DEFAULT;
        tx.sql
                .get("queue-remove")
                .set("queue", queue.id)
                .set("keepFinished", queue.settings.keepFinished().toMillis())
                .set("keepFinishedCount", queue.settings.keepFinishedCount())
                .later();
        audit(tx, "remove-queue", name, by, null);
        return Verdict.APPLIED;
    }

    public static Verdict tell(Tx tx, SessionId id, Command.Kind kind, By by) throws SQLException {
        var session = tx.liveSession(id);
        if (session == null) {
            return Verdict.MISSING;
        }
        Commands.leave(tx, session.no, kind.name(), null, null);
        audit(tx, "tell", session.queueName, by, kind + " to session " + id + " of worker " + session.worker);
        return Verdict.APPLIED;
    }

    private static void audit(Tx tx, String action, @Nullable String queue, By by, @Nullable String detail)
            throws SQLException {
        Audit.write(tx, action, queue, null, by, detail);
    }
}
