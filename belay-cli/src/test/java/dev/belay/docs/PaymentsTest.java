package dev.belay.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.Belay;
import dev.belay.Once;
import dev.belay.Worker;
import dev.belay.broker.Broker;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.once.Effect;
import dev.belay.once.Ledger;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the page on idempotency, run. */
class PaymentsTest {

    record Order(long id, BigDecimal amount, String card) {}

    record Charge(String number, BigDecimal amount) {}

    static final JobType<Order> PAY = JobType.of("pay", Order.class);
    static final JobType<Order> BOOK = JobType.of("book", Order.class);
    static final JobType<Order> SHIP = JobType.of("ship", Order.class);

    /** Charges once a key, and loses its first answer. */
    static final class Provider {
        private final Map<String, Charge> charges = new ConcurrentHashMap<>();
        private final List<String> asked = new CopyOnWriteArrayList<>();

        Charge charge(String key, Order order) {
            asked.add(key);
            var charge = charges.computeIfAbsent(key, any -> new Charge("ch-" + order.id(), order.amount()));
            if (asked.size() == 1) {
                throw new IllegalStateException("the answer was lost");
            }
            return charge;
        }
    }

    private final Provider provider = new Provider();
    private final List<String> done = new CopyOnWriteArrayList<>();

    private Worker worker(Broker broker, Ledger ledger) {
        // snippet: ledger-worker
        var worker = Worker.on(broker)
                .queue("default", 10)
                .ledger(ledger)
                .handle(PAY, (order, context) -> {
                    var charge = context.once(
                            Effect.of("order-" + order.id(), Charge.class).request(order),
                            key -> provider.charge(key, order));
                    context.result(charge);
                })
                // end
                .handle(BOOK, (order, context) -> {
                    // snippet: ledger-transaction
                    context.onceInTransaction(Effect.of("order-" + order.id(), Void.class), connection -> {
                        try (var insert = connection.prepareStatement("INSERT INTO bookings VALUES (?, ?)")) {
                            insert.setLong(1, order.id());
                            insert.setBigDecimal(2, order.amount());
                            insert.executeUpdate();
                        }
                        return null;
                    });
                    // end
                    if (context.attempt() == 1) {
                        throw new IllegalStateException("after the commit");
                    }
                })
                .handle(SHIP, (order, context) -> {
                    // snippet: ledger-steps
                    var parcel = context.step("pack", String.class, () -> pack(order));
                    var label = context.step("label", String.class, () -> label(parcel));
                    context.step("hand-over", Void.class, () -> handOver(parcel, label));
                    // end
                    if (context.attempt() == 1) {
                        throw new IllegalStateException("after the last step");
                    }
                })
                .start();
        return worker;
    }

    private String pack(Order order) {
        done.add("pack");
        return "parcel-" + order.id();
    }

    private String label(String parcel) {
        done.add("label");
        if (done.size() == 2) {
            throw new IllegalStateException("no paper");
        }
        return "label of " + parcel;
    }

    private Void handOver(String parcel, String label) {
        done.add(parcel + ", " + label);
        return null;
    }

    @Test
    void everyEffectHappensOnce(@TempDir Path folder) throws Exception {
        var file = "jdbc:sqlite:" + folder.resolve("belay.db");
        try (var broker = Broker.open("sqlite:" + folder.resolve("belay.db"));
                var ledger = Ledger.open("sqlite:" + folder.resolve("belay.db"));
                var connection = DriverManager.getConnection(file + "?busy_timeout=10000");
                var belay = Belay.on(broker)) {
            connection.createStatement().execute("CREATE TABLE bookings (id BIGINT, amount TEXT)");
            var order = new Order(42, new BigDecimal("19.90"), "card-1");
            try (var worker = worker(broker, ledger)) {
                var ids = List.of(
                        belay.enqueue(PAY, order).id(),
                        belay.enqueue(BOOK, order).id(),
                        belay.enqueue(SHIP, order).id());
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> ids.stream().allMatch(id -> state(belay, id) == JobState.SUCCEEDED));
                assertThat(worker.health().problems()).isEmpty();
            }
            assertThat(provider.asked).hasSize(2).containsOnly("order-42");
            assertThat(provider.charges).hasSize(1);
            assertThat(done).containsExactly("pack", "label", "label", "parcel-42, label of parcel-42");
            try (var rows = connection.createStatement().executeQuery("SELECT COUNT(*) FROM bookings")) {
                assertThat(rows.getInt(1)).isEqualTo(1);
            }
        }
    }

    private static JobState state(Belay belay, JobId id) {
        return belay.find(id).orElseThrow().job().state();
    }

    @Test
    void aWebRequestIsAnsweredAsBefore(@TempDir Path folder) throws Exception {
        try (var ledger = Ledger.open("sqlite:" + folder.resolve("ledger.db"))) {
            var order = new Order(42, new BigDecimal("19.90"), "card-1");
            provider.asked.add("earlier");
            var idempotencyKey = "8e03978e-40d5-43dd-bc93-6894a57f9324";
            var tenant = "acme";
            // snippet: ledger-request
            var once = Once.in(ledger);
            var charge = once.call(
                    Effect.of(idempotencyKey, Charge.class)
                            .scope("POST /payments of " + tenant)
                            .request(order),
                    key -> provider.charge(key, order));
            // end
            assertThat(once.call(
                            Effect.of(idempotencyKey, Charge.class)
                                    .scope("POST /payments of " + tenant)
                                    .request(order),
                            key -> new Charge("never", BigDecimal.ONE)))
                    .isEqualTo(charge);
        }
    }
}
