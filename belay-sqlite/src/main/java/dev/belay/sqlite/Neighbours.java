package dev.belay.sqlite;

import dev.belay.jdbc.Rows;
import dev.belay.jdbc.Statements;
import dev.belay.job.SessionId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether others work on the file: they have committed in the last minute, or have live sessions. Asked by the writer
 * while it is busy; registered by callers.
 */
final class Neighbours {

    private static final long REMEMBERED_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long LOOK_AGAIN_NANOS = Duration.ofMillis(500).toNanos();

    private final Set<SessionId> own = ConcurrentHashMap.newKeySet();
    private long version = -1;
    private long seenAt = System.nanoTime() - REMEMBERED_NANOS;
    private long lookedAt = System.nanoTime() - LOOK_AGAIN_NANOS;

    void registeredHere(SessionId session) {
        own.add(session);
    }

    boolean areThere(Statements sql) throws SQLException {
        var now = System.nanoTime();
        // Tells commits of other connections only.
        var current = sql.get("data-version").number(0);
        if (current != version) {
            seenAt = version < 0 ? seenAt : now;
            version = current;
        }
        if (now - lookedAt >= LOOK_AGAIN_NANOS) {
            lookedAt = now;
            look(sql, now);
        }
        return now - seenAt < REMEMBERED_NANOS;
    }

    private void look(Statements sql, long now) throws SQLException {
        var live = new HashSet<>(sql.get("session-live").list(row -> new SessionId(Rows.uuid(row.getBytes(1)))));
        if (!own.containsAll(live)) {
            seenAt = now;
        }
        own.retainAll(live);
    }
}
