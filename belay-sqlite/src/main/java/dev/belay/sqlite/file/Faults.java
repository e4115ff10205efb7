package dev.belay.sqlite.file;

import dev.belay.broker.BrokerException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What SQLite's errors mean for a call, and what to do about them. */
public final class Faults {

    private static final int ERROR = 1;
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READONLY = 8;
    private static final int IOERR = 10;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    private static final int NOTADB = 26;

    private final Path path;
    private final Duration busyTimeout;

    public Faults(SqliteFile file) {
        this.path = file.path();
        this.busyTimeout = file.busyTimeout();
    }

    /** Whether another process (or connection) is in the way: worth waiting for. */
    public static boolean isBusy(SQLException e) {
        return code(e) == BUSY || code(e) == LOCKED;
    }

    /** Whether a transaction can't write because it sees the store as it was before somebody else wrote. */
    public static boolean isSnapshotOld(SQLException e) {
        return e instanceof SQLiteException sqlite && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_BUSY_SNAPSHOT;
    }

    /** Whether SQLite refused a statement as one that makes no sense here: a begin within a transaction is one. */
    public static boolean isRefused(SQLException e) {
        return code(e) == ERROR;
    }

    /** Whether the connection is of no more use. */
    static boolean isConnectionLost(SQLException e) {
        return switch (code(e)) {
            case IOERR, CORRUPT, CANTOPEN, NOTADB -> true;
            // The driver's own errors have no code of SQLite's: a connection that is closed is one.
            default -> !(e instanceof SQLiteException);
        };
    }

    /** An error before the commit: the transaction is undone, so nothing was changed. */
    public BrokerException beforeCommit(SQLException e) {
        return switch (code(e)) {
            case BUSY, LOCKED ->
                new BrokerException.NotApplied(
                        "the file " + path + " was locked for longer than the busy timeout of " + busyTimeout
                                + ": find the process that keeps a transaction open on it (an sqlite3 shell, a backup or"
                                + " database tool, a suspended worker) and end the transaction, or raise the timeout",
                        e);
            case FULL ->
                new BrokerException.NotApplied(
                        "the disk of " + path + " is full: free space on it; leases go on, and calls work again then",
                        e);
            case READONLY ->
                new BrokerException.NotApplied(
                        "the file " + path
                                + " can't be written to: give this process's user the right to write the file"
                                + " and its directory, or mount the file system for writing",
                        e);
            case IOERR ->
                new BrokerException.NotApplied(
                        "the file " + path + " could not be read or written: check the disk and the system's log", e);
            case CORRUPT ->
                new BrokerException.NotApplied(
                        "the file " + path + " is damaged: stop all workers, keep a copy of it, and restore a backup or"
                                + " save what can be read with the sqlite3 shell's .recover",
                        e);
            case CANTOPEN ->
                new BrokerException.NotApplied(
                        "the file " + path + " can't be opened: check that its directory exists and that this process's"
                                + " user may write to it",
                        e);
            case NOTADB ->
                new BrokerException.NotApplied(
                        "the file " + path + " is no SQLite database: name another file, or move this one away", e);
            default -> new BrokerException.NotApplied("the store in " + path + " failed: " + e.getMessage(), e);
        };
    }

    /** An error of the commit itself. Only a disk that is full and a lock leave no doubt that nothing was changed. */
    BrokerException atCommit(SQLException e) {
        return switch (code(e)) {
            case BUSY, LOCKED, FULL -> beforeCommit(e);
            default ->
                new BrokerException.Unknown(
                        "the commit to " + path
                                + " failed, so it is unknown whether it was stored: check the disk and the"
                                + " system's log (" + e.getMessage() + ")",
                        e);
        };
    }

    /** SQLite's primary result code; 0 where the error is the driver's own. */
    private static int code(SQLException e) {
        return e instanceof SQLiteException ? e.getErrorCode() & 0xFF : 0;
    }
}
