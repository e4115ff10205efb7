package dev.belay.sqlite;

import dev.belay.jdbc.SqlFiles;
import dev.belay.jdbc.Statements;
import dev.belay.sql.step.Signals;
import dev.belay.sqlite.file.SqliteFile;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches for commits of other processes, while anybody listens: SQLite can't signal, but tells a connection cheaply
 * whether another has committed. A thread of its own, started by the first listener.
 */
final class Watch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

    private static final long PAUSE_NANOS = 20_000_000;

    /** After a failure; signals are hints, and whoever waits polls as well. */
    private static final long FAILURE_PAUSE_NANOS = 1_000_000_000;

    private final SqliteFile file;
    private final SqlFiles sql;
    private final long namespace;
    private final Signals signals;
    private @Nullable Thread thread;
    private volatile boolean closed;

    // Used by the thread alone.
    private long lastVersion = -1;
    private final Map<String, Long> seen = new HashMap<>();

    Watch(SqliteFile file, SqlFiles sql, long namespace, Signals signals) {
        this.file = file;
        this.sql = sql;
        this.namespace = namespace;
        this.signals = signals;
    }

    /** Starts watching, unless that was done before. */
    synchronized void start() {
        if (thread == null && !closed) {
            var started = new Thread(this::run, "belay-sqlite-watch");
            started.setDaemon(true);
            started.start();
            thread = started;
        }
        LockSupport.unpark(thread);
    }

    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            closed = true;
            running = thread;
        }
        if (running == null || running.equals(Thread.currentThread())) {
            return;
        }
        LockSupport.unpark(running);
        var interrupted = false;
        while (running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            try (var connection = file.openReader();
                    var statements = new Statements(connection, sql)) {
                lastVersion = -1;
                while (!closed) {
                    pause();
                    look(statements);
                }
            } catch (SQLException | RuntimeException e) {
                if (!closed) {
                    LOG.warn("commits of other processes can't be watched for a moment: {}", e.getMessage());
                    LockSupport.parkNanos(FAILURE_PAUSE_NANOS);
                }
            }
        }
    }

    private void pause() {
        if (signals.isHeard()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        while (!signals.isHeard() && !closed) {
            LockSupport.park(this);
        }
    }

    private void look(Statements statements) throws SQLException {
        var version = statements.get("data-version").number(0);
        if (version == lastVersion) {
            return;
        }
        var first = lastVersion < 0;
        lastVersion = version;
        var foreign = new HashMap<String, Long>();
        statements.get("queue-wakes").set("namespace", namespace).list(row -> {
            var queue = row.getString(2);
            foreign.put(queue, row.getLong(3) - signals.ownWakes(queue));
            return queue;
        });
        foreign.forEach((queue, wakes) -> {
            var before = seen.put(queue, wakes);
            if (!first && !wakes.equals(before)) {
                signals.call(queue, false);
            }
        });
    }
}
