package dev.belay.ledger;

import dev.belay.jdbc.Migration;
import dev.belay.jdbc.Migrations;
import dev.belay.jdbc.SqlFiles;
import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Statements;
import dev.belay.jdbc.Transactions;
import dev.belay.once.LedgerException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;

/** The way to the ledger's database. Thread-safe. */
final class Database {

    private static final int TRIES = 20;
    private static final long MIGRATION_LOCK = 0x62656C61792D6C31L; // "belay-l1"

    private final DataSource source;
    private final Dialect dialect;
    private final SqlFiles files;
    private final StatementCache cache;
    private final long offset;
    private final String idle;
    /** SQLite has one writer, and its own way of waiting is unfair: the threads of this process come in turns. */
    private final ReentrantLock writer = new ReentrantLock(true);

    /** Work on a connection. */
    interface Work<T> {
        T run(Sql sql) throws SQLException;
    }

    /** Work that may throw anything. */
    interface AnyWork<T> {
        T run(Sql sql) throws Exception;
    }

    /**
     * @param offset milliseconds to add to the database's time: 0 outside of tests
     * @param idle how long a transaction may stand idle where the database sets no such limit
     */
    Database(DataSource source, long offset, Duration idle) {
        this.source = source;
        this.offset = offset;
        this.idle = Long.toString(idle.toMillis());
        try (var connection = source.getConnection()) {
            dialect = Dialect.of(connection);
            files = new SqlFiles(Database.class, "sql", dialect.folder());
            cache = new StatementCache(files);
            migrate(connection);
        } catch (SQLException e) {
            throw failure("opened", e);
        }
    }

    /** The same database, by other connections than the callers'. */
    private Database(Database from, DataSource source) {
        this.source = source;
        offset = from.offset;
        idle = from.idle;
        dialect = from.dialect;
        files = from.files;
        cache = from.cache;
    }

    /** The same database, by other connections than the callers', so that they can't keep it waiting. */
    Database by(DataSource other) {
        return new Database(this, other);
    }

    private Sql sql(Connection connection) throws SQLException {
        return dialect == Dialect.SQLITE
                ? new Sql(cache.of(connection), connection, offset, true)
                : new Sql(new Statements(connection, files), connection, offset, false);
    }

    private void migrate(Connection connection) throws SQLException {
        var migrations = new Migrations(
                files,
                "belay_ledger_version",
                List.of(new Migration(1, 1, "migration-001"), new Migration(2, 1, "migration-002")));
        connection.setAutoCommit(true);
        migrations.apply(connection, this::alone);
    }

    /** One program at a time, and each sees what the one before has done. */
    private <T> T alone(Connection on, SqlWork<Connection, T> work) throws SQLException {
        return Transactions.plain().in(on, connection -> {
            if (dialect == Dialect.POSTGRESQL) {
                run(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
                run(connection, "SELECT pg_advisory_xact_lock(" + MIGRATION_LOCK + ")");
            }
            return work.run(connection);
        });
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * As {@link #write}, for a statement that may have to wait for another's transaction on the same key.
     *
     * @throws KeyLocked where that takes too long
     */
    <T> T keyed(Work<T> work) {
        if (dialect == Dialect.SQLITE) {
            return write(work);
        }
        return transacted(sql -> {
            try {
                boundWait(sql);
                return work.run(sql);
            } catch (SQLException e) {
                throw keyLocked(e);
            }
        });
    }

    /** As {@link #write}, for one statement that bounds its wait for another's transaction by itself. */
    <T> T keyedStatement(Work<T> work) {
        return write(sql -> {
            try {
                return work.run(sql);
            } catch (SQLException e) {
                throw keyLocked(e);
            }
        });
    }

    /** Who waits for another's transaction waits not for ever: its process may be frozen. Nor may this one be for ever. */
    void boundWait(Sql sql) throws SQLException {
        if (dialect == Dialect.POSTGRESQL) {
            sql.untimed("bound-wait").set("idle", idle).first(row -> row.getString(1));
        }
    }

    /** What the caller does with the connection has its own wait. */
    void freeWait(Sql sql) throws SQLException {
        if (dialect == Dialect.POSTGRESQL) {
            sql.untimed("free-wait").update();
        }
    }

    /** Whether one statement can read a row, and insert it where it is not there. */
    boolean insertsInQueries() {
        return dialect.insertsInQueries();
    }

    /** Whether what failed so may have been done all the same: its reply was lost. */
    boolean mayBeDone(LedgerException e) {
        return e.getCause() instanceof SQLException cause
                && !(cause instanceof NotConnected)
                && dialect.isUnknown(cause);
    }

    /** No connection was to be had: nothing was asked for. */
    private static final class NotConnected extends SQLException {
        private static final long serialVersionUID = 1;

        NotConnected(SQLException e) {
            super(e.getMessage(), e.getSQLState(), e.getErrorCode(), e);
        }
    }

    private Connection connect() throws SQLException {
        try {
            return source.getConnection();
        } catch (SQLException e) {
            throw new NotConnected(e);
        }
    }

    /** Throws {@link KeyLocked} where a lock was waited for in vain; else answers what to throw. */
    SQLException keyLocked(SQLException e) {
        if (dialect.isLocked(e)) {
            throw new KeyLocked();
        }
        return e;
    }

    SqlFiles files() {
        return files;
    }

    /** Reads, or changes by one statement: committed when it returns. Tried again where somebody was in the way. */
    <T> T statement(Work<T> work) {
        return told("asked", () -> autoCommitted(work));
    }

    /** As {@link #statement}, for what changes something. */
    <T> T write(Work<T> work) {
        return told("asked", () -> inTurn(() -> autoCommitted(work)));
    }

    private <T> T autoCommitted(Work<T> work) throws Exception {
        return retried(() -> {
            try (var connection = connect();
                    var sql = sql(connection)) {
                if (!connection.getAutoCommit()) {
                    connection.setAutoCommit(true);
                }
                return work.run(sql);
            }
        });
    }

    /**
     * Runs work in a transaction; commits when it returns. Begun anew where somebody was in the way.
     *
     * @throws SQLException what the database said in the end
     * @throws Exception what the work threw; the transaction was rolled back
     */
    <T> T transaction(AnyWork<T> work) throws Exception {
        return inTurn(() -> retried(() -> {
            try (var connection = connect();
                    var sql = sql(connection)) {
                return within(connection, sql, work);
            }
        }));
    }

    /** As {@link #transaction}, for work that throws nothing of its own. */
    <T> T transacted(Work<T> work) {
        return told("changed", () -> transaction(work::run));
    }

    /** Turns what the database says into what a caller is told. */
    private <T> T told(String what, Callable<T> work) {
        try {
            return work.call();
        } catch (SQLException e) {
            throw failure(what, e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("work on the ledger threw what it can't throw", e);
        }
    }

    private <T> T within(Connection connection, Sql sql, AnyWork<T> work) throws Exception {
        begin(connection);
        try {
            var answer = work.run(sql);
            end(connection, true);
            return answer;
        } catch (Exception | Error e) {
            try {
                end(connection, false);
            } catch (SQLException second) {
                e.addSuppressed(second);
            }
            throw e;
        } finally {
            if (dialect != Dialect.SQLITE) {
                connection.setAutoCommit(true);
            }
        }
    }

    /** SQLite's driver thinks that it is in a transaction also where it could not begin one: there it is done by hand. */
    private void begin(Connection connection) throws SQLException {
        if (dialect == Dialect.SQLITE) {
            connection.setAutoCommit(true);
            run(connection, "BEGIN IMMEDIATE");
        } else {
            connection.setAutoCommit(false);
        }
    }

    private void end(Connection connection, boolean commit) throws SQLException {
        if (dialect == Dialect.SQLITE) {
            run(connection, commit ? "COMMIT" : "ROLLBACK");
        } else if (commit) {
            connection.commit();
        } else {
            connection.rollback();
        }
    }

    /** Lets the writers of this process come in turns, where the database has one writer. */
    private <T> T inTurn(Callable<T> work) throws Exception {
        if (dialect != Dialect.SQLITE) {
            return work.call();
        }
        if (writer.isHeldByCurrentThread()) {
            throw new IllegalStateException(
                    "this thread is in a transaction of the ledger already, and SQLite has one writer: end that first");
        }
        writer.lock();
        try {
            return work.call();
        } finally {
            writer.unlock();
        }
    }

    private <T> T retried(Callable<T> work) throws Exception {
        for (var tries = 1; ; tries++) {
            try {
                return work.call();
            } catch (SQLException e) {
                if (!dialect.isRetried(e) || tries == TRIES) {
                    throw e;
                }
                // Who met once meets again, unless one of them waits.
                LockSupport.parkNanos(
                        ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(Math.min(100, 2L * tries))));
            }
        }
    }

    /** What a caller is told. */
    LedgerException failure(String what, SQLException e) {
        return new LedgerException(
                "the ledger's database could not be " + what + " (SQL state " + e.getSQLState() + "): "
                        + e.getMessage(),
                e);
    }
}
