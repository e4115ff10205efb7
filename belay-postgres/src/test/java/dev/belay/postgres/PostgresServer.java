package dev.belay.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * The server that the tests of a JVM share: started by the first, from the binaries that Maven brings. Where there is enough
 * memory, its data are there: what a crash of a server does is tested on servers of their own. Or one that runs already, on a
 * port of this machine that the system property {@code belay.test.postgres} names: for other versions.
 */
final class PostgresServer {

    /** Where writing through to the disk costs nothing. */
    private static final Path MEMORY = Path.of("/dev/shm");

    private static final long ENOUGH_BYTES = 2L * 1024 * 1024 * 1024;

    private static final int PORT = Integer.getInteger("belay.test.postgres", 0) > 0
            ? Integer.getInteger("belay.test.postgres")
            : start().getPort();

    private PostgresServer() {}

    private static EmbeddedPostgres start() {
        try {
            var builder = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "300")
                    .setServerConfig("listen_addresses", "127.0.0.1");
            if (Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > ENOUGH_BYTES) {
                builder.setDataDirectory(Files.createTempDirectory(MEMORY, "belay-postgres"));
            }
            var server = builder.start();
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
        return "postgresql://postgres@127.0.0.1:" + PORT + "/postgres?belaySchema=" + schema;
    }

    /** A URL for the driver, on which names without a schema are those of this one. */
    static String jdbcUrl(String schema) {
        return "jdbc:postgresql://127.0.0.1:" + PORT + "/postgres?user=postgres&currentSchema=" + schema;
    }

    static Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + PORT + "/postgres?user=postgres");
    }
}
