package dev.belay.cli.demo.world;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server that speaks JSON over HTTP on a free port of this machine. */
abstract class HttpWorld implements AutoCloseable {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final HttpServer server;
    private final ExecutorService threads;

    HttpWorld(String path) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on this machine for " + path, e);
        }
        threads = Executors.newCachedThreadPool(task -> {
            var thread = new Thread(task, "world-" + path.substring(1));
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        server.createContext(path, this::handle);
        server.start();
        uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private final URI uri;

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
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
