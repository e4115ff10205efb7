package dev.belay.sqlite.file;

import dev.belay.broker.BrokerException;
import dev.belay.jdbc.SqlWork;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteOpenMode;

/**
 * Where the store is, and how connections to it are made. Immutable.
 *
 * @param path of the file, absolute
 * @param busyTimeout how long a call waits for other processes
 */
public record SqliteFile(Path path, Duration busyTimeout) {

    /** SQLite's own busy handler backs off and so is unfair to whoever waits longest; a short fixed poll is not. */
    private static final long POLL_NANOS = 1_000_000;

    /** Pages kept in memory by the writer: 32 MiB. */
    private static final int CACHE_KIB = 32 * 1024;

    /**
     * As long may the log get before a commit moves its pages into the file: 16 MiB. That commit waits for the file to be
     * synced as well; at SQLite's own 1,000 pages, about one job in seventy would meet one.
     */
    private static final int CHECKPOINT_PAGES = 4_000;

    /** What the log may keep of the disk after it was large once. */
    private static final int LOG_LIMIT_BYTES = 64 * 1024 * 1024;

    /**
     * A connection that writes. Transactions on it are begun and ended by {@code BEGIN IMMEDIATE} and {@code COMMIT},
     * not by JDBC's calls: the driver's auto-commit is off, so that it adds nothing of its own.
     */
    public Connection openWriter() throws SQLException {
        var connection = open();
        try {
            // Has an effect only before the first table is made, and only if it comes before the switch to WAL.
            set(connection, "auto_vacuum = INCREMENTAL");
            set(connection, "journal_mode = WAL");
            set(connection, "synchronous = FULL");
            set(connection, "temp_store = MEMORY");
            set(connection, "cache_size = -" + CACHE_KIB);
            set(connection, "wal_autocheckpoint = " + CHECKPOINT_PAGES);
            set(connection, "journal_size_limit = " + LOG_LIMIT_BYTES);
            return withoutDriverTransactions(connection);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** A connection that only reads. */
    public Connection openReader() throws SQLException {
        var connection = open();
        try {
            set(connection, "query_only = ON");
            set(connection, "temp_store = MEMORY");
            return withoutDriverTransactions(connection);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Runs work again and again until no other process is in its way, for as long as {@link #busyTimeout}. */
    public <T> T whenFree(Connection connection, SqlWork<Connection, T> work) throws SQLException {
        var deadline = System.nanoTime() + busyTimeout.toNanos();
        while (true) {
            try {
                return work.run(connection);
            } catch (SQLException e) {
                if (!Faults.isBusy(e) || System.nanoTime() - deadline >= 0) {
                    throw e;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    /** Runs one statement without parameters. */
    static boolean run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            return statement.execute(sql);
        }
    }

    /** Each of these may have to read the file first, and so to wait for another process. */
    private void set(Connection connection, String pragma) throws SQLException {
        whenFree(connection, any -> run(connection, "PRAGMA " + pragma));
    }

    private SQLiteConnection open() throws SQLException {
        if (path.toString().contains("?")) {
            throw new BrokerException.Rejected(
                    "the path of an SQLite store must not contain '?', but is " + path + ": choose another", null);
        }
        var config = new SQLiteConfig();
        config.setBusyTimeout(0);
        // A connection is used by one thread at a time, and the driver has a lock of its own: SQLite's would be a
        // third.
        config.resetOpenMode(SQLiteOpenMode.FULLMUTEX);
        config.setOpenMode(SQLiteOpenMode.NOMUTEX);
        Properties properties = config.toProperties();
        return JDBC.createConnection(JDBC.PREFIX + path, properties);
    }

    private static Connection withoutDriverTransactions(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        run(connection, "ROLLBACK");
        return connection;
    }
}
