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

import dev.belay.job.By;
import dev.belay.job.Fingerprint;
import dev.belay.job.JobId;
import dev.belay.job.LeaseId;
import dev.belay.job.SessionId;
import dev.belay.once.Claim;
import dev.belay.once.Owner;
import dev.belay.once.OwnerCheck;
import dev.belay.once.Reservation;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a ledger promises, on each database. */
abstract class LedgerContract {

    private static final By ANN = By.of("ann", "asked the provider");
    private static final Reservation.Reserved FRESH = new Reservation.Reserved(false);
    private static final Reservation.Reserved AGAIN = new Reservation.Reserved(true);

    private final Set<LeaseId> held = ConcurrentHashMap.newKeySet();
    private final OwnerCheck owners = owner -> held.contains(owner.lease());
    private TestDatabase database;
    private JdbcLedger ledger;

    abstract TestDatabase database();

    @BeforeEach
    void open() {
        database = database();
        ledger = database.ledger().open();
    }

    @AfterEach
    void close() {
        ledger.close();
        database.close();
    }

    /** A delivery whose lease is held. */
    private Owner.Delivery living(JobId job, long token) {
        var delivery = delivery(job, token);
        held.add(delivery.lease());
        return delivery;
    }

    private Reservation reserve(Claim claim) {
        return ledger.reserve(claim, owners);
    }

    private static void assertRecorded(Reservation answer, String result) {
        assertThat(answer).isInstanceOfSatisfying(Reservation.Recorded.class, recorded -> {
            assertThat(recorded.result()).isEqualTo(bytes(result));
            assertThat(recorded.encoding()).isEqualTo("json");
        });
    }

    @Test
    void G8_whatIsRecordedIsAnsweredFromThenOn() {
        var first = claim("order-1", living(JOB, 1));
        assertThat(reserve(first)).isEqualTo(FRESH);
        assertThat(ledger.complete(first, bytes("\"paid\""), "json")).isTrue();

        assertRecorded(reserve(claim("order-1", living(JOB, 2))), "\"paid\"");
        assertRecorded(reserve(claim("order-1", living(JobId.next(), 3))), "\"paid\"");
        assertRecorded(reserve(claim("order-1", ledger.caller())), "\"paid\"");
        assertThat(reserve(claim("order-2", living(JobId.next(), 4)))).isEqualTo(FRESH);
        assertThat(reserve(new Claim("other/scope", "order-1", null, false, null, living(JobId.next(), 5))))
                .as("scopes are apart")
                .isEqualTo(FRESH);
    }

    @Test
    void G8_anEffectWithoutAResultIsRecordedAsWell() {
        var first = claim("order-1", living(JOB, 1));
        reserve(first);
        ledger.complete(first, null, "json");
        assertThat(reserve(claim("order-1", living(JOB, 2)))).isEqualTo(new Reservation.Recorded(null, "json"));
    }

    @Test
    void G8_theSameKeyWithAnotherRequestIsAConflict() {
        var first = claim("order-1", "19.90", living(JOB, 1));
        reserve(first);
        var other = claim("order-1", "29.90", living(JobId.next(), 2));
        assertThat(reserve(other)).isInstanceOfSatisfying(Reservation.Conflict.class, conflict -> {
            assertThat(conflict.recorded()).isEqualTo(Claims.fingerprint("19.90"));
            assertThat(conflict.given()).isEqualTo(Claims.fingerprint("29.90"));
            assertThat(conflict.firstSeen())
                    .isEqualTo(ledger.admin()
                            .find(SCOPE, "order-1")
                            .map(LedgerEntry::createdAt)
                            .orElseThrow());
        });
        ledger.complete(first, bytes("1"), "json");
        assertThat(reserve(other)).isInstanceOf(Reservation.Conflict.class);
        assertRecorded(reserve(claim("order-1", "19.90", living(JobId.next(), 3))), "1");
        assertRecorded(reserve(claim("order-1", null, living(JobId.next(), 4))), "1");
    }

    @Test
    void G8_theSameJobMayAskForSomethingElseWhenItTakesOverItsOwnReservation() {
        reserve(claim("order-1", "19.90", living(JOB, 1)));
        assertThat(reserve(claim("order-1", "29.90", living(JOB, 2)))).isEqualTo(AGAIN);
        assertThat(ledger.admin().find(SCOPE, "order-1").orElseThrow().fingerprint())
                .isEqualTo(Claims.fingerprint("29.90"));
    }

    @Test
    void G8_whileALeaseIsHeldItsReservationIsNotTakenOver() {
        var owner = living(JOB, 1);
        reserve(claim("order-1", owner));
        var other = claim("order-1", living(JobId.next(), 2));
        assertThat(reserve(other))
                .isInstanceOfSatisfying(
                        Reservation.InProgress.class,
                        progress -> assertThat(progress.owner()).contains(JOB.toString()));
        assertThat(reserve(claim("order-1", ledger.caller()))).isInstanceOf(Reservation.InProgress.class);

        held.remove(owner.lease());
        assertThat(reserve(other)).isEqualTo(AGAIN);
    }

    @Test
    void G8_whoCanNotAskTheOwnersStoreTakesNothingOver() {
        reserve(claim("order-1", delivery(JOB, 1)));
        assertThat(ledger.reserve(claim("order-1", ledger.caller()), OwnerCheck.NO_BROKER))
                .isInstanceOf(Reservation.InProgress.class);
    }

    @Test
    void G8_aNewerDeliveryOfTheSameJobTakesOverAndTheOlderIsRefused() {
        var zombie = claim("order-1", living(JOB, 1));
        reserve(zombie);
        var heir = claim("order-1", living(JOB, 2));
        assertThat(reserve(heir)).isEqualTo(AGAIN);

        assertThat(ledger.complete(zombie, bytes("\"late\""), "json")).isFalse();
        assertThat(ledger.fail(zombie, "late")).isFalse();
        assertThat(ledger.abandon(zombie)).isFalse();
        assertThat(ledger.release(zombie)).isFalse();
        assertThat(ledger.doubt(zombie)).isFalse();
        assertThat(reserve(zombie)).isInstanceOf(Reservation.InProgress.class);
        assertThat(ledger.complete(heir, bytes("\"right\""), "json")).isTrue();
        assertRecorded(reserve(zombie), "\"right\"");
    }

    @Test
    void G8_aReservationWhoseAttemptIsOverIsFreeToBeTriedAgain() {
        var first = claim("order-1", living(JOB, 1));
        reserve(first);
        assertThat(ledger.abandon(first)).isTrue();
        assertThat(reserve(claim("order-1", living(JobId.next(), 2)))).isEqualTo(AGAIN);
    }

    @Test
    void G8_aReleasedKeyIsFresh() {
        var first = claim("order-1", "19.90", living(JOB, 1));
        reserve(first);
        assertThat(ledger.release(first)).isTrue();
        assertThat(reserve(claim("order-1", "29.90", living(JobId.next(), 2)))).isEqualTo(FRESH);
    }

    @Test
    void G8_atMostOnceIsNotTakenOverButLeftToAPerson() {
        var owner = living(JOB, 1);
        var first = atMostOnce("order-1", owner);
        assertThat(reserve(first)).isEqualTo(FRESH);
        assertThat(reserve(atMostOnce("order-1", living(JobId.next(), 2)))).isInstanceOf(Reservation.InProgress.class);

        assertThat(reserve(atMostOnce("order-1", living(JOB, 3)))).isInstanceOf(Reservation.Unknown.class);
        assertThat(reserve(claim("order-1", living(JobId.next(), 4))))
                .as("whoever asks, and however")
                .isInstanceOf(Reservation.Unknown.class);
        assertThat(ledger.admin().open(null, 10))
                .singleElement()
                .satisfies(entry -> assertThat(entry.isUnknown()).isTrue());

        assertThat(ledger.admin().happened(SCOPE, "order-1", bytes("\"paid\""), "json", ANN))
                .isEqualTo(LedgerAdmin.Change.DONE);
        assertRecorded(reserve(atMostOnce("order-1", living(JOB, 5))), "\"paid\"");
        assertThat(ledger.complete(first, bytes("\"late\""), "json")).isFalse();
        assertThat(ledger.admin().audit(10)).singleElement().satisfies(entry -> {
            assertThat(entry.actor()).isEqualTo("ann");
            assertThat(entry.action()).isEqualTo("resolve");
            assertThat(entry.key()).isEqualTo("order-1");
            assertThat(entry.reason()).isEqualTo("happened: asked the provider");
        });
    }

    @Test
    void G8_atMostOnceDoesNotTakeOverWhatMayHaveHappened() {
        var first = claim("order-1", living(JOB, 1));
        reserve(first);
        ledger.abandon(first);
        assertThat(reserve(atMostOnce("order-1", living(JOB, 2)))).isInstanceOf(Reservation.Unknown.class);
    }

    @Test
    void G8_whoHasReadARowDoesNotTakeTheOneThatWasMadeAnewMeanwhile() {
        var first = claim("order-1", living(JOB, 1));
        reserve(first);
        var heir = claim("order-1", living(JOB, 2));
        OwnerCheck slow = owner -> {
            if (owner.token() == 1) {
                ledger.release(first);
                assertThat(reserve(heir)).isEqualTo(FRESH);
                return false;
            }
            return owners.mayAct(owner);
        };
        assertThat(ledger.reserve(claim("order-1", living(JobId.next(), 3)), slow))
                .isInstanceOf(Reservation.InProgress.class);
        assertThat(ledger.complete(heir, null, "json")).isTrue();
    }

    @Test
    void G8_whatDidNotHappenMayHappen() {
        var first = atMostOnce("order-1", living(JOB, 1));
        reserve(first);
        assertThat(ledger.admin().didNotHappen(SCOPE, "order-1", ANN))
                .as("somebody is making it just now")
                .isEqualTo(LedgerAdmin.Change.WRONG_STATE);
        ledger.doubt(first);
        assertThat(ledger.admin().didNotHappen(SCOPE, "order-1", ANN)).isEqualTo(LedgerAdmin.Change.DONE);
        assertThat(reserve(atMostOnce("order-1", living(JOB, 2)))).isEqualTo(FRESH);
        assertThat(ledger.admin().didNotHappen(SCOPE, "order-9", ANN)).isEqualTo(LedgerAdmin.Change.MISSING);
    }

    @Test
    void G8_anOwnerThatStillKnowsEndsTheDoubt() {
        var owner = living(JOB, 1);
        var first = atMostOnce("order-1", owner);
        reserve(first);
        held.remove(owner.lease());
        assertThat(reserve(atMostOnce("order-1", living(JobId.next(), 2)))).isInstanceOf(Reservation.Unknown.class);
        assertThat(ledger.complete(first, bytes("\"paid\""), "json")).isTrue();
        assertRecorded(reserve(atMostOnce("order-1", living(JobId.next(), 3))), "\"paid\"");
    }

    @Test
    void G8_whatFailedForGoodIsTriedAgainByAReplayOfItsJobOnly() {
        var first = claim("order-1", living(JOB, 1));
        reserve(first);
        assertThat(ledger.fail(first, "card stolen")).isTrue();
        assertThat(reserve(claim("order-1", living(JOB, 2))))
                .isInstanceOfSatisfying(
                        Reservation.Failed.class,
                        failed -> assertThat(failed.error()).isEqualTo("card stolen"));
        assertThat(reserve(claim("order-1", delivery(JobId.next(), 3, 7)))).isInstanceOf(Reservation.Failed.class);
        assertThat(reserve(claim("order-1", delivery(JOB, 4, 1)))).isEqualTo(AGAIN);
    }

    @Test
    void G8_manyCallersAtOnceMakeOneEffectForAKey() throws Exception {
        var rounds = 20;
        var threads = 20;
        var pool = Executors.newFixedThreadPool(threads);
        try {
            for (var round = 0; round < rounds; round++) {
                var key = "order-" + round;
                var made = new AtomicInteger();
                var answers = new ArrayList<Future<Boolean>>();
                for (var i = 0; i < threads; i++) {
                    answers.add(pool.submit(() -> makes(claim(key, ledger.caller()), made)));
                }
                for (var answer : answers) {
                    assertThat(answer.get()).isTrue();
                }
                assertThat(made).as(key).hasValue(1);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** Asks until there is an answer. */
    private boolean makes(Claim claim, AtomicInteger made) {
        while (true) {
            var answer = reserve(claim);
            if (answer instanceof Reservation.Reserved) {
                made.incrementAndGet();
                return ledger.complete(claim, bytes("1"), "json");
            }
            if (answer instanceof Reservation.Recorded) {
                return true;
            }
            assertThat(answer).isInstanceOf(Reservation.InProgress.class);
        }
    }

    private void createEffects() throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE effects (name VARCHAR(100))");
        }
    }

    private int effects() throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) FROM effects")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private Reservation insert(Claim claim) throws Exception {
        return ledger.inTransaction(claim, owners, connection -> {
            try (var statement = connection.prepareStatement("INSERT INTO effects VALUES (?)")) {
                statement.setString(1, claim.key());
                statement.executeUpdate();
            }
            return new Reservation.Recorded(bytes("1"), "json");
        });
    }

    @Test
    void G8_effectAndRecordCommitTogether() throws Exception {
        createEffects();
        assertRecorded(insert(claim("order-1", living(JOB, 1))), "1");
        assertRecorded(insert(claim("order-1", living(JOB, 2))), "1");
        assertRecorded(reserve(claim("order-1", living(JobId.next(), 3))), "1");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void G8_whatThrowsLeavesNeitherEffectNorRecord() throws Exception {
        createEffects();
        var failing = claim("order-1", living(JOB, 1));
        assertThatThrownBy(() -> ledger.inTransaction(failing, owners, connection -> {
                    try (var statement = connection.createStatement()) {
                        statement.execute("INSERT INTO effects VALUES ('x')");
                    }
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no");
        assertThat(effects()).isZero();
        assertThat(ledger.admin().find(SCOPE, "order-1")).isEmpty();
        assertRecorded(insert(failing), "1");
    }

    @Test
    void G8_aTransactionIsNotTheCallersToEnd() {
        var mine = claim("order-1", living(JOB, 1));
        for (var end : List.<Ending>of(
                connection -> connection.commit(),
                connection -> connection.rollback(),
                connection -> connection.close(),
                connection -> connection.setAutoCommit(true))) {
            assertThatThrownBy(() -> ledger.inTransaction(mine, owners, connection -> {
                        end.end(connection);
                        return new Reservation.Recorded(null, "json");
                    }))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("commit together");
        }
        assertThat(ledger.admin().find(SCOPE, "order-1")).isEmpty();
    }

    private interface Ending {
        void end(java.sql.Connection connection) throws SQLException;
    }

    @Test
    void G8_manyTransactionsAtOnceMakeOneEffectForAKey() throws Exception {
        createEffects();
        var threads = 20;
        var pool = Executors.newFixedThreadPool(threads);
        try {
            for (var round = 0; round < 10; round++) {
                var key = "order-" + round;
                var answers = new ArrayList<Future<Reservation>>();
                for (var i = 0; i < threads; i++) {
                    answers.add(pool.submit(() -> insert(claim(key, ledger.caller()))));
                }
                for (var answer : answers) {
                    assertRecorded(answer.get(), "1");
                }
                assertThat(effects()).isEqualTo(round + 1);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void G8_aTransactionTakesOverWhatADeadOwnerLeft() throws Exception {
        createEffects();
        var owner = living(JOB, 1);
        reserve(claim("order-1", owner));
        assertThat(insert(claim("order-1", living(JobId.next(), 2)))).isInstanceOf(Reservation.InProgress.class);
        assertThat(effects()).isZero();
        held.remove(owner.lease());
        assertRecorded(insert(claim("order-1", living(JobId.next(), 3))), "1");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void G8_aCallersReservationHoldsForAsLongAsItsProcessLives() {
        var paces = database.ledger()
                .session(
                        Duration.ofMillis(900), Duration.ofMillis(300), Duration.ofMillis(100), Duration.ofMillis(700));
        try (var one = paces.open();
                var two = database.ledger()
                        .session(
                                Duration.ofMillis(900),
                                Duration.ofMillis(300),
                                Duration.ofMillis(100),
                                Duration.ofMillis(700))
                        .open()) {
            var mine = claim("order-1", one.caller());
            one.reserve(mine, owners);
            // Several lives long: only heartbeats keep it.
            await().during(Duration.ofMillis(2_500))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> two.reserve(claim("order-1", two.caller()), owners) instanceof Reservation.InProgress);
            one.close();
            assertThat(two.reserve(claim("order-1", two.caller()), owners)).isEqualTo(AGAIN);
        }
    }

    @Test
    void G8_aDeadProcessHoldsNothingForLong() throws Exception {
        var dead = SessionId.next();
        try (var connection = database.connect();
                var insert = connection.prepareStatement(
                        "INSERT INTO belay_ledger_session (id, name, deadline) VALUES (?, 'dead', 0)")) {
            insert.setBytes(1, dev.belay.jdbc.Rows.bytes(dead.value()));
            insert.executeUpdate();
        }
        reserve(claim("order-1", new Owner.Caller(dead, 1)));
        assertThat(reserve(claim("order-1", ledger.caller()))).isInstanceOf(Reservation.InProgress.class);
        try (var quick = database.ledger()
                .session(Duration.ofMillis(900), Duration.ofMillis(300), Duration.ofMillis(50), Duration.ofMillis(500))
                .open()) {
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(quick.reserve(claim("order-1", quick.caller()), owners))
                            .isEqualTo(AGAIN));
        }
    }

    @Test
    void G8_keysExpireByRetentionButNeverWhilePending() {
        var done = new Claim(SCOPE, "done", null, false, Duration.ofMillis(1), living(JOB, 1));
        var failed = new Claim(SCOPE, "failed", null, false, Duration.ofMillis(1), living(JOB, 2));
        var pending = new Claim(SCOPE, "pending", null, false, Duration.ofMillis(1), living(JOB, 3));
        var kept = claim("kept", living(JOB, 4));
        for (var each : List.of(done, failed, pending, kept)) {
            reserve(each);
        }
        ledger.complete(done, null, "json");
        ledger.fail(failed, "no");
        ledger.complete(kept, null, "json");
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(ledger.admin().find(SCOPE, "done")).isEmpty();
            assertThat(ledger.admin().find(SCOPE, "failed")).isEmpty();
        });
        assertThat(ledger.admin().find(SCOPE, "pending")).isPresent();
        assertThat(ledger.admin().find(SCOPE, "kept")).isPresent();
    }

    @Test
    void G8_aPersonFreesAKey() {
        var mine = claim("order-1", living(JOB, 1));
        reserve(mine);
        var admin = ledger.admin();
        assertThat(admin.release(SCOPE, "order-1", false, ANN)).isEqualTo(LedgerAdmin.Change.WRONG_STATE);
        assertThat(admin.release(SCOPE, "order-1", true, ANN)).isEqualTo(LedgerAdmin.Change.DONE);
        assertThat(ledger.complete(mine, null, "json")).isFalse();
        assertThat(admin.release(SCOPE, "order-1", true, ANN)).isEqualTo(LedgerAdmin.Change.MISSING);
        assertThat(admin.audit(10)).hasSize(1);
    }

    @Test
    void openOnesAreListedPageByPage() {
        for (var i = 0; i < 7; i++) {
            var each = claim("order-" + i, living(JobId.next(), i + 1L));
            reserve(each);
            if (i % 3 == 2) {
                ledger.complete(each, null, "json");
            }
        }
        var first = ledger.admin().open(null, 3);
        var rest = ledger.admin().open(first.get(2), 3);
        var all = new ArrayList<>(first);
        all.addAll(rest);
        assertThat(all)
                .extracting(LedgerEntry::key)
                .containsExactlyInAnyOrder("order-0", "order-1", "order-3", "order-4", "order-6");
    }

    @Test
    void twoProgramsMayOpenAFreshDatabaseAtOnce() throws Exception {
        var fresh = database();
        var pool = Executors.newFixedThreadPool(4);
        try {
            var opened = new ArrayList<Future<JdbcLedger>>();
            for (var i = 0; i < 4; i++) {
                opened.add(pool.submit(() -> fresh.ledger().open()));
            }
            for (var each : opened) {
                each.get().close();
            }
        } finally {
            pool.shutdownNow();
            fresh.close();
        }
    }

    @Test
    void aFingerprintSurvives() {
        var fingerprint = Fingerprint.of(bytes("x"));
        reserve(new Claim(SCOPE, "order-1", fingerprint, true, null, living(JOB, 1)));
        var entry = ledger.admin().find(SCOPE, "order-1").orElseThrow();
        assertThat(entry.fingerprint()).isEqualTo(fingerprint);
        assertThat(entry.atMostOnce()).isTrue();
        assertThat(entry.state()).isEqualTo(LedgerEntry.State.PENDING);
        assertThat(entry.owner())
                .isInstanceOfSatisfying(
                        Owner.Delivery.class,
                        owner -> assertThat(owner.lease().job()).isEqualTo(JOB));
    }
}
