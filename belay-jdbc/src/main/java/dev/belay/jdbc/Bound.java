package dev.belay.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A statement whose parameters are set by name. Values stay set until they are set anew. Belongs to one connection and is
 * used by one thread at a time.
 */
public final class Bound implements AutoCloseable {

    private final SqlText text;
    private final Sending sending;
    private final Runnable onWrite;
    private int batched;

    Bound(SqlText text, Sending sending, Runnable onWrite) {
        this.text = text;
        this.sending = sending;
        this.onWrite = onWrite;
    }

    /** How the values of a statement reach the server, and the statement with them. */
    interface Sending extends AutoCloseable {

        /** Sets a parameter, from 1. */
        void set(int position, Value value) throws SQLException;

        /** Runs the statement, which changes rows, and answers how many. */
        int update() throws SQLException;

        /** Runs the statement, which answers with rows. */
        ResultSet query() throws SQLException;

        /** Runs the statement, which may be several; the first answer is the current one of the result. */
        PreparedStatement several() throws SQLException;

        /** Runs the statement before the next one whose answer is asked for, or at once. */
        void later() throws SQLException;

        /** Keeps the values for {@link #runBatch}. */
        void add() throws SQLException;

        int[] runBatch() throws SQLException;

        /** As {@link #runBatch}, before the next one whose answer is asked for, or at once. */
        void runBatchLater() throws SQLException;

        @Override
        void close() throws SQLException;
    }

    /** How a value is handed to the driver. */
    @FunctionalInterface
    interface Setter {
        void set(PreparedStatement statement, int position) throws SQLException;
    }

    /**
     * The value of a parameter.
     *
     * @param single it, as an element of an array; null, too, where it is an array itself
     */
    record Value(@Nullable Object single, boolean isArray, Setter setter) {

        static Value array(String type, @Nullable Object[] values) {
            var typed = typed(type, values);
            return new Value(
                    null,
                    true,
                    (statement, at) ->
                            statement.setArray(at, statement.getConnection().createArrayOf(type, typed)));
        }

        /** Drivers write arrays of the type's own class as they are, and others as text. */
        private static @Nullable Object[] typed(String type, @Nullable Object[] values) {
            return switch (type) {
                case "bigint" -> copy(values, new Long[values.length], value -> ((Number) value).longValue());
                case "integer" -> copy(values, new Integer[values.length], value -> ((Number) value).intValue());
                case "text" -> copy(values, new String[values.length], value -> value);
                case "bytea" -> copy(values, new byte[values.length][], value -> value);
                default -> values;
            };
        }

        private static @Nullable Object[] copy(
                @Nullable Object[] from, @Nullable Object[] to, UnaryOperator<Object> element) {
            for (var i = 0; i < from.length; i++) {
                var value = from[i];
                to[i] = value == null ? null : element.apply(value);
            }
            return to;
        }
    }

    public Bound set(String name, long value) throws SQLException {
        return set(name, value, (statement, at) -> statement.setLong(at, value));
    }

    public Bound set(String name, @Nullable Long value) throws SQLException {
        return set(name, value, (statement, at) -> statement.setObject(at, value));
    }

    public Bound set(String name, @Nullable Integer value) throws SQLException {
        return set(name, value, (statement, at) -> statement.setObject(at, value));
    }

    public Bound set(String name, @Nullable String value) throws SQLException {
        return set(name, value, (statement, at) -> statement.setString(at, value));
    }

    public Bound set(String name, byte @Nullable [] value) throws SQLException {
        return set(name, value, (statement, at) -> statement.setBytes(at, value));
    }

    /**
     * An array, for databases that have them.
     *
     * @param type the database's name of what it holds
     */
    public Bound setArray(String name, String type, @Nullable Object[] values) throws SQLException {
        return set(name, Value.array(type, values));
    }

    /** As its 16 bytes. */
    public Bound set(String name, @Nullable UUID value) throws SQLException {
        return set(name, value == null ? null : Rows.bytes(value));
    }

    private Bound set(String name, @Nullable Object single, Setter setter) throws SQLException {
        return set(name, new Value(single, false, setter));
    }

    private Bound set(String name, Value value) throws SQLException {
        for (var position : at(name)) {
            sending.set(position, value);
        }
        return this;
    }

    /** Runs a statement that changes rows, and answers how many. */
    public int update() throws SQLException {
        checkNoneKept();
        onWrite.run();
        return sending.update();
    }

    /**
     * Runs a statement whose answer nobody needs: where the connection is to {@linkplain Statements#pipelined send several
     * at once}, together with the next one whose answer is asked for, else now. Statements take effect in the order of the
     * calls; an error of this one may be thrown by a later call.
     */
    public void later() throws SQLException {
        checkNoneKept();
        onWrite.run();
        sending.later();
    }

    /** Keeps the values for {@link #updateBatch}. */
    public void add() throws SQLException {
        sending.add();
        batched++;
    }

    /** Runs the statement once for each {@link #add}, in order, and answers how many rows each changed. */
    public int[] updateBatch() throws SQLException {
        return endBatch() ? sending.runBatch() : new int[0];
    }

    /** As {@link #updateBatch}, where nobody needs the answer: see {@link #later}. */
    public void batchLater() throws SQLException {
        if (endBatch()) {
            sending.runBatchLater();
        }
    }

    private boolean endBatch() {
        if (batched == 0) {
            return false;
        }
        batched = 0;
        onWrite.run();
        return true;
    }

    /** Opens the rows of a query; the caller closes them. */
    public ResultSet open() throws SQLException {
        checkNoneKept();
        return sending.query();
    }

    /** Runs a text of several statements, one behind the other, and opens what each answers; the caller closes it. */
    public Answers answers() throws SQLException {
        checkNoneKept();
        return new Answers(sending.several());
    }

    /** All rows of a query. */
    public <T> List<T> list(RowReader<T> reader) throws SQLException {
        try (var rows = open()) {
            return list(rows, reader);
        }
    }

    static <T> List<T> list(ResultSet rows, RowReader<T> reader) throws SQLException {
        var list = new ArrayList<T>();
        while (rows.next()) {
            list.add(reader.read(rows));
        }
        return list;
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
        var at = text.positions().get(name);
        if (at == null) {
            throw new IllegalArgumentException("the SQL statement " + text.name() + " has no parameter :" + name
                    + ", only " + text.positions().keySet());
        }
        return at;
    }

    @Override
    public void close() throws SQLException {
        sending.close();
    }
}
