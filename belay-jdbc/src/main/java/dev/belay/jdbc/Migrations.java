package dev.belay.jdbc;

import dev.belay.broker.BrokerException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The structure of a store, in numbered steps. The store keeps (version, oldest compatible) in a table of one row, so
 * that a program knows whether it may work on a store that a newer one has changed. Immutable.
 */
public final class Migrations {

    private final SqlFiles files;
    private final String table;
    private final List<Migration> steps;

    /**
     * @param table the name of the table with the store's versions
     * @param steps all steps that this program knows, in order
     */
    public Migrations(SqlFiles files, String table, List<Migration> steps) {
        this.files = files;
        this.table = table;
        this.steps = List.copyOf(steps);
    }

    /** What a store says of itself. */
    public record Versions(int version, int oldestCompatible) {}

    /** The version of the structure that this program makes. */
    public int newest() {
        return steps.get(steps.size() - 1).version();
    }

    /**
     * Brings a store up to this program's version, each step in one transaction. Safe to be called by several programs
     * at once, where {@code transactions} makes them wait for each other. Does nothing on a store that is newer.
     *
     * @return what the store says afterwards
     * @throws BrokerException.Rejected where this program is older than the store's oldest compatible version
     */
    public Versions apply(Connection connection, Transactions transactions) throws SQLException {
        transactions.in(connection, any -> {
            createTable(connection);
            return true;
        });
        for (var step : steps) {
            transactions.in(connection, any -> {
                // Read anew in each transaction: another program may have made the step meanwhile.
                if (read(connection).version() == step.version() - 1) {
                    run(connection, step);
                }
                return true;
            });
        }
        var versions = read(connection);
        check(versions);
        return versions;
    }

    /** @throws BrokerException.Rejected where this program is older than the store's oldest compatible version */
    public void check(Versions versions) {
        if (isTooOldFor(versions)) {
            throw new BrokerException.Rejected(
                    "this program knows version " + newest() + " of the store, but the store is of version "
                            + versions.version() + " and needs a program that knows version "
                            + versions.oldestCompatible() + " or a later one: use a newer Belay",
                    null);
        }
    }

    /** Whether a store must not be used by this program. */
    public boolean isTooOldFor(Versions versions) {
        return newest() < versions.oldestCompatible();
    }

    /** What the store says of itself; version 0 where it is empty. */
    public Versions read(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT version, oldest_compatible FROM " + table)) {
            return rows.next() ? new Versions(rows.getInt(1), rows.getInt(2)) : new Versions(0, 0);
        }
    }

    private void createTable(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate(tableSql());
        }
    }

    private void run(Connection connection, Migration step) throws SQLException {
        try (var statement = connection.createStatement()) {
            for (var sql : statements(files.text(step.file()))) {
                statement.executeUpdate(sql);
            }
            for (var sql : versionSql(step)) {
                statement.executeUpdate(sql);
            }
        }
    }

    /** All steps as one text of SQL, for an empty store: what a person, or another tool, can run instead. */
    public String script() {
        var script = new StringBuilder(tableSql()).append(";\n\n");
        for (var step : steps) {
            script.append(files.text(step.file()).strip()).append("\n\n");
            for (var sql : versionSql(step)) {
                script.append(sql).append(";\n");
            }
            script.append('\n');
        }
        return script.toString();
    }

    private String tableSql() {
        return "CREATE TABLE IF NOT EXISTS " + table
                + " (version INTEGER NOT NULL, oldest_compatible INTEGER NOT NULL)";
    }

    private List<String> versionSql(Migration step) {
        return List.of(
                "DELETE FROM " + table,
                "INSERT INTO " + table + " (version, oldest_compatible) VALUES (" + step.version() + ", "
                        + step.oldestCompatible() + ")");
    }

    private static List<String> statements(String script) {
        var statements = new ArrayList<String>();
        var current = new StringBuilder();
        for (var line : script.split("\n")) {
            var code = line.contains("--") ? line.substring(0, line.indexOf("--")) : line;
            current.append(code).append('\n');
            if (code.stripTrailing().endsWith(";")) {
                var statement = current.toString().strip();
                statements.add(statement.substring(0, statement.length() - 1));
                current.setLength(0);
            }
        }
        if (!current.toString().isBlank()) {
            throw new IllegalStateException("the migration does not end with a semicolon: " + current);
        }
        return statements;
    }
}
