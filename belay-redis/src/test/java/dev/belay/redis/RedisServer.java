package dev.belay.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/** A server of the tests' own, on loopback and a free port, in a directory of its own. */
public final class RedisServer implements AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final String USER = "tests";

    private final Path directory;
    private final int port;
    private final List<String> settings;
    private Process process;

    private RedisServer(Path directory, int port, List<String> settings) throws IOException {
        this.directory = directory;
        this.port = port;
        this.settings = settings;
        this.process = launch();
    }

    /** Who uses the shared one: nothing may be needed that the documentation's least ACL does not allow. */
    private static final class Shared {
        static final RedisServer SERVER = start("--save", "", "--appendonly", "no");

        static {
            SERVER.allow(
                    USER,
                    Stream.concat(LeastAcl.rules("all").stream(), Stream.of("~{*"))
                            .toList());
        }
    }

    /** A database of the shared server, for a user who may do little. */
    static String sharedAddress(int database) {
        return "redis://" + USER + ":secret@127.0.0.1:" + Shared.SERVER.port + "/" + database;
    }

    /** Removes all that lies in a database of the shared server. */
    static void flushShared(int database) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), Shared.SERVER.port)) {
            var commands = "SELECT " + database + "\r\nFLUSHDB\r\nQUIT\r\n";
            socket.getOutputStream().write(commands.getBytes(StandardCharsets.US_ASCII));
            var answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            if (!answers.equals("+OK\r\n+OK\r\n+OK\r\n")) {
                throw new IllegalStateException("could not flush database " + database + ": " + answers);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts one, and waits until it answers. */
    public static RedisServer start(String... settings) {
        try {
            var server = new RedisServer(
                    Files.createTempDirectory("belay-redis"), freePort(), new ArrayList<>(List.of(settings)));
            server.awaitAnswer();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process launch() throws IOException {
        var command = new ArrayList<>(List.of(
                binary(),
                "--port",
                String.valueOf(port),
                "--bind",
                "127.0.0.1",
                "--dir",
                directory.toString(),
                "--databases",
                "10000",
                "--loglevel",
                "warning"));
        command.addAll(settings);
        var launched = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(launched::destroyForcibly));
        return launched;
    }

    /** The server that the environment names, or the one from Maven. */
    private static String binary() throws IOException {
        var named = System.getProperty("belay.test.redis", "");
        return named.isEmpty()
                ? ExecutableProvider.newJarResourceProvider().get().getAbsolutePath()
                : named;
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Waits until it answers a PING with something else than that it is loading. */
    public void awaitAnswer() {
        var deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                this.<String>ask(commands -> commands.ping());
                return;
            } catch (RedisException e) {
                if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("the server does not answer; see " + directory.resolve("log"), e);
                }
                LockSupport.parkNanos(5_000_000);
            }
        }
    }

    /** Asks it something, past any proxy. */
    public <T> T ask(Function<RedisCommands<String, String>, T> question) {
        var uri = RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(port)
                .withTimeout(Duration.ofSeconds(20))
                .build();
        var client = RedisClient.create(uri);
        try (var connection = client.connect()) {
            return question.apply(connection.sync());
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    /** Its own report, of one section. */
    public String info(String section) {
        return ask(commands -> commands.info(section));
    }

    /** Makes a user with these rules. */
    public void allow(String user, List<String> rules) {
        ask(commands -> commands.dispatch(
                CommandType.ACL,
                new StatusOutput<>(StringCodec.UTF8),
                new CommandArgs<>(StringCodec.UTF8).add("SETUSER").add(user).addValues(rules)));
    }

    /** Sets a setting of the running server. */
    public void set(String name, String value) {
        this.<String>ask(commands -> commands.configSet(name, value));
    }

    /** SIGKILL: nothing is written before it ends. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Starts it again on the same port and directory; does not wait until it has loaded. */
    public void restart() {
        try {
            process = launch();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts it again so that each key takes so many microseconds to load, during which it answers LOADING. */
    public RedisServer slowLoading(String micros) {
        settings.addAll(List.of("--key-load-delay", micros));
        restart();
        return this;
    }

    /** Takes away where it saves its data. */
    public void removeDirectory() {
        try (var files = Files.list(directory)) {
            for (var file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path directory() {
        return directory;
    }

    public int port() {
        return port;
    }

    public String address(int database) {
        return "redis://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public void close() {
        kill();
    }
}
