package dev.belay.sqlite.file;

import dev.belay.jdbc.SqlFiles;
import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Statements;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A few connections that only read. Each reading is a transaction, so it sees one state of the store, and neither waits
 * for the writer nor makes it wait. Safe for use by many threads.
 */
public final class Readers implements AutoCloseable {

    /** More readings at a time wait for one of these. */
    private static final int CONNECTIONS = 4;

    private final SqliteFile file;
    private final SqlFiles sql;
    private final Faults faults;
    private final Semaphore permits = new Semaphore(CONNECTIONS, true);
    private final ArrayDeque<Statements> idle = new ArrayDeque<>();
    private boolean closed;

    public Readers(SqliteFile file, SqlFiles sql) {
        this.file = file;
        this.sql = sql;
        this.faults = new Faults(file);
    }

    /** Runs a reading. */
    public <T> T read(SqlWork<Statements, T> work) {
        permits.acquireUninterruptibly();
        try {
            var statements = take();
            var reusable = false;
            try {
                var result = file.whenFree(statements.connection(), any -> inTransaction(statements, work));
                reusable = true;
                return result;
            } finally {
                giveBack(statements, reusable);
            }
        } catch (SQLException e) {
            throw faults.beforeCommit(e);
        } finally {
            permits.release();
        }
    }

    private static <T> T inTransaction(Statements statements, SqlWork<Statements, T> work) throws SQLException {
        statements.get("begin-read").update();
        try {
            return work.run(statements);
        } finally {
            statements.get("rollback").update();
        }
    }

    @Override
    public void close() {
        synchronized (idle) {
            closed = true;
            idle.forEach(Readers::discard);
            idle.clear();
        }
    }

    private Statements take() throws SQLException {
        Statements taken;
        synchronized (idle) {
            if (closed) {
                throw new IllegalStateException("this broker is closed: open another one");
            }
            taken = idle.poll();
        }
        return taken == null ? new Statements(file.openReader(), sql) : taken;
    }

    /** One whose reading failed is closed: whatever state it was left in ends with it. */
    private void giveBack(Statements statements, boolean reusable) {
        synchronized (idle) {
            if (reusable && !closed) {
                idle.push(statements);
                return;
            }
        }
        discard(statements);
    }

    private static void discard(@Nullable Statements statements) {
        if (statements != null) {
            Closing.quietly(statements);
            Closing.quietly(() -> statements.connection().close());
        }
    }
}
