package dev.belay.ledger;

import static dev.belay.ledger.Claims.JOB;
import static dev.belay.ledger.Claims.SCOPE;
import static dev.belay.ledger.Claims.atMostOnce;
import static dev.belay.ledger.Claims.bytes;
import static dev.belay.ledger.Claims.claim;
import static dev.belay.ledger.Claims.delivery;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.belay.Once;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.LeaseId;
import dev.belay.once.Effect;
import dev.belay.once.EffectException;
import dev.belay.once.LedgerException;
import dev.belay.once.Owner;
import dev.belay.once.OwnerCheck;
import dev.belay.once.Reservation;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Failures that users of such ledgers met, on each database. */
abstract class IdempotencyCases {

    private static final By ANN = By.of("ann");
    private static final Reservation.Reserved FRESH = new Reservation.Reserved(false);

    private final Set<LeaseId> held = ConcurrentHashMap.newKeySet();
    private final OwnerCheck owners = owner -> held.contains(owner.lease());
    private final List<String> calls = new ArrayList<>();
    private TestDatabase database;
    private WatchedSource source;
    private JdbcLedger ledger;
    private Once once;

    abstract TestDatabase database();

    @BeforeEach
    void open() {
        database = database();
        source = new WatchedSource(database);
        ledger = LedgerBuilder.of(source).open();
        once = Once.in(ledger);
    }

    @AfterEach
    void close() {
        ledger.close();
        database.close();
    }

    private Effect<String> effect(String scope) {
        return Effect.of("K", String.class).scope(scope);
    }

    private String call(String answer) {
        calls.add(answer);
        return answer;
    }

    private Owner.Delivery living(JobId job, long token) {
        var delivery = delivery(job, token);
        held.add(delivery.lease());
        return delivery;
    }

    @Test
    void case86_anotherBodyIsRefusedAndAnotherFormatIsNot() throws Exception {
        var pay = effect("POST /payments");
        var body = new LinkedHashMap<String, Object>();
        body.put("amount", new BigDecimal("1.0"));
        body.put("name", "\u00e4");
        assertThat(once.call(pay.request(body), key -> call("first"))).isEqualTo("first");

        var turned = new LinkedHashMap<String, Object>();
        turned.put("name", "\u00e4");
        turned.put("amount", 1);
        assertThat(once.call(pay.request(turned), key -> call("formatted"))).isEqualTo("first");
        for (var other : List.of(
                Map.of("amount", 2, "name", "\u00e4"),
                Map.of("amount", 1, "name", "a"),
                Map.of("amount", 1, "name", "\u00e4", "delay", 5),
                Map.of("amount", "1", "name", "\u00e4"))) {
            assertThatThrownBy(() -> once.call(pay.request(other), key -> call("other")))
                    .isInstanceOf(EffectException.Conflict.class)
                    .hasMessageContaining("'K'");
        }
        assertThat(calls).containsExactly("first");
    }

    @Test
    void case87_scopesAreIndependentAndNoResultCrosses() throws Exception {
        var scopes = List.of(
                "POST /payments of A", "POST /payments of B", "POST /refunds of A", "POST /payments of A, scheduled");
        for (var scope : scopes) {
            assertThat(once.call(effect(scope).request(scope), key -> call(scope)))
                    .isEqualTo(scope);
        }
        for (var scope : scopes) {
            assertThat(once.call(effect(scope).request(scope), key -> call("again")))
                    .isEqualTo(scope);
        }
        assertThat(calls).containsExactlyElementsOf(scopes);
    }

    @Test
    void case87_whatWasRefusedOrNotReachedDoesNotBurnTheKey() throws Exception {
        var pay = effect("POST /payments").notDoneOn(IllegalArgumentException.class);
        assertThatThrownBy(() -> once.call(pay.request("invalid"), key -> {
                    throw new IllegalArgumentException("400");
                }))
                .isInstanceOf(IllegalArgumentException.class);
        source.loseReplyOf("INSERT INTO belay_ledger");
        assertThatThrownBy(() -> once.call(pay.request("not reached"), key -> call("not reached")))
                .isInstanceOf(LedgerException.class);
        assertThatThrownBy(() -> once.call(pay.request("right"), key -> {
                    throw new IOException("503");
                }))
                .isInstanceOf(IOException.class);
        assertThat(once.call(pay.request("right"), key -> call("paid"))).isEqualTo("paid");
        assertThat(calls).containsExactly("paid");
    }

    @Test
    void case89_howeverAHolderEndsTheKeyIsFreeOrSaysWhy() {
        var killed = living(JOB, 1);
        ledger.reserve(claim("killed", killed), owners);
        assertThat(ledger.reserve(claim("killed", living(JobId.next(), 2)), owners))
                .as("tells which job holds it")
                .isInstanceOfSatisfying(
                        Reservation.InProgress.class,
                        progress -> assertThat(progress.owner()).contains(JOB.toString()));
        held.remove(killed.lease());
        assertThat(ledger.reserve(claim("killed", living(JobId.next(), 3)), owners))
                .isEqualTo(new Reservation.Reserved(true));

        var failed = claim("failed", living(JOB, 4));
        ledger.reserve(failed, owners);
        ledger.fail(failed, "card stolen");
        assertThat(ledger.reserve(claim("failed", living(JobId.next(), 5)), owners))
                .isInstanceOfSatisfying(
                        Reservation.Failed.class,
                        answer -> assertThat(answer.error()).isEqualTo("card stolen"));

        var halted = atMostOnce("halted", living(JOB, 6));
        ledger.reserve(halted, owners);
        held.remove(((Owner.Delivery) halted.owner()).lease());
        assertThat(ledger.reserve(atMostOnce("halted", living(JobId.next(), 7)), owners))
                .isInstanceOf(Reservation.Unknown.class);

        var given = claim("given back", living(JOB, 8));
        ledger.reserve(given, owners);
        ledger.release(given);
        assertThat(ledger.reserve(claim("given back", living(JobId.next(), 9)), owners))
                .isEqualTo(FRESH);
    }

    @Test
    void case89_anExpiredKeyIsFree() {
        var done = new dev.belay.once.Claim(SCOPE, "done", null, false, Duration.ofMillis(1), living(JOB, 1));
        ledger.reserve(done, owners);
        ledger.complete(done, null, "json");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> ledger.reserve(claim("done", living(JobId.next(), 2)), owners)
                        .equals(FRESH));
    }

    @Test
    void case90_aKeyThatAPersonReleasesIsFreeAtOnceWhateverItsState() {
        var job = 0;
        for (var state : List.of("held", "abandoned", "in doubt", "completed", "failed")) {
            var first = claim(state, living(JobId.next(), ++job));
            ledger.reserve(first, owners);
            switch (state) {
                case "abandoned" -> ledger.abandon(first);
                case "in doubt" -> ledger.doubt(first);
                case "completed" -> ledger.complete(first, bytes("1"), "json");
                case "failed" -> ledger.fail(first, "no");
                default ->
                    assertThat(ledger.admin().release(SCOPE, state, false, ANN))
                            .as("not by mistake while somebody makes it")
                            .isEqualTo(LedgerAdmin.Change.WRONG_STATE);
            }
            assertThat(ledger.admin().release(SCOPE, state, true, ANN))
                    .as(state)
                    .isEqualTo(LedgerAdmin.Change.DONE);
            assertThat(ledger.reserve(claim(state, living(JobId.next(), ++job)), owners))
                    .as(state)
                    .isEqualTo(FRESH);
        }
    }
}
