package dev.belay.sqlite.file;

import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Statements;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/**
 * Leaves the file free for others. SQLite gives a lock to whoever asks at the right moment: beside a process that
 * commits back to back, another waits for seconds. So a writer that shares the file pauses for 1 ms after at most 20 ms
 * of work, and others, who ask every millisecond, get their turn. Used only by the leader.
 */
final class Courtesy {

    private static final long WORK_NANOS = 20_000_000;
    private static final long PAUSE_NANOS = 1_000_000;

    private final SqlWork<Statements, Boolean> shared;

    private long workedSince = System.nanoTime();
    private long lastWork = workedSince;

    Courtesy(SqlWork<Statements, Boolean> shared) {
        this.shared = shared;
    }

    /** @param statements of the connection that is about to work, outside of a transaction */
    void beforeWork(Statements statements) throws SQLException {
        var idle = System.nanoTime() - lastWork >= PAUSE_NANOS;
        if (!idle && isOver() && shared.run(statements)) {
            LockSupport.parkNanos(PAUSE_NANOS);
            idle = true;
        }
        if (idle || isOver()) {
            workedSince = System.nanoTime();
        }
    }

    void afterWork() {
        lastWork = System.nanoTime();
    }

    /** Whether it is time to let others work. */
    boolean isOver() {
        return System.nanoTime() - workedSince >= WORK_NANOS;
    }
}
