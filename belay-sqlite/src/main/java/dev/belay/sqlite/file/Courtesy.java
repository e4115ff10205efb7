package dev.belay.sqlite.file;

import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Statements;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/**
 * Leaves the file free for others. SQLite gives a lock to whoever asks at the right moment: beside a process that
 * commits back to back, another waits for seconds. So a writer that shares the file pauses for 1 ms after at most 20 ms
 * of work, and others, who ask every millisecond, get their turn. {@link Guests} ask less often: they are let in first, for
 * as long as they may sleep. Used only by the leader.
 */
public final class Courtesy {

    private static final long WORK_NANOS = 20_000_000;
    private static final long PAUSE_NANOS = 1_000_000;
    /** The longest sleep of SQLite's busy handler. */
    private static final long GUEST_NANOS = 100_000_000;

    private static final long LOOK_NANOS = 200_000;

    private final SqlWork<Statements, Boolean> shared;
    private final Guests guests;

    private long workedSince = System.nanoTime();
    private long lastWork = workedSince;

    /** @param shared whether other processes seem to work on the file; asked now and then */
    public Courtesy(SqlWork<Statements, Boolean> shared, Guests guests) {
        this.shared = shared;
        this.guests = guests;
    }

    /** @param statements of the connection that is about to work, outside of a transaction */
    void beforeWork(Statements statements) throws SQLException {
        letGuestsIn();
        var idle = System.nanoTime() - lastWork >= PAUSE_NANOS;
        if (!idle && isOver() && shared.run(statements)) {
            LockSupport.parkNanos(PAUSE_NANOS);
            idle = true;
        }
        if (idle || isOver()) {
            workedSince = System.nanoTime();
        }
    }

    private void letGuestsIn() {
        var until = System.nanoTime() + GUEST_NANOS;
        while (guests.areWaiting() && System.nanoTime() - until < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
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
