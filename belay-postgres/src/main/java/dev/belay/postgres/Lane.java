package dev.belay.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.belay.broker.BrokerException;
import dev.belay.jdbc.SqlFiles;
import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Statements;
import dev.belay.job.InvalidInputException;
import java.sql.Connection;
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

    /** Opens a transaction's context, as its first work. */
    interface Opening<C extends Closing> {
        C open(Statements statements) throws SQLException;
    }

    /** What a transaction does at its end. */
    interface Closing {
        void beforeCommit() throws SQLException;

        void afterCommit();

        void rolledBack();
    }

    /** Runs work in a transaction; again where the server asks for it. */
    <C extends Closing, T> T write(Opening<C> opening, SqlWork<C, T> work) {
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

    private <C extends Closing, T> T once(Opening<C> opening, SqlWork<C, T> work) throws SQLException {
        C context;
        T result;
        try (var connection = pool.getConnection();
                var statements = new Statements(connection, sql)) {
            context = opening.open(statements);
            try {
                result = work.run(context);
                context.beforeCommit();
            } catch (SQLException | RuntimeException | Error e) {
                context.rolledBack();
                rollBack(connection, e);
                throw e;
            }
            commit(connection, context);
        }
        context.afterCommit();
        return result;
    }

    private void commit(Connection connection, Closing context) throws SQLException {
        try {
            connection.commit();
        } catch (SQLException e) {
            context.rolledBack();
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
                var statements = new Statements(connection, sql)) {
            try {
                statements.get("begin-read").update();
                var result = work.run(statements);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException | Error e) {
                rollBack(connection, e);
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

    private static void rollBack(Connection connection, Throwable why) {
        try {
            connection.rollback();
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
