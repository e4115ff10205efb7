package dev.belay.cli.demo.world;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server that speaks JSON over HTTP on a free port of this machine. */
abstract class HttpWorld implements AutoCloseable {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final String path;
    private final ExecutorService threads;
    private final URI uri;
    private HttpServer server;
    private boolean closed;

    HttpWorld(String path) {
        this.path = path;
        threads = Executors.newCachedThreadPool(task -> {
            var thread = new Thread(task, "world-" + path.substring(1));
            thread.setDaemon(true);
            return thread;
        });
        server = listen(0);
        uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private HttpServer listen(int port) {
        try {
            var listening = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            listening.setExecutor(threads);
            listening.createContext(path, this::handle);
            listening.start();
            return listening;
        } catch (IOException e) {
            throw new UncheckedIOException("can't listen on this machine for " + path, e);
        }
    }

    /** What a process does that is killed and started again: connections are cut, and for a while nobody listens. */
    final void restart(Duration down) {
        threads.execute(() -> {
            try {
                stopListening();
                Thread.sleep(down.toMillis());
                listenAgain();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private synchronized void stopListening() {
        server.stop(0);
    }

    private synchronized void listenAgain() {
        if (!closed) {
            server = listen(uri.getPort());
        }
    }

    /** Where it listens. */
    public final URI uri() {
        return uri;
    }

    /** Answers one request. */
    abstract void answer(HttpExchange exchange, JsonNode body) throws IOException, InterruptedException;

    static void reply(HttpExchange exchange, int status, String json) throws IOException {
        var bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            answer(exchange, MAPPER.readTree(exchange.getRequestBody().readAllBytes()));
        } catch (JacksonException e) {
            reply(exchange, 400, "{\"error\":\"no JSON\"}");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        server.stop(0);
        threads.shutdownNow();
    }
}
