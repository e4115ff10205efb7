package dev.belay.ledger;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.belay.Belay;
import dev.belay.Once;
import dev.belay.Worker;
import dev.belay.broker.JobDetail;
import dev.belay.handler.JobContext;
import dev.belay.handler.JobHandler;
import dev.belay.job.Backoff;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.job.RetryPolicy;
import dev.belay.memory.MemoryBroker;
import dev.belay.once.Effect;
import dev.belay.once.EffectException;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Effects as handlers make them. */
class HandlerEffectsTest {

    record Charge(long order, BigDecimal amount) {}

    record Receipt(String number, BigDecimal amount) {}

    private static final JobType<Charge> CHARGE = JobType.define("charge", Charge.class)
            .maxAttempts(4)
            .retry(RetryPolicy.with(Backoff.fixed(Duration.ofMillis(20))))
            .build();
    private static final Charge ORDER = new Charge(42, new BigDecimal("19.90"));

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final MemoryBroker broker = MemoryBroker.create();
    private final Belay belay = Belay.on(broker);
    private TestDatabase database;
    private JdbcLedger ledger;
    private @Nullable Worker worker;

    @BeforeEach
    void open() {
        database = TestDatabase.sqlite();
        ledger = database.ledger().open();
    }

    @AfterEach
    void close() {
        if (worker != null) {
            worker.close();
        }
        belay.close();
        ledger.close();
        database.close();
    }

    private void work(JobHandler<Charge> handler) {
        worker = Worker.on(broker)
                .queue("default", 4)
                .poll(Duration.ofMillis(50))
                .ledger(ledger)
                .handle(CHARGE, handler)
                .start();
    }

    private JobDetail ended(JobId id) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> detail(id).job().state().isFinal());
        return detail(id);
    }

    private JobDetail detail(JobId id) {
        return belay.find(id).orElseThrow();
    }

    private static String error(JobDetail detail) {
        return requireNonNull(detail.job().lastError()).message();
    }

    private Receipt call(String key, Charge charge) {
        calls.add(key);
        return new Receipt("r-" + calls.size(), charge.amount());
    }

    private Receipt charge(Charge charge, JobContext context) throws Exception {
        return context.once(
                Effect.of("order-" + charge.order(), Receipt.class).request(charge), key -> call(key, charge));
    }

    @Test
    void G8_aRetryGetsTheRecordedResultWithoutACall() {
        var seen = new CopyOnWriteArrayList<Receipt>();
        work((charge, context) -> {
            seen.add(charge(charge, context));
            if (context.attempt() < 3) {
                throw new IllegalStateException("after the charge");
            }
        });
        var id = belay.enqueue(CHARGE, ORDER).id();
        assertThat(ended(id).job().state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(calls).containsExactly("order-42");
        assertThat(seen).hasSize(3).containsOnly(new Receipt("r-1", new BigDecimal("19.90")));
    }

    @Test
    void G8_aFailedCallIsMadeAgainWithTheSameKey() {
        work((charge, context) -> context.once(Effect.of("order-42", String.class), key -> {
            calls.add(key);
            if (calls.size() < 3) {
                throw new IllegalStateException("timeout");
            }
            return "paid";
        }));
        assertThat(ended(belay.enqueue(CHARGE, ORDER).id()).job().state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(calls).containsExactly("order-42", "order-42", "order-42");
    }

    @Test
    void G8_anotherJobWithTheKeyWaitsForTheFirst() throws Exception {
        var called = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        work((charge, context) -> context.once(Effect.of("order-42", String.class), key -> {
            calls.add(context.job().id().toString());
            called.countDown();
            go.await();
            return "paid";
        }));
        var first = belay.enqueue(CHARGE, ORDER).id();
        called.await();
        var second = belay.enqueue(CHARGE, ORDER).id();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> detail(second).job().counts().snoozes() > 0);
        assertThat(detail(second).job().counts().failures()).isZero();
        go.countDown();
        belay.admin().runNow("default", second, By.of("test"));
        assertThat(ended(second).job().state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ended(first).job().state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(calls).containsExactly(first.toString());
    }

    @Test
    void G8_atMostOnceIsBuriedInsteadOfRepeatedUntilAPersonSaysWhatHappened() {
        var failing = new AtomicReference<Exception>(new IllegalStateException("read timed out"));
        work((charge, context) -> context.once(
                Effect.of("order-42", String.class).atMostOnce().notDoneOn(ConnectException.class), key -> {
                    calls.add(key);
                    var failure = failing.get();
                    if (failure != null) {
                        throw failure;
                    }
                    return "paid";
                }));
        var id = belay.enqueue(CHARGE, ORDER).id();
        var dead = ended(id).job();
        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(dead.reason()).isEqualTo(DeadReason.OUTCOME_UNKNOWN.name());
        assertThat(calls).hasSize(1);

        belay.deadLetters().replay(id, By.of("ann"));
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(detail(id).job().counts().replays()).isEqualTo(1);
            assertThat(detail(id).job().state()).isEqualTo(JobState.DEAD);
        });
        assertThat(calls).as("a replay alone knows no more").hasSize(1);

        ledger.admin().didNotHappen("belay/charge", "order-42", By.of("ann"));
        failing.set(null);
        belay.deadLetters().replay(id, By.of("ann"));
        await().atMost(Duration.ofSeconds(30)).until(() -> detail(id).job().state() == JobState.SUCCEEDED);
        assertThat(calls).hasSize(2);
    }

    @Test
    void G8_whatCertainlyDidNotHappenIsSimplyTriedAgain() {
        work((charge, context) -> context.once(
                Effect.of("order-42", String.class).atMostOnce().notDoneOn(ConnectException.class), key -> {
                    calls.add(key);
                    if (calls.size() == 1) {
                        throw new ConnectException("refused");
                    }
                    return "paid";
                }));
        assertThat(ended(belay.enqueue(CHARGE, ORDER).id()).job().state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(calls).hasSize(2);
    }

    @Test
    void G8_aResultThatCanNotBeRecordedIsNoProofThatNothingHappened() {
        work((charge, context) -> context.once(
                Effect.of("order-42", String.class).atMostOnce().notDoneOn(RuntimeException.class), key -> {
                    calls.add(key);
                    return "x".repeat(100_000);
                }));
        var dead = ended(belay.enqueue(CHARGE, ORDER).id());
        assertThat(dead.job().reason()).isEqualTo(DeadReason.OUTCOME_UNKNOWN.name());
        assertThat(calls).hasSize(1);
    }

    @Test
    void G8_aFinalFailureIsRecordedAndAReplayMayTryAgain() {
        work((charge, context) -> context.once(Effect.of("order-42", String.class), key -> {
            calls.add(key);
            if (calls.size() == 1) {
                throw context.bury("card stolen");
            }
            return "paid";
        }));
        var first = belay.enqueue(CHARGE, ORDER).id();
        assertThat(ended(first).job().reason()).isEqualTo(DeadReason.BY_HANDLER.name());
        var second = ended(belay.enqueue(CHARGE, ORDER).id());
        assertThat(second.job().reason()).isEqualTo(DeadReason.NOT_RETRYABLE.name());
        assertThat(error(second)).contains("order-42", "card stolen");
        assertThat(calls).hasSize(1);

        belay.deadLetters().replay(first, By.of("ann"));
        await().atMost(Duration.ofSeconds(30)).until(() -> detail(first).job().state() == JobState.SUCCEEDED);
        assertThat(calls).hasSize(2);
    }

    @Test
    void G8_aConflictNamesTheKeyBothFingerprintsAndWhenTheFirstWasSeen() {
        work(this::charge);
        ended(belay.enqueue(CHARGE, ORDER).id());
        var other = ended(
                belay.enqueue(CHARGE, new Charge(42, new BigDecimal("29.90"))).id());
        assertThat(other.job().reason()).isEqualTo(DeadReason.NOT_RETRYABLE.name());
        var entry = ledger.admin().find("belay/charge", "order-42").orElseThrow();
        assertThat(error(other))
                .contains(
                        "'order-42'",
                        requireNonNull(entry.fingerprint()).toString(),
                        entry.createdAt().toString());
    }

    @Test
    void G8_requestsThatDifferInFormatOnlyAreTheSame() throws Exception {
        var once = Once.in(ledger);
        var one = new LinkedHashMap<String, Object>(Map.of());
        one.put("amount", new BigDecimal("1.0"));
        one.put("name", "\u00e4");
        var two = new LinkedHashMap<String, Object>();
        two.put("name", "\u00e4");
        two.put("amount", 1);
        var effect = Effect.of("order-42", String.class).scope("POST /payments");
        assertThat(once.call(effect.request(one), key -> "first")).isEqualTo("first");
        assertThat(once.call(effect.request(two), key -> "second")).isEqualTo("first");
        two.put("amount", new BigDecimal("1.00000000000000000001"));
        assertThatThrownBy(() -> once.call(effect.request(two), key -> "third"))
                .isInstanceOf(EffectException.Conflict.class);
    }

    @Test
    void G8_stepsThatAreDoneAreNotDoneAgain() {
        work((charge, context) -> {
            var reserved = context.step("reserve", String.class, () -> {
                calls.add("reserve");
                return "stock-7";
            });
            context.step("charge", String.class, () -> {
                calls.add("charge " + reserved);
                if (context.attempt() == 1) {
                    throw new IllegalStateException("declined");
                }
                return "ok";
            });
            if (context.attempt() == 2) {
                throw new IllegalStateException("before the last step");
            }
            context.step("ship", Void.class, () -> {
                calls.add("ship");
                return null;
            });
        });
        assertThat(ended(belay.enqueue(CHARGE, ORDER).id()).job().state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(calls).containsExactly("reserve", "charge stock-7", "charge stock-7", "ship");
        ended(belay.enqueue(CHARGE, ORDER).id());
        assertThat(calls).as("steps are a job's own").hasSize(4 + 4);
    }

    @Test
    void G8_effectsInTheSameDatabaseHappenOnceForAJob() throws Exception {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE paid (amount TEXT)");
        }
        work((charge, context) -> {
            context.onceInTransaction(String.class, connection -> {
                try (var insert = connection.prepareStatement("INSERT INTO paid VALUES (?)")) {
                    insert.setString(1, charge.amount().toString());
                    insert.executeUpdate();
                }
                return "ok";
            });
            if (context.attempt() < 3) {
                throw new IllegalStateException("after the commit");
            }
        });
        assertThat(ended(belay.enqueue(CHARGE, ORDER).id()).job().state()).isEqualTo(JobState.SUCCEEDED);
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) FROM paid")) {
            assertThat(rows.getInt(1)).isEqualTo(1);
        }
    }

    @Test
    void aCallerOutsideOfAJobThatFailedHoldsNothing() throws Exception {
        var once = Once.in(ledger);
        var effect = Effect.of("order-42", String.class).scope("POST /payments");
        assertThatThrownBy(() -> once.call(effect, key -> {
                    throw new java.io.IOException("reset");
                }))
                .isInstanceOf(java.io.IOException.class);
        assertThat(once.call(effect, key -> "paid")).isEqualTo("paid");
    }

    @Test
    void outsideOfAJobAScopeIsDemanded() {
        assertThatThrownBy(() -> Once.in(ledger).call(Effect.of("order-42", String.class), key -> "x"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("scope");
    }

    @Test
    void withoutALedgerTheContextSaysWhatToDo() {
        worker = Worker.on(broker)
                .queue("default", 1)
                .handle(CHARGE, this::charge)
                .start();
        var id = belay.enqueue(CHARGE, ORDER).id();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> detail(id).job().counts().failures() > 0);
        assertThat(error(detail(id))).contains("no ledger", "Worker.on(broker).ledger(");
    }

    @Test
    void oneDeliveryDoesNotMakeAnEffectWithinItself() {
        work((charge, context) -> context.once(
                Effect.of("order-42", String.class),
                key -> context.once(Effect.of("order-42", String.class), again -> "inner")));
        var id = belay.enqueue(CHARGE, ORDER).id();
        assertThat(error(ended(id))).contains("under way in this delivery already");
    }
}
