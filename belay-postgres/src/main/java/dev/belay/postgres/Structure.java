package dev.belay.postgres;

import dev.belay.broker.BrokerException;
import dev.belay.jdbc.Migration;
import dev.belay.jdbc.Migrations;
import dev.belay.jdbc.SqlFiles;
import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Transactions;
import dev.belay.job.InvalidInputException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;

/** The schema of a store: where its tables are, and their versions. Immutable. */
final class Structure {

    static final String DEFAULT_SCHEMA = "belay";

    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,39}");
    private static final Pattern PLACE = Pattern.compile("\\bbelay\\.");
    private static final List<Migration> STEPS = List.of(new Migration(1, 1, "001-everything"));

    private final String schema;
    private final SqlFiles sql;
    private final Migrations migrations;

    /** @param schema a name that needs no quotes */
    Structure(String schema) {
        if (!NAME.matcher(schema).matches()) {
            throw new InvalidInputException(
                    "schema", "must be 1 to 40 of a-z, 0-9 and _, beginning with no digit, but is '" + schema + "'");
        }
        this.schema = schema;
        this.sql = new SqlFiles(Structure.class, "sql")
                .edited(text -> PLACE.matcher(text).replaceAll(schema + "."));
        this.migrations = new Migrations(sql, schema + ".belay_schema", STEPS);
    }

    String schema() {
        return schema;
    }

    SqlFiles sql() {
        return sql;
    }

    Migrations migrations() {
        return migrations;
    }

    /**
     * Brings the store up to this program's version. Where it is, nothing is written: a role that may not change tables can
     * do this.
     */
    void migrate(Connection connection) throws SQLException {
        if (isThere(connection) && migrations.read(connection).version() >= migrations.newest()) {
            check(connection);
            return;
        }
        Transactions.plain().in(connection, any -> {
            lock(connection);
            try (var statement = connection.createStatement()) {
                if (!hasSchema(connection)) {
                    statement.executeUpdate("CREATE SCHEMA " + schema);
                }
            }
            return true;
        });
        migrations.apply(connection, new Locked());
    }

    /**
     * @throws BrokerException where the store is not there, or this program is too old for it
     */
    void check(Connection connection) throws SQLException {
        if (!isThere(connection)) {
            throw new BrokerException.Rejected(
                    "there is no store in " + this
                            + ": run 'belay migrate', or let the broker make it (migrates(true))",
                    null);
        }
        migrations.check(migrations.read(connection));
    }

    /** The whole structure as SQL. */
    String script() {
        return "CREATE SCHEMA " + schema + ";\n" + migrations.script();
    }

    boolean isTooOldFor(Connection connection) throws SQLException {
        return migrations.isTooOldFor(migrations.read(connection));
    }

    private boolean isThere(Connection connection) throws SQLException {
        return ask(connection, "SELECT to_regclass(?) IS NOT NULL", schema + ".belay_schema");
    }

    private boolean hasSchema(Connection connection) throws SQLException {
        return ask(connection, "SELECT to_regnamespace(?) IS NOT NULL", schema);
    }

    private static boolean ask(Connection connection, String question, String name) throws SQLException {
        try (var statement = connection.prepareStatement(question)) {
            statement.setString(1, name);
            try (var rows = statement.executeQuery()) {
                return rows.next() && rows.getBoolean(1);
            }
        }
    }

    /** Several programs may start at once: one migrates, the others wait for it. */
    private void lock(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))")) {
            statement.setString(1, "belay migration " + schema);
            statement.execute();
        }
    }

    private final class Locked implements Transactions {
        @Override
        public <T> T in(Connection connection, SqlWork<Connection, T> work) throws SQLException {
            return Transactions.plain().in(connection, any -> {
                lock(connection);
                return work.run(connection);
            });
        }
    }

    @Override
    public String toString() {
        return "schema " + schema;
    }
}
