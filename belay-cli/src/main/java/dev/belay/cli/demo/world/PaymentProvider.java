package dev.belay.cli.demo.world;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A payment provider that charges a card once per idempotency key, however often it is asked, and counts both. Some
 * answers get lost after the charge was made, at once or until the caller's patience is over: the caller can't know. Its
 * process dies in the middle of some charges, before or after it has written them to its books, and comes back. It can also
 * hold an answer back, so that a caller can be killed between the charge and its answer.
 */
public final class PaymentProvider extends HttpWorld {

    /** The card that is always declined. */
    public static final String DECLINED_CARD = "card-declined";

    private static final int ANSWER_LOST_ONE_IN = 30;
    private static final Duration LATE = Duration.ofMillis(1_500);
    private static final long HOLD_SECONDS = 30;
    private static final Duration DOWN = Duration.ofMillis(700);
    private static final int FIRST_DEATH = 4;
    private static final int SECOND_DEATH = 7;
    private static final int DEATH_ONE_IN = 250;

    private final Map<String, Account> byKey = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Trap> trap = new AtomicReference<>();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger answersLost = new AtomicInteger();
    private final List<Death> deaths = new CopyOnWriteArrayList<>();
    private volatile boolean isHolding;
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

    /** When its process died in the middle of a charge. */
    public List<Death> deaths() {
        return List.copyOf(deaths);
    }

    /**
     * The process died in the middle of a charge.
     *
     * @param made whether it had charged before: it is in its books then
     */
    public record Death(String order, boolean made) {}

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
        var life = deaths.size();
        Thread.sleep(10 + random.nextInt(50));
        var order = body.path("order").asString();
        var cents = body.path("cents").asLong();
        var account = byKey.computeIfAbsent(key, k -> new Account(order, cents));
        account.asked.incrementAndGet();
        if (DECLINED_CARD.equals(body.path("card").asString())) {
            reply(exchange, 402, "{\"error\":\"card declined\"}");
            return;
        }
        if (!account.order.equals(order) || account.cents != cents) {
            reply(exchange, 409, "{\"error\":\"this key was used for another charge\"}");
            return;
        }
        switch (charge(account, life)) {
            case DEAD -> {
                // Nobody is there to answer.
            }
            case WAS_MADE -> reply(exchange, 200, receipt(order));
            case MADE -> {
                if (!isHeld(exchange, order) && !isLost()) {
                    reply(exchange, 201, receipt(order));
                }
            }
        }
    }

    private static String receipt(String order) {
        return "{\"charge\":\"ch-" + order + "\"}";
    }

    private enum Charging {
        MADE,
        WAS_MADE,
        DEAD
    }

    /**
     * Charges, unless that was done; or dies in the middle. What a process has not written when it dies, it never will.
     *
     * @param life in which the request came in
     */
    private synchronized Charging charge(Account account, int life) {
        if (life != deaths.size()) {
            return Charging.DEAD;
        }
        if (account.made.get() > 0) {
            return Charging.WAS_MADE;
        }
        var dies = !isHolding && made.get() + 1 >= nextDeath();
        var isWritten = !dies || deaths.size() % 2 == 1;
        if (isWritten) {
            account.made.set(1);
            made.incrementAndGet();
        }
        if (!dies) {
            return Charging.MADE;
        }
        deaths.add(new Death(account.order, isWritten));
        restart(DOWN);
        return Charging.DEAD;
    }

    private int nextDeath() {
        return switch (deaths.size()) {
            case 0 -> FIRST_DEATH;
            case 1 -> SECOND_DEATH;
            default -> SECOND_DEATH + DEATH_ONE_IN * (deaths.size() - 1);
        };
    }

    /** Whether the caller was to be held; returns once it was let go. */
    private boolean isHeld(HttpExchange exchange, String order) throws InterruptedException {
        var set = trap.get();
        if (set == null || made.get() <= set.after || !trap.compareAndSet(set, null)) {
            return false;
        }
        isHolding = true;
        set.caught.complete(new Caught(exchange.getRequestHeaders().getFirst("User-Agent"), order));
        if (!set.released.await(HOLD_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("nobody let the caller with order " + order + " go");
        }
        isHolding = false;
        return true;
    }

    private boolean isLost() throws InterruptedException {
        if (random.nextInt(ANSWER_LOST_ONE_IN) != 0) {
            return false;
        }
        if (answersLost.incrementAndGet() % 2 == 0) {
            // Longer than a caller waits.
            Thread.sleep(LATE.toMillis());
        }
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
