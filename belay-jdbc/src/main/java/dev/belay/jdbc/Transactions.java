package dev.belay.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Runs work in a transaction. */
@FunctionalInterface
public interface Transactions {

    /**
     * Runs work in one transaction: commits when it returns, rolls back when it throws.
     *
     * @throws SQLException what the work or the commit threw; a rollback that fails as well is added as suppressed
     */
    <T> T in(Connection connection, SqlWork<Connection, T> work) throws SQLException;

    /** By JDBC's own calls, with the connection's isolation. Leaves auto-commit as it was. */
    static Transactions plain() {
        return Transactions::run;
    }

    private static <T> T run(Connection connection, SqlWork<Connection, T> work) throws SQLException {
        var autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try {
            var result = work.run(connection);
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            try {
                connection.rollback();
            } catch (SQLException second) {
                e.addSuppressed(second);
            }
            throw e;
        } finally {
            connection.setAutoCommit(autoCommit);
        }
    }
}
