package dev.belay.ledger;

import dev.belay.jdbc.Bound;
import dev.belay.jdbc.Statements;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The ledger's statements on one connection.
 *
 * @param connection as it was borrowed: for what is not one of these statements
 * @param kept whether they stay prepared when this is closed
 */
record Sql(Statements statements, Connection connection, long offset, boolean kept) implements AutoCloseable {

    /** A statement that asks what time it is. */
    Bound timed(String name) throws SQLException {
        return statements.get(name).set("offset", offset);
    }

    /** A statement that does not ask what time it is. */
    Bound untimed(String name) throws SQLException {
        return statements.get(name);
    }

    @Override
    public void close() throws SQLException {
        if (!kept) {
            statements.close();
        }
    }
}
