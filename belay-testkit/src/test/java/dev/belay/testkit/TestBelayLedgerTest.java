package dev.belay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.Once;
import dev.belay.job.Backoff;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.job.RetryPolicy;
import dev.belay.once.Claim;
import dev.belay.once.Effect;
import dev.belay.once.EffectException;
import dev.belay.once.Ledger;
import dev.belay.once.Owner;
import dev.belay.once.OwnerCheck;
import dev.belay.once.Reservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handlers that make effects, tested inline. */
class TestBelayLedgerTest {

    private static final JobType<Integer> CHARGE = JobType.define("charge", Integer.class)
            .retry(RetryPolicy.with(Backoff.fixed(Duration.ofSeconds(1))))
            .maxAttempts(4)
            .build();

    private final TestBelay belay = TestBelay.create();
    private final List<String> calls = new ArrayList<>();

    @AfterEach
    void close() {
        belay.close();
    }

    private String call(String key) {
        calls.add(key);
        return "receipt-" + calls.size();
    }

    private Run last(List<Run> runs) {
        return runs.get(runs.size() - 1);
    }

    @Test
    void G8_aRetryAndAnotherJobGetTheRecordedResult() {
        var seen = new ArrayList<String>();
        belay.handle(CHARGE, (order, context) -> {
            seen.add(context.once(Effect.of("order-42", String.class).request(order), this::call));
            if (context.attempt() == 1) {
                throw new IllegalStateException("after the charge");
            }
        });
        belay.client().enqueue(CHARGE, 42);
        belay.client().enqueue(CHARGE, 42);
        assertThat(last(belay.runFor(Duration.ofMinutes(1))).succeeded()).isTrue();
        assertThat(calls).containsExactly("order-42");
        assertThat(seen).hasSize(4).containsOnly("receipt-1");
    }

    @Test
    void G8_stepsThatAreDoneAreNotDoneAgain() {
        belay.handle(CHARGE, (order, context) -> {
            var parcel = context.step("pack", String.class, () -> call("pack"));
            context.step("ship", Void.class, () -> {
                call("ship " + parcel);
                if (context.attempt() == 1) {
                    throw new IllegalStateException("the van is full");
                }
                return null;
            });
        });
        belay.client().enqueue(CHARGE, 42);
        assertThat(last(belay.runFor(Duration.ofMinutes(1))).succeeded()).isTrue();
        assertThat(calls).containsExactly("pack", "ship receipt-1", "ship receipt-1");
    }

    @Test
    void G8_atMostOnceIsBuriedWhereNobodyKnows() {
        belay.handle(
                CHARGE,
                (order, context) ->
                        context.once(Effect.of("order-42", String.class).atMostOnce(), key -> {
                            calls.add(key);
                            throw new IllegalStateException("timed out");
                        }));
        var id = belay.client().enqueue(CHARGE, 42).id();
        assertThat(last(belay.runAll()).state()).isEqualTo(JobState.DEAD);
        assertThat(belay.client().find(id).orElseThrow().job().reason()).isEqualTo(DeadReason.OUTCOME_UNKNOWN.name());
        belay.client().deadLetters().replay(id, By.of("test"));
        assertThat(last(belay.runAll()).state()).isEqualTo(JobState.DEAD);
        assertThat(calls).hasSize(1);
    }

    @Test
    void G8_aFinalFailureIsEveryJobsUntilItsOwnIsReplayed() {
        belay.handle(
                CHARGE,
                (order, context) -> context.once(Effect.of("order-42", String.class), key -> {
                    calls.add(key);
                    if (calls.size() == 1) {
                        throw context.bury("stolen");
                    }
                    return "paid";
                }));
        var first = belay.client().enqueue(CHARGE, 42).id();
        belay.runAll();
        var second = belay.client().enqueue(CHARGE, 42).id();
        belay.runAll();
        assertThat(belay.client().find(second).orElseThrow().job().reason()).isEqualTo(DeadReason.NOT_RETRYABLE.name());
        assertThat(calls).hasSize(1);
        belay.client().deadLetters().replay(first, By.of("test"));
        assertThat(last(belay.runAll()).succeeded()).isTrue();
        assertThat(calls).hasSize(2);
    }

    @Test
    void G8_anotherRequestIsAConflict() {
        belay.handle(
                CHARGE,
                (order, context) ->
                        context.once(Effect.of("order", String.class).request(order), this::call));
        belay.client().enqueue(CHARGE, 42);
        belay.client().enqueue(CHARGE, 43);
        var runs = belay.runAll();
        assertThat(runs).extracting(Run::state).containsExactly(JobState.SUCCEEDED, JobState.DEAD);
        assertThat(runs.get(1).thrown()).isInstanceOf(EffectException.Conflict.class);
    }

    @Test
    void codeOutsideOfJobsSharesIt_andKeysExpireByTheTestsTime() throws Exception {
        var once = Once.in(belay.ledger());
        var effect = Effect.of("order-42", String.class).scope("POST /payments").retention(Duration.ofDays(1));
        assertThat(once.call(effect, this::call)).isEqualTo("receipt-1");
        assertThat(once.call(effect, this::call)).isEqualTo("receipt-1");
        belay.advance(Duration.ofDays(1));
        assertThat(once.call(effect, this::call)).isEqualTo("receipt-2");
    }

    @Test
    void G8_onlyTheOwnerEndsAReservation_andALivingOneIsNotTakenOver() {
        var ledger = belay.ledger();
        var mine = claim("order-42", ledger.caller(), false);
        var others = claim("order-42", ledger.caller(), false);
        assertThat(ledger.reserve(mine, OwnerCheck.NO_BROKER)).isEqualTo(new Reservation.Reserved(false));
        assertThat(ledger.reserve(others, OwnerCheck.NO_BROKER)).isInstanceOf(Reservation.InProgress.class);
        assertThat(ledger.complete(others, null, "json")).isFalse();
        assertThat(ledger.abandon(mine)).isTrue();
        assertThat(ledger.reserve(claim("order-42", ledger.caller(), true), OwnerCheck.NO_BROKER))
                .isInstanceOf(Reservation.Unknown.class);
        assertThat(ledger.release(mine)).as("it holds it no longer").isFalse();
    }

    private static Claim claim(String key, Owner owner, boolean atMostOnce) {
        return new Claim("scope", key, null, atMostOnce, null, owner);
    }

    @Test
    void anEffectInADatabaseNeedsALedgerThatHasOne() {
        belay.handle(
                CHARGE,
                (order, context) -> context.onceInTransaction(Effect.of("order-42", String.class), connection -> "x"));
        belay.client().enqueue(CHARGE, 42);
        assertThat(belay.runNext().orElseThrow().thrown())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("TestBelay.builder().ledger(");
    }

    @Test
    void aLedgerOfTheTestsOwnIsAsked() {
        var asked = new AtomicInteger();
        try (var own =
                TestBelay.builder().ledger(new Counting(belay.ledger(), asked)).build()) {
            own.handle(CHARGE, (order, context) -> context.once(Effect.of("order-42", String.class), this::call));
            own.client().enqueue(CHARGE, 42);
            assertThat(own.runAll())
                    .singleElement()
                    .satisfies(run -> assertThat(run.succeeded()).isTrue());
        }
        assertThat(asked).hasValue(1);
        assertThatThrownBy(() -> Once.in(belay.ledger()).call(Effect.of("order-42", String.class), this::call))
                .as("outside of a job a scope is demanded, also in memory")
                .hasMessageContaining("scope");
    }

    private record Counting(Ledger ledger, AtomicInteger asked) implements Ledger {
        @Override
        public Owner.Caller caller() {
            return ledger.caller();
        }

        @Override
        public Reservation reserve(Claim claim, OwnerCheck owners) {
            asked.incrementAndGet();
            return ledger.reserve(claim, owners);
        }

        @Override
        public boolean complete(Claim claim, byte @Nullable [] result, String encoding) {
            return ledger.complete(claim, result, encoding);
        }

        @Override
        public boolean fail(Claim claim, String error) {
            return ledger.fail(claim, error);
        }

        @Override
        public boolean abandon(Claim claim) {
            return ledger.abandon(claim);
        }

        @Override
        public boolean release(Claim claim) {
            return ledger.release(claim);
        }

        @Override
        public boolean doubt(Claim claim) {
            return ledger.doubt(claim);
        }

        @Override
        public Reservation inTransaction(Claim claim, OwnerCheck owners, Work work) throws Exception {
            return ledger.inTransaction(claim, owners, work);
        }

        @Override
        public void close() {
            ledger.close();
        }
    }
}
