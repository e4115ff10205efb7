package dev.belay.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.embedded.core.ExecutableProvider;

/** A server of the tests' own, on loopback and a free port. */
final class RedisServer implements AutoCloseable {

    /** One for all tests of this JVM, each with a database of its own. */
    static final RedisServer SHARED = start(List.of("--save", "", "--appendonly", "no"));

    private final Process process;
    private final int port;

    private RedisServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static RedisServer start(List<String> settings) {
        try {
            var port = freePort();
            var directory = Files.createTempDirectory("belay-redis");
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
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            awaitPort(process, port);
            return new RedisServer(process, port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server that the environment names, or the one from Maven. */
    private static String binary() throws IOException {
        var named = System.getenv("BELAY_TEST_REDIS");
        return named == null ? ExecutableProvider.newJarResourceProvider().get().getAbsolutePath() : named;
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void awaitPort(Process process, int port) throws IOException {
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                    throw new IOException("the server did not start on port " + port, e);
                }
                java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
            }
        }
    }

    String address(int database) {
        return "redis://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
