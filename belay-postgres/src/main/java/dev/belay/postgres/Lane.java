package dev.belay.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.belay.broker.BrokerException;
import dev.belay.jdbc.SqlFiles;
import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Statements;
import dev.belay.job.InvalidInputException;
import dev.belay.sql.step.Tx;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/**
 * A pool of connections, and how calls run on them. Settles and heartbeats have a lane of their own, so that they get
 * through whatever the others are at. Safe for use by many threads.
 */
final class Lane implements AutoCloseable {

    /** As often is a transaction run that the server asks to run again. */
    private static final int TRIES = 5;

    private final HikariDataSource pool;
    private final SqlFiles sql;
    private final PostgresFaults faults;
    private final Connected connected;

    Lane(HikariDataSource pool, SqlFiles sql, PostgresFaults faults, Connected connected) {
        this.pool = pool;
        this.sql = sql;
        this.faults = faults;
        this.connected = connected;
    }

    /** Begins a transaction, as the first work on its connection. */
    interface Opening {
        PostgresTx open(Statements statements) throws SQLException;
    }

    /** Runs work in a transaction; again where the server asks for it. */
    <T> T write(Opening opening, SqlWork<Tx, T> work) {
        for (var attempt = 1; ; attempt++) {
            try {
                return once(opening, work);
            } catch (SQLException e) {
                note(e);
                if (attempt == TRIES || !PostgresFaults.isWorthAnotherTry(e)) {
                    throw faults.beforeCommit(e);
                }
            }
        }
    }

    private <T> T once(Opening opening, SqlWork<Tx, T> work) throws SQLException {
        PostgresTx tx;
        T result;
        try (var connection = pool.getConnection();
                var statements = Statements.pipelined(connection, sql)) {
            tx = opening.open(statements);
            try {
                result = work.run(tx);
                tx.beforeCommit();
            } catch (SQLException | RuntimeException | Error e) {
                tx.namespace.rolledBack();
                rollBack(statements, e);
                throw e;
            }
            commit(tx);
        }
        tx.afterCommit();
        return result;
    }

    /** What the transaction has left for later may fail only here: then it is undone. */
    private void commit(PostgresTx tx) throws SQLException {
        try {
            tx.sql.commit();
        } catch (SQLException e) {
            tx.namespace.rolledBack();
            rollBack(tx.sql, e);
            if (PostgresFaults.isWorthAnotherTry(e)) {
                throw e;
            }
            note(e);
            throw faults.atCommit(e);
        }
    }

    /** Runs a reading of one state of the store. */
    <T> T read(SqlWork<Statements, T> work) {
        try (var connection = pool.getConnection();
                var statements = Statements.pipelined(connection, sql)) {
            try {
                statements.get("begin-read").later();
                var result = work.run(statements);
                statements.commit();
                return result;
            } catch (SQLException | RuntimeException | Error e) {
                rollBack(statements, e);
                throw e;
            }
        } catch (SQLException e) {
            note(e);
            throw faults.beforeCommit(e);
        } catch (InvalidInputException e) {
            throw new BrokerException.Rejected(e);
        }
    }

    private void note(SQLException e) {
        if (e instanceof SQLTransientConnectionException || PostgresFaults.isConnectionLost(e)) {
            connected.lost();
        }
    }

    /** Closes all connections, as a fault would: for tests. */
    void breakConnections() {
        connected.lost();
        pool.getHikariPoolMXBean().softEvictConnections();
    }

    private static void rollBack(Statements statements, Throwable why) {
        try {
            statements.rollback();
        } catch (SQLException e) {
            // The connection is of no more use; the server has rolled back, or will when it notices.
            why.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
