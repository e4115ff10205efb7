package dev.belay.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.Belay;
import dev.belay.broker.Broker;
import dev.belay.broker.Event;
import dev.belay.broker.StatisticsQuery;
import dev.belay.handler.Enqueued;
import dev.belay.handler.IdempotencyConflictException;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.JobRequest;
import dev.belay.job.JobType;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures that users of unique jobs met, with keys that are kept for good, on each database. */
abstract class OutboxCases {

    private static final JobType<Map<?, ?>> MAIL = type("mail");
    private static final JobType<Map<?, ?>> LETTER = type("letter");
    private static final By ANN = By.of("ann");
    private static final Set<String> BEGIN_ANEW = Set.of("40001", "40P01");

    @TempDir
    private Path folder;

    private final ExecutorService pool = Executors.newCachedThreadPool();
    private TestDatabase database;
    private JdbcOutbox outbox;
    private Broker broker;
    private Belay belay;

    @SuppressWarnings("unchecked")
    private static JobType<Map<?, ?>> type(String name) {
        return JobType.define(name, (Class<Map<?, ?>>) (Class<?>) Map.class)
                .queue("mail")
                .build();
    }

    abstract TestDatabase database();

    /** Levels of isolation that the database tells apart, as {@link Connection} numbers them. */
    abstract List<Integer> levels();

    @BeforeEach
    void open() {
        database = database();
        outbox = database.ledger().outboxPause(Duration.ZERO).openOutbox();
        broker = Broker.open("sqlite:" + folder.resolve("belay.db"));
        belay = Belay.builder(broker).outbox(outbox).build();
    }

    @AfterEach
    void close() {
        pool.shutdownNow();
        belay.close();
        broker.close();
        outbox.close();
        database.close();
    }

    private long accepted() {
        return broker.admin().statistics(StatisticsQuery.TOTAL).stream()
                .filter(count -> count.event() == Event.ACCEPTED)
                .mapToLong(count -> count.count())
                .sum();
    }

    private static JobRequest<?> mail(String key) {
        return MAIL.with(Map.of("to", "ann", "amount", 1)).key(key);
    }

    @Test
    void case85_manyEnqueuesOfOneKeyAtOnceAreOneJob() throws Exception {
        for (var round = 0; round < 5; round++) {
            var key = "order-" + round;
            var answers = new ArrayList<Future<Enqueued>>();
            for (var i = 0; i < 25; i++) {
                answers.add(pool.submit(() -> belay.enqueueOnce(mail(key))));
                answers.add(pool.submit(() -> inTransaction(connection -> belay.enqueueOnceIn(connection, mail(key)))));
            }
            var ids = new HashSet<JobId>();
            for (var answer : answers) {
                ids.add(answer.get().id());
            }
            assertThat(ids).hasSize(1);
        }
        drain();
        assertThat(accepted()).isEqualTo(5);
    }

    private interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    private <T> T inTransaction(Work<T> work) throws Exception {
        return begunAnew(() -> {
            try (var connection = database.connect()) {
                connection.setAutoCommit(false);
                var answer = work.in(connection);
                connection.commit();
                return answer;
            }
        });
    }

    /** As whoever uses transactions must: a deadlock, or a serialization failure, is no outcome. */
    private static <T> T begunAnew(Callable<T> transaction) throws Exception {
        while (true) {
            try {
                return transaction.call();
            } catch (SQLException e) {
                if (!BEGIN_ANEW.contains(String.valueOf(e.getSQLState()))) {
                    throw e;
                }
            }
        }
    }

    private void drain() {
        var target = new BrokerTarget(broker);
        while (!outbox.list(false, 1).isEmpty()) {
            outbox.relay(target);
        }
    }

    @Test
    void case86_realDifferencesAreRefusedOnesOfFormatAreNot() {
        var first = belay.enqueueOnce(mail("K")).id();
        assertThat(belay.enqueueOnce(MAIL.with(Map.of("amount", 1.0, "to", "a\u006en"))
                                .key("K"))
                        .id())
                .isEqualTo(first);
        assertThat(belay.enqueueOnce(mail("K").delay(Duration.ofHours(1))).id())
                .as("a delay is no difference")
                .isEqualTo(first);
        assertThatThrownBy(() -> belay.enqueueOnce(
                        MAIL.with(Map.of("to", "ann", "amount", 2)).key("K")))
                .isInstanceOfSatisfying(
                        IdempotencyConflictException.class,
                        conflict -> assertThat(conflict.getMessage()).contains("'K'"));
        assertThat(accepted()).isEqualTo(1);
    }

    @Test
    void case87_keysAreScopedByNamespaceQueueAndType() {
        var ids = new HashSet<JobId>();
        ids.add(belay.enqueueOnce(mail("K")).id());
        ids.add(belay.enqueueOnce(mail("K").queue("other")).id());
        ids.add(belay.enqueueOnce(LETTER.with(Map.of("to", "ann")).key("K")).id());
        try (var tenant = Broker.open("sqlite:" + folder.resolve("belay.db"), "tenant");
                var other = Belay.builder(tenant).outbox(outbox).build()) {
            ids.add(other.enqueueOnce(MAIL.with(Map.of("to", "bob")).key("K")).id());
        }
        assertThat(ids).hasSize(4);
    }

    @Test
    void case87_whatIsRefusedOrRolledBackDoesNotBurnTheKey() throws Exception {
        assertThatThrownBy(() -> belay.enqueueOnce(mail("K").atMostOneWaiting()))
                .hasMessageContaining("atMostOneWaiting");
        try (var connection = database.connect()) {
            connection.setAutoCommit(false);
            belay.enqueueOnceIn(connection, mail("K"));
            connection.rollback();
        }
        assertThat(belay.enqueueOnce(LETTER.with(Map.of("to", "bob")).key("K")).duplicate())
                .isFalse();
        assertThat(belay.enqueueOnce(MAIL.with(Map.of("to", "bob")).key("K")).duplicate())
                .isFalse();
    }

    @Test
    void case90_aJobThatWasCancelledAndWhoseKeyWasReleasedIsAcceptedAnew() {
        try (var ledger = database.ledger().open()) {
            for (var delay : List.of(Duration.ZERO, Duration.ofHours(1))) {
                var first = belay.enqueueOnce(mail("K").delay(delay)).id();
                broker.admin().cancel("mail", first, ANN);
                assertThat(belay.enqueueOnce(mail("K")).id())
                        .as("kept for good")
                        .isEqualTo(first);
                ledger.admin().release("enqueue belay/mail/mail", "K", false, ANN);
                var second = belay.enqueueOnce(mail("K"));
                assertThat(second.duplicate()).isFalse();
                assertThat(belay.find(second.id())).isPresent();
                broker.admin().cancel("mail", second.id(), ANN);
                ledger.admin().release("enqueue belay/mail/mail", "K", false, ANN);
            }
        }
    }

    @Test
    void case93_ofManyTransactionsWithOneKeyTheOneThatCommitsMakesTheJob() throws Exception {
        for (var level : levels()) {
            for (var winner = 0; winner < 5; winner++) {
                var key = "order-" + level + "-" + winner;
                var allBegun = new CountDownLatch(5);
                var ended = new ArrayList<Future<?>>();
                for (var i = 0; i < 5; i++) {
                    var commits = i == winner;
                    ended.add(pool.submit(() -> {
                        allBegun.countDown();
                        // Whoever has the key holds it until all the others want it.
                        allBegun.await();
                        return rival(key, level, commits);
                    }));
                }
                for (var each : ended) {
                    each.get();
                }
                assertThat(outbox.list(false, 10)).as(key).hasSize(1);
                drain();
                assertThat(inTransaction(connection -> belay.enqueueOnceIn(connection, mail(key)))
                                .duplicate())
                        .isTrue();
            }
        }
        assertThat(accepted()).isEqualTo(5L * levels().size());
    }

    private boolean rival(String key, int level, boolean commits) throws Exception {
        return begunAnew(() -> {
            try (var connection = database.connect()) {
                connection.setTransactionIsolation(level);
                connection.setAutoCommit(false);
                var answer = belay.enqueueOnceIn(connection, mail(key));
                assertThat(answer.duplicate() && commits)
                        .as("nobody else commits")
                        .isFalse();
                if (commits) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
                return true;
            }
        });
    }
}
