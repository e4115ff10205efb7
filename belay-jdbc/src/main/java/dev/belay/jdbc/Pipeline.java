package dev.belay.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends several statements of one connection at once: those whose answers nobody needs wait for the next whose answer
 * somebody does. The driver takes them as one text, divided by semicolons, and sends all of it in one round trip; the server
 * runs one after the other, each as if it had come alone, and none behind one that failed. Used by one thread at a time.
 */
final class Pipeline {

    /** More are sent without waiting for another: a text that is too long is hardly ever sent again as it is. */
    private static final int AT_MOST = 8;

    private static final SqlText COMMIT = SqlText.parse("commit", "COMMIT");

    private final Connection connection;
    private final SqlFiles files;
    private final List<Call> waiting = new ArrayList<>();
    private final Map<String, PreparedStatement> open = new HashMap<>();

    Pipeline(Connection connection, SqlFiles files) {
        this.connection = connection;
        this.files = files;
    }

    /** A statement with its values. */
    private record Call(String key, SqlText text, List<Bound.Value> values) {}

    /**
     * How a statement is sent on this connection.
     *
     * @param key tells it from another of the same text whose rows may be open at the same time
     */
    Bound.Sending sending(String key, SqlText text) {
        return new Piped(key, text);
    }

    /** Commits, with what has waited until now. */
    void commit() throws SQLException {
        if (!waiting.isEmpty()) {
            run(new Call("commit", COMMIT, List.of()));
        }
        // Nothing is sent where the server has committed; the pool is told that nothing is open any more.
        connection.commit();
    }

    /** Runs what has waited until now. */
    void flush() throws SQLException {
        if (!waiting.isEmpty()) {
            run(waiting.remove(waiting.size() - 1));
        }
    }

    /** Forgets what has waited until now. */
    void forget() {
        waiting.clear();
    }

    private void await(Call call) throws SQLException {
        waiting.add(call);
        if (waiting.size() == AT_MOST) {
            flush();
        }
    }

    private PreparedStatement run(Call last) throws SQLException {
        var before = waiting.size();
        waiting.add(last);
        var statement = prepared();
        var position = 1;
        for (var call : waiting) {
            for (var value : call.values) {
                value.setter().set(statement, position++);
            }
        }
        waiting.clear();
        statement.execute();
        for (var i = 0; i < before; i++) {
            statement.getMoreResults();
        }
        return statement;
    }

    private PreparedStatement prepared() throws SQLException {
        var key = new StringBuilder();
        for (var call : waiting) {
            key.append(call.key).append(' ');
        }
        var statement = open.get(key.toString());
        if (statement == null) {
            statement = connection.prepareStatement(files.together(
                    key.toString(), () -> waiting.stream().map(Call::text).toList()));
            open.put(key.toString(), statement);
        }
        return statement;
    }

    void close() throws SQLException {
        for (var statement : open.values()) {
            statement.close();
        }
        open.clear();
    }

    /**
     * One statement, on its way. A parameter that is cast to an array takes single values, too: that of each row of a batch,
     * in order, so that the statement is run once for all of them. Where it answers with a number for each row that it
     * changed, the column is named after the parameter that has these numbers.
     */
    private final class Piped implements Bound.Sending {
        private final String key;
        private final SqlText text;
        private final Bound.@Nullable Value[] values;
        private final List<Bound.@Nullable Value[]> batch = new ArrayList<>();

        Piped(String key, SqlText text) {
            this.key = key;
            this.text = text;
            this.values = new Bound.@Nullable Value[text.parameters()];
        }

        @Override
        public void set(int position, Bound.Value value) {
            values[position - 1] = value;
        }

        private Call call() {
            return call(java.util.Collections.singletonList(values));
        }

        private Call call(List<Bound.@Nullable Value[]> rows) {
            var all = new ArrayList<Bound.Value>(values.length);
            for (var i = 0; i < values.length; i++) {
                all.add(value(rows, i));
            }
            return new Call(key, text, all);
        }

        private Bound.Value value(List<Bound.@Nullable Value[]> rows, int index) {
            var last = one(rows.get(rows.size() - 1), index);
            var type = text.arrays().get(index + 1);
            if (type == null || last.isArray()) {
                return last;
            }
            var column = new @Nullable Object[rows.size()];
            for (var i = 0; i < column.length; i++) {
                column[i] = one(rows.get(i), index).single();
            }
            return Bound.Value.array(type, column);
        }

        private Bound.Value one(Bound.@Nullable Value[] row, int index) {
            return Objects.requireNonNull(
                    row[index],
                    () -> "parameter " + (index + 1) + " of the SQL statement " + text.name() + " was not set");
        }

        @Override
        public int update() throws SQLException {
            return several().getUpdateCount();
        }

        @Override
        public ResultSet query() throws SQLException {
            return Answers.rows(several());
        }

        @Override
        public PreparedStatement several() throws SQLException {
            return run(call());
        }

        @Override
        public void later() throws SQLException {
            await(call());
        }

        @Override
        public void add() {
            batch.add(values.clone());
        }

        @Override
        public int[] runBatch() throws SQLException {
            return text.arrays().isEmpty() ? byDriver() : byArrays();
        }

        @Override
        public void runBatchLater() throws SQLException {
            if (text.arrays().isEmpty()) {
                byDriver();
            } else {
                await(takeBatch());
            }
        }

        private Call takeBatch() {
            var call = call(batch);
            batch.clear();
            return call;
        }

        private int[] byArrays() throws SQLException {
            var all = List.copyOf(batch);
            var changed = new HashMap<Long, Integer>();
            int[] positions;
            try (var rows = Answers.rows(run(takeBatch()))) {
                positions = Objects.requireNonNull(
                        text.positions().get(rows.getMetaData().getColumnLabel(1)), text.name());
                while (rows.next()) {
                    changed.merge(rows.getLong(1), 1, Integer::sum);
                }
            }
            return all.stream()
                    .mapToInt(row ->
                            changed.getOrDefault(one(row, positions[0] - 1).single(), 0))
                    .toArray();
        }

        /** In one round trip, but not together with other statements. */
        private int[] byDriver() throws SQLException {
            flush();
            try (var statement = connection.prepareStatement(text.jdbc())) {
                for (var row : batch) {
                    for (var i = 0; i < row.length; i++) {
                        one(row, i).setter().set(statement, i + 1);
                    }
                    statement.addBatch();
                }
                return statement.executeBatch();
            } finally {
                batch.clear();
            }
        }

        @Override
        public void close() {
            batch.clear();
        }
    }
}
