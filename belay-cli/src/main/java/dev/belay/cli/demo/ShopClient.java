package dev.belay.cli.demo;

import dev.belay.cli.demo.ShopJobs.CardDeclinedException;
import dev.belay.cli.demo.ShopJobs.Charge;
import dev.belay.cli.demo.ShopJobs.Charged;
import dev.belay.cli.demo.ShopJobs.Customer;
import dev.belay.cli.demo.world.World;
import dev.belay.handler.JobContext;
import dev.belay.once.Effect;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.json.JsonMapper;

/** Calls the CRM and the payment provider over HTTP. */
final class ShopClient {

    private static final Duration TIMEOUT = Duration.ofMillis(1_200);
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final World.Address world;
    private final String worker;

    ShopClient(World.Address world, String worker) {
        this.world = world;
        this.worker = worker;
    }

    /** Charges a card, once for its order: what was charged is recorded, and asked for again under the same key if it wasn't. */
    void charge(Charge charge, JobContext context) throws Exception {
        context.result(context.once(
                Effect.of(context.idempotencyKey(), Charged.class)
                        .request(charge)
                        .notDoneOn(ConnectException.class),
                key -> charged(charge, key, context)));
    }

    private Charged charged(Charge charge, String key, JobContext context) throws Exception {
        var answer = http.send(
                HttpRequest.newBuilder(world.payments())
                        .timeout(TIMEOUT)
                        .header("User-Agent", worker)
                        .header("Idempotency-Key", key)
                        .POST(json(charge))
                        .build(),
                BodyHandlers.ofString());
        return switch (answer.statusCode()) {
            case 200, 201 ->
                new Charged(MAPPER.readTree(answer.body()).path("charge").asString(), charge.order());
            case 402 -> throw new CardDeclinedException(charge.order(), charge.card());
            default -> throw unexpected(answer, context);
        };
    }

    /** Stores a customer in the CRM. */
    void sync(Customer customer, JobContext context) throws Exception {
        var answer = http.send(
                HttpRequest.newBuilder(world.crm())
                        .timeout(TIMEOUT)
                        .header("User-Agent", worker)
                        .PUT(json(customer))
                        .build(),
                BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw unexpected(answer, context);
        }
    }

    /** What an answer that is no success means: later, if it says when; or a failure like any other. */
    private static Exception unexpected(HttpResponse<String> answer, JobContext context) {
        var text = answer.request().method() + " " + answer.uri().getPath() + " was answered with "
                + answer.statusCode() + " " + answer.body();
        var wait = answer.headers().firstValue("Retry-After");
        return wait.isPresent()
                ? context.retryAfter(Duration.ofSeconds(Long.parseLong(wait.get())), text)
                : new IOException(text);
    }

    private static HttpRequest.BodyPublisher json(Object value) {
        return HttpRequest.BodyPublishers.ofByteArray(MAPPER.writeValueAsBytes(value));
    }
}
