package dev.belay.postgres;

import dev.belay.broker.TransactionalBroker;
import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Statements;
import dev.belay.job.InvalidInputException;
import dev.belay.sql.step.Namespace;
import dev.belay.sql.step.Tx;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Work within transactions of callers, on their own connections. At READ COMMITTED it sees what others have committed; at
 * higher levels a conflict with others is the caller's serialization failure. Thread-safe; a connection is used by one thread
 * at a time.
 */
final class CallersTransaction {

    private static final String PRODUCT = "PostgreSQL";

    /** Applications have few URLs; more than so many are asked about each time. */
    private static final int REMEMBERED = 100;

    private final Structure structure;
    private final Lane own;
    private final Namespace namespace;
    private final Node node;
    private final Watermarks watermarks;
    private final LongSupplier offset;
    private final Set<String> owned = ConcurrentHashMap.newKeySet();

    CallersTransaction(
            Structure structure, Lane own, Namespace namespace, Node node, Watermarks watermarks, LongSupplier offset) {
        this.structure = structure;
        this.own = own;
        this.namespace = namespace;
        this.node = node;
        this.watermarks = watermarks;
        this.offset = offset;
    }

    /** Whether a connection is to the store's database. */
    boolean owns(Connection connection) throws SQLException {
        var about = connection.getMetaData();
        if (!PRODUCT.equals(about.getDatabaseProductName())) {
            return false;
        }
        var url = String.valueOf(about.getURL());
        if (owned.contains(url)) {
            return true;
        }
        var same = isHere(connection) && identity(connection).equals(own.read(sql -> identity(sql.connection())));
        if (same && owned.size() < REMEMBERED) {
            owned.add(url);
        }
        return same;
    }

    /** Asked first: to a database without the store, the next question is an error, which ends the caller's transaction. */
    private boolean isHere(Connection connection) throws SQLException {
        try (var statements = new Statements(connection, structure.sql())) {
            return statements
                            .get("store-here")
                            .set("table", structure.schema() + ".store")
                            .number(0)
                    == 1;
        }
    }

    private String identity(Connection connection) throws SQLException {
        try (var statements = new Statements(connection, structure.sql())) {
            var identity = statements.get("store-identity").<String>first(row -> row.getString(1));
            return String.valueOf(identity);
        }
    }

    /**
     * Runs work in the transaction that the caller has begun and will end. Where it fails, nothing of it is left.
     *
     * @throws InvalidInputException where the connection is in no transaction, or to another database
     */
    <T> T run(Connection connection, SqlWork<Tx, T> work) throws SQLException {
        TransactionalBroker.requireTransaction(connection);
        if (!owns(connection)) {
            throw new InvalidInputException("connection", "must be one to the database of the store, " + structure);
        }
        var before = connection.setSavepoint();
        try (var statements = Statements.pipelined(connection, structure.sql())) {
            var now = statements.get("time").set("offset", offset.getAsLong()).number(0);
            var tx = PostgresTx.ofGuest(statements, namespace, node, watermarks, now);
            var result = work.run(tx);
            tx.beforeCommit();
            statements.flush();
            connection.releaseSavepoint(before);
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            undo(connection, before, e);
            throw e;
        }
    }

    private static void undo(Connection connection, Savepoint before, Throwable why) {
        try {
            connection.rollback(before);
        } catch (SQLException e) {
            // Then the connection is lost, and the server undoes all of the transaction.
            why.addSuppressed(e);
        }
    }
}
