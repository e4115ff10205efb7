package dev.belay.sqlite.file;

import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Transactions;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Transactions that take the write lock at their begin, waiting for other processes: for what is done once, outside of
 * the {@link Writer}.
 *
 * @param file whose busy timeout is waited for
 */
public record ImmediateTransactions(SqliteFile file) implements Transactions {

    @Override
    public <T> T in(Connection connection, SqlWork<Connection, T> work) throws SQLException {
        file.whenFree(connection, on -> SqliteFile.run(on, "BEGIN IMMEDIATE"));
        try {
            var result = work.run(connection);
            SqliteFile.run(connection, "COMMIT");
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            try {
                SqliteFile.run(connection, "ROLLBACK");
            } catch (SQLException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }
}
