package dev.belay.sqlite;

import dev.belay.broker.TransactionalBroker;
import dev.belay.jdbc.SqlFiles;
import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Statements;
import dev.belay.job.InvalidInputException;
import dev.belay.sql.step.Namespace;
import dev.belay.sql.step.Tx;
import dev.belay.sqlite.file.Faults;
import dev.belay.sqlite.file.Guests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Work within transactions of callers, on their own connections: the writer and its group commit have no part in it.
 * Thread-safe; a connection is used by one thread at a time.
 */
final class CallersTransaction {

    private static final String PRODUCT = "SQLite";

    private final Path path;
    private final SqlFiles sql;
    private final Namespace namespace;
    private final Guests guests;

    CallersTransaction(Path path, SqlFiles sql, Namespace namespace, Guests guests) {
        this.path = path;
        this.sql = sql;
        this.namespace = namespace;
        this.guests = guests;
    }

    /** Whether a connection was opened on the store's file. One that has only attached it would find other tables first. */
    boolean owns(Connection connection) throws SQLException {
        // Asked first: to another database the statement below is an error, which may end the caller's transaction.
        if (!PRODUCT.equals(connection.getMetaData().getDatabaseProductName())) {
            return false;
        }
        var main = main(connection);
        return main != null && isStore(main);
    }

    private @Nullable String main(Connection connection) throws SQLException {
        try (var statements = new Statements(connection, sql);
                var rows = statements.get("database-list").open()) {
            while (rows.next()) {
                if ("main".equals(rows.getString(2))) {
                    return rows.getString(3);
                }
            }
            return null;
        }
    }

    private boolean isStore(String main) throws SQLException {
        try {
            // Empty for a database in memory. Links and other spellings are the same file.
            return !main.isEmpty() && Files.isSameFile(Path.of(main), path);
        } catch (IOException | InvalidPathException e) {
            throw new SQLException("it can't be found out whether " + main + " is the file of the store, " + path, e);
        }
    }

    /**
     * Runs work in the transaction that the caller has begun and will end. Where it fails, nothing of it is left.
     *
     * @throws InvalidInputException where the connection is in no transaction, or to another database
     */
    <T> T run(Connection connection, SqlWork<Tx, T> work) throws SQLException {
        if (!owns(connection)) {
            throw new InvalidInputException("connection", "must be one to the file of the store, " + path);
        }
        try (var statements = new Statements(connection, sql)) {
            requireTransaction(statements);
            lock(statements);
            statements.get("savepoint").update();
            try {
                var tx = SqliteTx.ofGuest(statements, namespace);
                var result = work.run(tx);
                tx.beforeCommit();
                statements.get("savepoint-release").update();
                return result;
            } catch (SQLException | RuntimeException | Error e) {
                undo(statements, e);
                throw e;
            }
        }
    }

    /**
     * Whether a transaction is open SQLite alone knows: it may have been begun by a statement, which the driver does not
     * notice; the driver's own may have failed to begin, or been rolled back by SQLite after an error.
     */
    private static void requireTransaction(Statements statements) throws SQLException {
        try {
            statements.get("begin-read").update();
        } catch (SQLException e) {
            if (Faults.isRefused(e)) {
                return;
            }
            throw e;
        }
        statements.get("rollback").update();
        TransactionalBroker.requireTransaction(statements.connection());
        throw new InvalidInputException(
                "connection",
                "must be in a transaction, but SQLite has none open, although auto-commit is off: the file was locked when it"
                        + " was to begin, or it was rolled back after an error; close this connection and begin on another");
    }

    /** A transaction that reads first and writes then fails wherever somebody has written in between: this one does not. */
    private void lock(Statements statements) throws SQLException {
        try {
            guests.<SQLException>waiting(() -> statements.get("write-lock").update());
        } catch (SQLException e) {
            throw Faults.isBusy(e) ? explained(e) : e;
        }
    }

    private SQLException explained(SQLException e) {
        var text = Faults.isSnapshotOld(e)
                ? "this transaction has read " + path
                        + " and others have written to it since, so it can't write any more:"
                        + " roll back and do it again, in a transaction that takes the write lock when it begins (BEGIN"
                        + " IMMEDIATE; for this driver, open the connection with transaction_mode=IMMEDIATE)"
                : "another connection writes to " + path
                        + ", for longer than this one waits: keep transactions that write"
                        + " short, or raise busy_timeout when opening the connection";
        return new SQLException(text + " (" + e.getMessage() + ")", e.getSQLState(), e.getErrorCode(), e);
    }

    private static void undo(Statements statements, Throwable why) {
        try {
            statements.get("savepoint-undo").update();
            statements.get("savepoint-release").update();
        } catch (SQLException e) {
            // After some errors SQLite itself has rolled back all of the transaction.
            why.addSuppressed(e);
        }
    }
}
