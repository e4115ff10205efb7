package dev.belay.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * The server that the tests of a JVM share: started by the first, from the binaries that Maven brings. Its commits are not
 * written through to the disk: what a crash of the server does is tested on servers of their own.
 */
final class PostgresServer {

    private static final EmbeddedPostgres SHARED = start();

    private PostgresServer() {}

    private static EmbeddedPostgres start() {
        try {
            var server = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "off")
                    .setServerConfig("full_page_writes", "off")
                    .setServerConfig("max_connections", "300")
                    .setServerConfig("listen_addresses", "127.0.0.1")
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server), "postgres-stop"));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(EmbeddedPostgres server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of a schema. */
    static String address(String schema) {
        return "postgresql://postgres@127.0.0.1:" + SHARED.getPort() + "/postgres?belaySchema=" + schema;
    }

    /** A URL for the driver, on which names without a schema are those of this one. */
    static String jdbcUrl(String schema) {
        return "jdbc:postgresql://127.0.0.1:" + SHARED.getPort() + "/postgres?user=postgres&currentSchema=" + schema;
    }

    static Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + SHARED.getPort() + "/postgres?user=postgres");
    }
}
