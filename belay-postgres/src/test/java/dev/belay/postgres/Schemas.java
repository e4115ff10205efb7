package dev.belay.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;

/** Empty stores in schemas of the shared server. They are made once and emptied after use: making one takes longer. */
final class Schemas {

    private static final Deque<String> FREE = new ArrayDeque<>();

    private Schemas() {}

    /** A schema with an empty store in it, or without one. */
    static String take() {
        synchronized (FREE) {
            var free = FREE.poll();
            return free == null ? "t" + UUID.randomUUID().toString().replace("-", "") : free;
        }
    }

    /** A schema with an empty store in it. */
    static String make() {
        var schema = take();
        PostgresBroker.builder(PostgresServer.address(schema)).open().close();
        return schema;
    }

    /** Empties a store and keeps it for the next. */
    static void giveBack(String schema) {
        try (var connection = PostgresServer.connect();
                var statement = connection.createStatement()) {
            // Somebody may still be at it: a process that is about to end.
            statement.execute("SET lock_timeout = '10s'");
            for (var table : tables(connection, schema)) {
                statement.addBatch("DELETE FROM " + schema + "." + table);
            }
            for (var sequence : List.of("job_number", "token_number")) {
                statement.addBatch("ALTER SEQUENCE " + schema + "." + sequence + " RESTART");
            }
            statement.executeBatch();
        } catch (SQLException e) {
            throw new AssertionError("the store in schema " + schema + " could not be emptied", e);
        }
        synchronized (FREE) {
            FREE.add(schema);
        }
    }

    private static List<String> tables(Connection connection, String schema) throws SQLException {
        try (var query = connection.prepareStatement(
                "SELECT tablename FROM pg_tables WHERE schemaname = ? AND tablename NOT IN ('belay_schema', 'store')")) {
            query.setString(1, schema);
            var tables = new ArrayList<String>();
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    tables.add(rows.getString(1));
                }
            }
            return tables;
        }
    }
}
