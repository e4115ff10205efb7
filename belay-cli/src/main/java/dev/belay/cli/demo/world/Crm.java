package dev.belay.cli.demo.world;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;

/**
 * A CRM that takes customers by PUT. Soon after its first requests it is down for a while and says when to come back; later
 * it lets some requests hang, each order's at most once.
 */
public final class Crm extends HttpWorld {

    private static final int UP_FOR_REQUESTS = 5;
    private static final Duration DOWN = Duration.ofMillis(2_500);
    private static final Duration HANG = Duration.ofSeconds(3);
    private static final int HANG_ONE_IN = 25;

    private final Map<String, String> names = new ConcurrentHashMap<>();
    private final Set<String> decided = ConcurrentHashMap.newKeySet();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicLong downUntil = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong hung = new AtomicLong();
    private final RandomGenerator random;

    public Crm(RandomGenerator random) {
        super("/customers");
        this.random = random;
    }

    /** The name of each customer, by id, as the CRM has it. */
    public Map<String, String> names() {
        return Map.copyOf(names);
    }

    /** Requests answered with 503. */
    public long refused() {
        return refused.get();
    }

    /** Requests left hanging. */
    public long hung() {
        return hung.get();
    }

    @Override
    void answer(HttpExchange exchange, JsonNode body) throws IOException, InterruptedException {
        if (isDown()) {
            refused.incrementAndGet();
            exchange.getResponseHeaders().set("Retry-After", "1");
            reply(exchange, 503, "{\"error\":\"down for maintenance\"}");
            return;
        }
        if (hangs(body.path("order").asString())) {
            hung.incrementAndGet();
            Thread.sleep(HANG.toMillis());
            return;
        }
        Thread.sleep(5 + random.nextInt(40));
        names.put(body.path("id").asString(), body.path("name").asString());
        reply(exchange, 200, "{\"stored\":true}");
    }

    private boolean isDown() {
        var number = requests.incrementAndGet();
        if (number == UP_FOR_REQUESTS) {
            downUntil.set(System.nanoTime() + DOWN.toNanos());
        }
        return number >= UP_FOR_REQUESTS && System.nanoTime() < downUntil.get();
    }

    private boolean hangs(String order) {
        return decided.add(order) && random.nextInt(HANG_ONE_IN) == 0;
    }
}
