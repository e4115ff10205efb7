package dev.belay.postgres.fault;

import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;

/** A server of a test's own, that can be killed and started anew on its data. It writes its commits through. */
final class OwnServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path data;
    private EmbeddedPostgres server;

    private OwnServer(Path data, EmbeddedPostgres server) {
        this.data = data;
        this.server = server;
    }

    static OwnServer start() throws IOException {
        var data = Files.createTempDirectory("belay-postgres");
        return new OwnServer(data, start(data, 0));
    }

    private static EmbeddedPostgres start(Path data, int port) throws IOException {
        var builder = EmbeddedPostgres.builder()
                .setDataDirectory(data.resolve("data").toFile())
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on");
        return (port == 0 ? builder : builder.setPort(port)).start();
    }

    String address() {
        return "postgresql://postgres@127.0.0.1:" + server.getPort() + "/postgres?socketTimeout=5";
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=postgres");
    }

    /** Runs a statement as the administrator. */
    void run(String sql) {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** Ends all sessions but the one that does it. */
    void terminateSessions() {
        run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
    }

    /** SIGKILL to all of its processes: nothing is written any more. */
    void kill() throws IOException {
        var first =
                Files.readAllLines(data.resolve("data/postmaster.pid")).get(0).trim();
        var postmaster = ProcessHandle.of(Long.parseLong(first)).orElseThrow();
        var processes = postmaster.descendants().toList();
        postmaster.destroyForcibly();
        processes.forEach(ProcessHandle::destroyForcibly);
        await().atMost(PATIENCE)
                .until(() -> !postmaster.isAlive() && processes.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** Starts it on the data that it has left. */
    void restart() throws IOException {
        Files.deleteIfExists(data.resolve("data/postmaster.pid"));
        server = start(data, server.getPort());
    }

    @Override
    public void close() throws IOException {
        server.close();
        try (var files = Files.walk(data)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
