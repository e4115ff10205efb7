package dev.belay.cli.bench;

import dev.belay.cli.shell.Problem;
import dev.belay.postgres.PostgresAddress;
import java.sql.Connection;
import java.sql.SQLException;

/** A forgotten transaction: as long as it is open, the server may not remove any row that it could still see. */
final class HeldSnapshot implements AutoCloseable {

    private final Connection connection;

    private HeldSnapshot(Connection connection) {
        this.connection = connection;
    }

    static HeldSnapshot take(PostgresAddress address) throws SQLException {
        var held = new HeldSnapshot(address.connect());
        try {
            held.begin();
            return held;
        } catch (SQLException e) {
            held.connection.close();
            throw e;
        }
    }

    private void begin() throws SQLException {
        // The server may be set to end what idles in a transaction: not this one.
        execute("SET idle_in_transaction_session_timeout = 0");
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        // The first statement takes the snapshot, whatever it reads.
        read();
    }

    /** Ends the transaction. One that the server had ended before has not held back anything until now. */
    @Override
    public void close() throws SQLException {
        try (connection) {
            read();
            connection.commit();
        } catch (SQLException e) {
            throw Problem.no(
                    "the transaction that held the snapshot was ended from outside: " + e.getMessage(),
                    "Look for transaction_timeout on the server, or for who ends idle connections, or hold it for fewer"
                            + " --seconds.");
        }
    }

    private void read() throws SQLException {
        execute("SELECT 1 FROM pg_catalog.pg_class LIMIT 1");
    }

    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
