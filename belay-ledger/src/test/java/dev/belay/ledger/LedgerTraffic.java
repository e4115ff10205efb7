package dev.belay.ledger;

import static dev.belay.ledger.Claims.JOB;
import static dev.belay.ledger.Claims.atMostOnce;
import static dev.belay.ledger.Claims.bytes;
import static dev.belay.ledger.Claims.claim;
import static dev.belay.ledger.Claims.delivery;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.belay.once.LedgerException;
import dev.belay.once.OwnerCheck;
import dev.belay.once.Reservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes between the ledger and its database: how much of it, and what happens when it is lost or held up. */
abstract class LedgerTraffic {

    private static final OwnerCheck HELD = owner -> true;
    private static final Reservation.Reserved FRESH = new Reservation.Reserved(false);

    private TestDatabase database;
    private WatchedSource source;
    private JdbcLedger ledger;

    abstract TestDatabase database();

    /** How many statements reserve a key that nobody has, for a caller outside of a job. */
    abstract int statementsToReserve();

    @BeforeEach
    void open() {
        database = database();
        source = new WatchedSource(database);
        // The background would be among what is counted.
        ledger = LedgerBuilder.of(source)
                .session(Duration.ofHours(3), Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(4))
                .open();
        ledger.caller();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> source.statements().stream().anyMatch(sql -> sql.contains("WHERE deadline <")));
    }

    @AfterEach
    void close() {
        ledger.close();
        database.close();
    }

    @Test
    void aRecordedKeyIsAnsweredByOneStatement() {
        var first = claim("order-1", delivery(JOB, 1));
        ledger.reserve(first, HELD);
        ledger.complete(first, bytes("1"), "json");
        source.statements();
        assertThat(ledger.reserve(claim("order-1", delivery(JOB, 2)), HELD)).isInstanceOf(Reservation.Recorded.class);
        assertThat(source.statements()).hasSize(1);
    }

    @Test
    void aFreshKeyCostsNoMoreThanItMust() {
        var mine = claim("order-1", ledger.caller());
        ledger.reserve(mine, HELD);
        assertThat(source.statements()).hasSize(statementsToReserve());
        ledger.complete(mine, bytes("1"), "json");
        assertThat(source.statements()).hasSize(1);
    }

    @Test
    void G8_aReservationThatWasNotAnsweredLeavesNothingInDoubt() {
        for (var token : new long[] {2, 1}) {
            var key = "order-" + token;
            var mine = atMostOnce(key, delivery(JOB, 1));
            source.loseReplyOf("INSERT INTO belay_ledger");
            assertThatThrownBy(() -> ledger.reserve(mine, HELD)).isInstanceOf(LedgerException.class);
            assertThat(ledger.reserve(atMostOnce(key, delivery(JOB, token)), HELD))
                    .as("the call was not made: by delivery %s it may be", token)
                    .isEqualTo(FRESH);
        }
    }

    @Test
    void G8_aRecordThatWasNotAnsweredIsRecognised() {
        var mine = claim("order-1", delivery(JOB, 1));
        ledger.reserve(mine, HELD);
        source.loseReplyOf("'COMPLETED'");
        assertThat(ledger.complete(mine, bytes("1"), "json")).isTrue();
    }

    @Test
    void G8_callersWhoHoldAllConnectionsDoNotEndTheirSession() throws Exception {
        var pool = Executors.newFixedThreadPool(12);
        var go = new CountDownLatch(1);
        try (var one = quick().open();
                var two = quick().open()) {
            var mine = claim("held", one.caller());
            one.reserve(mine, HELD);
            var inside = new CountDownLatch(database instanceof TestDatabase.SqliteFile ? 1 : 10);
            var works = new ArrayList<Future<Reservation>>();
            for (var i = 0; i < 12; i++) {
                var each = claim("work-" + i, one.caller());
                works.add(pool.submit(() -> one.inTransaction(each, HELD, connection -> {
                    inside.countDown();
                    go.await();
                    return new Reservation.Recorded(null, "json");
                })));
            }
            assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
            // Several lives long: only heartbeats keep it.
            await().during(Duration.ofMillis(2_500))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> two.reserve(claim("held", delivery(JOB, 1)), HELD) instanceof Reservation.InProgress);
            go.countDown();
            for (var work : works) {
                assertThat(work.get()).isInstanceOf(Reservation.Recorded.class);
            }
            assertThat(one.complete(mine, bytes("1"), "json")).isTrue();
        } finally {
            go.countDown();
            pool.shutdownNow();
        }
    }

    private LedgerBuilder quick() {
        return database.ledger()
                .session(
                        Duration.ofMillis(900), Duration.ofMillis(300), Duration.ofMillis(100), Duration.ofMillis(700));
    }
}
