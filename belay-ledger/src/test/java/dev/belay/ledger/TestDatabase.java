package dev.belay.ledger;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;

/** A fresh database of a test, which other processes can reach as well. */
interface TestDatabase extends AutoCloseable {

    /** For {@link dev.belay.once.Ledger#open}. */
    String address();

    LedgerBuilder ledger();

    Connection connect() throws SQLException;

    @Override
    void close();

    /** In a file of its own. */
    static TestDatabase sqlite() {
        try {
            var folder = Files.createTempDirectory("belay-ledger");
            return new SqliteFile(folder.resolve("ledger.db"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In the server that the tests of a JVM share. */
    static TestDatabase postgres() {
        var name = "ledger_" + UUID.randomUUID().toString().replace("-", "");
        Postgres.run("CREATE DATABASE " + name);
        return new PostgresDatabase(name);
    }

    /** A file. */
    record SqliteFile(Path file) implements TestDatabase {
        @Override
        public String address() {
            return "sqlite:" + file;
        }

        @Override
        public LedgerBuilder ledger() {
            return LedgerBuilder.of(file);
        }

        @Override
        public Connection connect() throws SQLException {
            return DriverManager.getConnection("jdbc:sqlite:" + file + "?busy_timeout=10000");
        }

        @Override
        public void close() {
            try (var files = Files.list(file.getParent())) {
                for (var each : files.toList()) {
                    Files.delete(each);
                }
                Files.delete(file.getParent());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A database of the shared server. */
    record PostgresDatabase(String name) implements TestDatabase {
        @Override
        public String address() {
            return Postgres.url(name);
        }

        @Override
        public LedgerBuilder ledger() {
            return LedgerBuilder.of(address());
        }

        @Override
        public Connection connect() throws SQLException {
            return DriverManager.getConnection(address());
        }

        @Override
        public void close() {
            Postgres.run("DROP DATABASE " + name + " WITH (FORCE)");
        }
    }

    /** The server, from Maven; ended with the JVM. */
    final class Postgres {
        private static final EmbeddedPostgres SERVER = start();

        private Postgres() {}

        private static EmbeddedPostgres start() {
            try {
                var server = EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "off")
                        .setServerConfig("max_connections", "300")
                        .start();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    try {
                        server.close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }));
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        static String url(String database) {
            return SERVER.getJdbcUrl("postgres", database);
        }

        static void run(String sql) {
            try (var connection = SERVER.getPostgresDatabase().getConnection();
                    var statement = connection.createStatement()) {
                statement.execute(sql);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
