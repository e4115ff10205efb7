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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A server of a test's own, that can be killed and started anew on its data. It writes its commits through. */
final class OwnServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path data;
    private final EmbeddedPostgres server;
    private final List<String> command;

    private OwnServer(Path data, EmbeddedPostgres server) throws IOException {
        this.data = data;
        this.server = server;
        this.command = command(postmaster());
    }

    /** @param settings of the server: names and values in turn */
    static OwnServer start(String... settings) throws IOException {
        var data = Files.createTempDirectory("belay-postgres");
        var builder = EmbeddedPostgres.builder()
                .setDataDirectory(data.resolve("data").toFile())
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on");
        for (var i = 0; i < settings.length; i += 2) {
            builder.setServerConfig(settings[i], settings[i + 1]);
        }
        return new OwnServer(data, builder.start());
    }

    /** How the server was started. It refuses to be run by root, but not by root of a name space of its own. */
    private static List<String> command(ProcessHandle postmaster) {
        var command = new ArrayList<String>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(postmaster.info().command().orElseThrow());
        command.addAll(List.of(postmaster.info().arguments().orElseThrow()));
        return command;
    }

    private ProcessHandle postmaster() throws IOException {
        var pid = Files.readAllLines(data.resolve("data/postmaster.pid")).get(0);
        return ProcessHandle.of(Long.parseLong(pid.trim())).orElseThrow();
    }

    int port() {
        return server.getPort();
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=postgres"
                // The administrator can write whatever is the default for others.
                + "&options=-c%20default_transaction_read_only=off");
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
        var postmaster = postmaster();
        var processes = postmaster.descendants().toList();
        postmaster.destroyForcibly();
        processes.forEach(ProcessHandle::destroyForcibly);
        await().atMost(PATIENCE)
                .until(() -> !postmaster.isAlive() && processes.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** Starts it on the data that it has left. */
    void restart() throws IOException {
        Files.deleteIfExists(data.resolve("data/postmaster.pid"));
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            try (var connection = connect()) {
                return connection.isValid(1);
            }
        });
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
