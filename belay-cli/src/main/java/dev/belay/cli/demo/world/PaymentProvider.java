package dev.belay.cli.demo.world;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A payment provider that charges a card once per idempotency key, however often it is asked, and counts both. Some
 * answers get lost after the charge was made: the caller can't know. It can also hold one back, so that a caller can be
 * killed between the charge and its answer.
 */
public final class PaymentProvider extends HttpWorld {

    /** The card that is always declined. */
    public static final String DECLINED_CARD = "card-declined";

    private static final int ANSWER_LOST_ONE_IN = 30;
    private static final long HOLD_SECONDS = 30;

    private final Map<String, Account> byKey = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Trap> trap = new AtomicReference<>();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger answersLost = new AtomicInteger();
    private final RandomGenerator random;

    public PaymentProvider(RandomGenerator random) {
        super("/charges");
        this.random = random;
    }

    /** What happened under each idempotency key. */
    public Map<String, Counts> counts() {
        var counts = new java.util.TreeMap<String, Counts>();
        byKey.forEach((key, account) -> counts.put(key, account.counts()));
        return counts;
    }

    /** Answers that got lost after the charge was made. */
    public int answersLost() {
        return answersLost.get();
    }

    /** How often a charge was asked for under one key, and how often it was made. */
    public record Counts(String order, long cents, int asked, int made) {}

    /** Holds back the answer to the next new charge once so many were made, after the charge was made. */
    public Trap holdAfter(int charges) {
        var set = new Trap(charges);
        trap.set(set);
        return set;
    }

    @Override
    void answer(HttpExchange exchange, JsonNode body) throws IOException, InterruptedException {
        var key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        if (key == null || key.isBlank()) {
            reply(exchange, 400, "{\"error\":\"Idempotency-Key is missing\"}");
            return;
        }
        Thread.sleep(10 + random.nextInt(50));
        var order = body.path("order").asString();
        var cents = body.path("cents").asLong();
        var account = byKey.computeIfAbsent(key, k -> new Account(order, cents));
        if (DECLINED_CARD.equals(body.path("card").asString())) {
            account.asked.incrementAndGet();
            reply(exchange, 402, "{\"error\":\"card declined\"}");
            return;
        }
        if (!account.order.equals(order) || account.cents != cents) {
            reply(exchange, 409, "{\"error\":\"this key was used for another charge\"}");
            return;
        }
        account.asked.incrementAndGet();
        var isNew = account.made.compareAndSet(0, 1);
        if (isNew) {
            made.incrementAndGet();
        }
        if (isNew && (isHeld(exchange, order) || isLost())) {
            return;
        }
        reply(exchange, isNew ? 201 : 200, "{\"charge\":\"ch-" + order + "\"}");
    }

    /** Whether the caller was to be held; returns once it was let go. */
    private boolean isHeld(HttpExchange exchange, String order) throws InterruptedException {
        var set = trap.get();
        if (set == null || made.get() <= set.after || !trap.compareAndSet(set, null)) {
            return false;
        }
        set.caught.complete(new Caught(exchange.getRequestHeaders().getFirst("User-Agent"), order));
        if (!set.released.await(HOLD_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("nobody let the caller with order " + order + " go");
        }
        return true;
    }

    private boolean isLost() {
        if (random.nextInt(ANSWER_LOST_ONE_IN) != 0) {
            return false;
        }
        answersLost.incrementAndGet();
        return true;
    }

    /** Who was caught, and the order that it charged. */
    public record Caught(String worker, String order) {}

    /** For one caller, to be held between its charge and the answer. */
    public static final class Trap {
        private final int after;
        private final CompletableFuture<Caught> caught = new CompletableFuture<>();
        private final CountDownLatch released = new CountDownLatch(1);

        Trap(int after) {
            this.after = after;
        }

        /** Completed with who was caught. */
        public CompletableFuture<Caught> caught() {
            return caught;
        }

        /** Lets the caller go; its answer is lost. */
        public void release() {
            released.countDown();
        }
    }

    private static final class Account {
        private final String order;
        private final long cents;
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger made = new AtomicInteger();

        Account(String order, long cents) {
            this.order = order;
            this.cents = cents;
        }

        Counts counts() {
            return new Counts(order, cents, asked.get(), made.get());
        }
    }
}
