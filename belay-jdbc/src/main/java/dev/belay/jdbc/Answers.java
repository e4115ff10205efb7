package dev.belay.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What several statements that were sent together answered, in their order. Used by one thread. */
public final class Answers implements AutoCloseable {

    private final PreparedStatement statement;
    private boolean begun;

    Answers(PreparedStatement statement) {
        this.statement = statement;
    }

    /** The first row of the next query; null where there is none. */
    public <T> @Nullable T first(RowReader<@Nullable T> reader) throws SQLException {
        try (var rows = next()) {
            return rows.next() ? reader.read(rows) : null;
        }
    }

    /** All rows of the next query. */
    public <T> List<T> list(RowReader<T> reader) throws SQLException {
        try (var rows = next()) {
            return Bound.list(rows, reader);
        }
    }

    private ResultSet next() throws SQLException {
        if (begun) {
            statement.getMoreResults();
        }
        begun = true;
        return rows(statement);
    }

    /** The rows of the current answer. */
    static ResultSet rows(PreparedStatement statement) throws SQLException {
        var rows = statement.getResultSet();
        if (rows == null) {
            throw new SQLException("the statement answers with no rows: " + statement);
        }
        return rows;
    }

    /** Leaves the rest unread. */
    @Override
    public void close() throws SQLException {
        while (statement.getMoreResults() || statement.getUpdateCount() >= 0) {
            // Each of them is closed by the one after it.
        }
    }
}
