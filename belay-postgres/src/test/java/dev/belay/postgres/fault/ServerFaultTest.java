package dev.belay.postgres.fault;

import static dev.belay.postgres.fault.Scene.WORK;
import static dev.belay.postgres.fault.Scene.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.BrokerException;
import dev.belay.broker.Verdict;
import dev.belay.job.By;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that is killed, ends sessions, is read-only for a while, has no connection left, or is held up by others. */
@SuppressWarnings("NullAway.Init") // set before each test
class ServerFaultTest {

    private OwnServer server;
    private Scene scene;

    @BeforeEach
    void open() throws Exception {
        server = OwnServer.start("max_connections", "24");
        scene = new Scene(server.port(), 5);
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
        server.close();
    }

    private interface Fault {
        void happens() throws Exception;
    }

    private void whileUnderLoad(int rounds, Fault fault) throws Exception {
        scene.worker(10, (payload, context) -> {});
        try (var load = scene.new Load(4)) {
            for (var round = 0; round < rounds; round++) {
                load.awaitAccepted(20);
                fault.happens();
                load.awaitAccepted(20);
            }
            load.close();
            assertThat(load.refused).isEmpty();
            scene.awaitSucceeded(load.accepted);
            assertThat(scene.stored()).isEqualTo(load.accepted.size());
        }
    }

    @Test
    void G1_aKilledServerLosesNothingAccepted() throws Exception {
        whileUnderLoad(3, () -> {
            server.kill();
            server.restart();
        });
    }

    @Test
    void G1_sessionsThatTheServerEndsLoseAndDoubleNothing() throws Exception {
        whileUnderLoad(10, () -> server.terminateSessions());
    }

    @Test
    void aServerThatIsReadOnlyForAWhileRefusesAndIsWaitedFor() throws Exception {
        var worker = scene.worker(4, (payload, context) -> {});
        server.run("ALTER DATABASE postgres SET default_transaction_read_only = on");
        server.terminateSessions();
        eventually(() -> assertThat(worker.health().isHealthy()).isFalse());
        var impatient = scene.client(Duration.ofMillis(500));
        assertThatThrownBy(() -> impatient.enqueue(WORK.with("never")))
                .isInstanceOf(BrokerException.NotApplied.class)
                .hasMessageContaining("read-only");
        server.run("ALTER DATABASE postgres RESET default_transaction_read_only");
        server.terminateSessions();
        var id = scene.belay.enqueue(WORK.with("afterwards")).id();
        scene.awaitSucceeded(List.of(id));
        eventually(() -> assertThat(worker.health().isHealthy()).isTrue());
        scene.effects.assertOnce(List.of(id));
    }

    @Test
    void aTransactionThatIsOpenHoldsUpOnlyWhoNeedsWhatItHolds() throws Exception {
        var running = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        scene.worker(2, (payload, context) -> {
            if (payload.equals("held")) {
                running.countDown();
                gate.await();
            }
        });
        var held = scene.belay.enqueue(WORK.with("held")).id();
        running.await();
        try (var connection = server.connect()) {
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute("SELECT * FROM belay.flight FOR UPDATE");
            }
            var others = scene.belay.enqueueAll(List.of(WORK.with("a"), WORK.with("b"), WORK.with("c"))).stream()
                    .map(answer -> answer.id())
                    .toList();
            scene.awaitSucceeded(others);
            scene.broker.reap();
            scene.broker.prune();
            assertThat(scene.broker.admin().cancel("mail", held, By.of("ann"))).isEqualTo(Verdict.BUSY);
            connection.rollback();
        }
        assertThat(scene.broker.admin().cancel("mail", held, By.of("ann")).isApplied())
                .isTrue();
        gate.countDown();
    }

    @Test
    void G4_aServerWithoutAFreeConnectionRefusesInTimeAndIsWaitedFor() throws Exception {
        var worker = scene.worker(4, (payload, context) -> {});
        var before = scene.belay.enqueue(WORK.with("before")).id();
        scene.awaitSucceeded(List.of(before));
        var impatient = scene.client(Duration.ofMillis(500));
        var taken = new ArrayList<Connection>();
        try {
            takeAllConnections(taken);
            eventually(() -> assertThat(worker.health().isHealthy()).isFalse());
            assertThatThrownBy(() -> impatient.enqueue(WORK.with("never")))
                    .isInstanceOf(BrokerException.NotApplied.class)
                    .hasMessageContaining("was not accepted into queue 'mail'")
                    .hasMessageContaining("has no connection left")
                    .hasMessageContaining("max_connections");
        } finally {
            for (var connection : taken) {
                connection.close();
            }
        }
        var after = scene.belay.enqueue(WORK.with("after")).id();
        scene.awaitSucceeded(List.of(after));
        eventually(() -> assertThat(worker.health().isHealthy()).isTrue());
        assertThat(scene.stored()).isEqualTo(2);
        scene.effects.assertOnce(List.of(before, after));
    }

    /** Takes what is free, and what the broker had, until nothing is left to it. */
    private void takeAllConnections(List<Connection> taken) throws SQLException {
        taken.add(server.connect());
        try (var statement = taken.get(0).createStatement()) {
            eventually(() -> {
                takeFreeConnections(taken);
                try (var ended = statement.executeQuery("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                        + " WHERE application_name = 'belay'")) {
                    ended.next();
                    assertThat(ended.getInt(1)).isZero();
                }
            });
        }
    }

    private void takeFreeConnections(List<Connection> taken) {
        while (true) {
            try {
                taken.add(server.connect());
            } catch (SQLException e) {
                assertThat(e.getSQLState()).isEqualTo("53300");
                return;
            }
        }
    }

    @Test
    void G1_aStatementTimeoutOfTheRoleLosesAndDoublesNothing() throws Exception {
        server.run("ALTER ROLE postgres SET statement_timeout = '250ms'");
        server.terminateSessions();
        var impatient = scene.client(Duration.ofMillis(100));
        var refusedOnTime = new AtomicInteger();
        whileUnderLoad(5, () -> {
            try (var connection = server.connect()) {
                connection.setAutoCommit(false);
                try (var statement = connection.createStatement()) {
                    // Whatever leases, settles and enqueues now runs into the timeout.
                    statement.execute("SET statement_timeout = 0");
                    statement.execute("LOCK TABLE belay.job, belay.flight, belay.place IN ACCESS EXCLUSIVE MODE");
                }
                assertThatThrownBy(() -> impatient.enqueue(WORK.with("never")))
                        .isInstanceOf(BrokerException.NotApplied.class)
                        .hasMessageContaining("statement timeout");
                refusedOnTime.incrementAndGet();
                connection.rollback();
            }
        });
        assertThat(refusedOnTime).hasValue(5);
    }
}
