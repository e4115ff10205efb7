package dev.belay.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement whose parameters are set by name. Values stay set until they are set anew. Belongs to one
 * connection and is used by one thread at a time.
 */
public final class Bound implements AutoCloseable {

    private final SqlText text;
    private final PreparedStatement statement;
    private final Map<String, int[]> positions = new HashMap<>();
    private final Runnable onWrite;
    private int batched;

    Bound(SqlText text, PreparedStatement statement, Runnable onWrite) {
        this.text = text;
        this.statement = statement;
        this.onWrite = onWrite;
        text.positions()
                .forEach((name, at) -> positions.put(
                        name, at.stream().mapToInt(Integer::intValue).toArray()));
    }

    public Bound set(String name, long value) throws SQLException {
        for (var position : at(name)) {
            statement.setLong(position, value);
        }
        return this;
    }

    public Bound set(String name, @Nullable Long value) throws SQLException {
        for (var position : at(name)) {
            statement.setObject(position, value);
        }
        return this;
    }

    public Bound set(String name, @Nullable Integer value) throws SQLException {
        for (var position : at(name)) {
            statement.setObject(position, value);
        }
        return this;
    }

    public Bound set(String name, @Nullable String value) throws SQLException {
        for (var position : at(name)) {
            statement.setString(position, value);
        }
        return this;
    }

    public Bound set(String name, byte @Nullable [] value) throws SQLException {
        for (var position : at(name)) {
            statement.setBytes(position, value);
        }
        return this;
    }

    /**
     * An array, for databases that have them.
     *
     * @param type the database's name of what it holds
     */
    public Bound setArray(String name, String type, @Nullable Object[] values) throws SQLException {
        var array = statement.getConnection().createArrayOf(type, values);
        for (var position : at(name)) {
            statement.setArray(position, array);
        }
        return this;
    }

    /** As its 16 bytes. */
    public Bound set(String name, @Nullable UUID value) throws SQLException {
        return set(name, value == null ? null : Rows.bytes(value));
    }

    /** Runs a statement that changes rows, and answers how many. */
    public int update() throws SQLException {
        checkNoneKept();
        onWrite.run();
        return statement.executeUpdate();
    }

    /** Keeps the values for {@link #updateBatch}. */
    public void add() throws SQLException {
        statement.addBatch();
        batched++;
    }

    /** Runs the statement once for each {@link #add}, in order, and answers how many rows each changed. */
    public int[] updateBatch() throws SQLException {
        if (batched == 0) {
            return new int[0];
        }
        batched = 0;
        onWrite.run();
        return statement.executeBatch();
    }

    /** Opens the rows of a query; the caller closes them. */
    public ResultSet open() throws SQLException {
        checkNoneKept();
        return statement.executeQuery();
    }

    /** All rows of a query. */
    public <T> List<T> list(RowReader<T> reader) throws SQLException {
        try (var rows = open()) {
            var list = new ArrayList<T>();
            while (rows.next()) {
                list.add(reader.read(rows));
            }
            return list;
        }
    }

    /** The first row of a query; null where there is none. */
    public <T> @Nullable T first(RowReader<@Nullable T> reader) throws SQLException {
        try (var rows = open()) {
            return rows.next() ? reader.read(rows) : null;
        }
    }

    /** The whole number in the first column of the first row; {@code otherwise} where there is no row, or it is null. */
    public long number(long otherwise) throws SQLException {
        try (var rows = open()) {
            if (!rows.next()) {
                return otherwise;
            }
            var value = rows.getLong(1);
            return value == 0 && rows.wasNull() ? otherwise : value;
        }
    }

    /** The rows that a statement with {@code RETURNING} changed. */
    public <T> List<T> returning(RowReader<T> reader) throws SQLException {
        onWrite.run();
        return list(reader);
    }

    /** Drivers differ in which values they use then: the newest, or those of the first row that was kept. */
    private void checkNoneKept() {
        if (batched > 0) {
            throw new IllegalStateException("the SQL statement " + text.name() + " was run while " + batched
                    + " rows are kept for its updateBatch: run that first");
        }
    }

    private int[] at(String name) {
        var at = positions.get(name);
        if (at == null) {
            throw new IllegalArgumentException(
                    "the SQL statement " + text.name() + " has no parameter :" + name + ", only " + positions.keySet());
        }
        return at;
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }
}
