package dev.belay.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.belay.Belay;
import dev.belay.Worker;
import dev.belay.broker.Broker;
import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.broker.StatisticsQuery;
import dev.belay.handler.EnqueueInterceptor;
import dev.belay.handler.Enqueued;
import dev.belay.handler.IdempotencyConflictException;
import dev.belay.job.Backoff;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.job.NewJob;
import dev.belay.job.RetryPolicy;
import dev.belay.tck.crash.Child;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an outbox promises, on each database. */
abstract class OutboxContract {

    private static final boolean NIGHTLY = Boolean.getBoolean("belay.tck.nightly");
    private static final JobType<String> MAIL = JobType.define("mail", String.class)
            .queue("mail")
            .priority(1)
            .maxAttempts(7)
            .timeout(Duration.ofSeconds(9))
            .retry(RetryPolicy.with(Backoff.fixed(Duration.ofSeconds(3))))
            .build();

    @TempDir
    private Path folder;

    private TestDatabase database;
    private JdbcOutbox outbox;
    private Broker broker;
    private Belay belay;

    abstract TestDatabase database();

    @BeforeEach
    void open() {
        database = database();
        outbox = database.ledger().outboxPause(Duration.ZERO).openOutbox();
        broker = Broker.open("sqlite:" + folder.resolve("belay.db"));
        belay = Belay.builder(broker).outbox(outbox).build();
    }

    @AfterEach
    void close() {
        belay.close();
        broker.close();
        outbox.close();
        database.close();
    }

    private interface Work {
        void run(Connection connection) throws SQLException;
    }

    private void inTransaction(boolean commit, Work work) throws SQLException {
        try (var connection = database.connect()) {
            connection.setAutoCommit(false);
            work.run(connection);
            if (commit) {
                connection.commit();
            } else {
                connection.rollback();
            }
        }
    }

    private JobId add(String payload) throws SQLException {
        var id = new ArrayList<JobId>();
        inTransaction(
                true,
                connection ->
                        id.add(belay.enqueueIn(connection, MAIL.with(payload)).id()));
        return id.get(0);
    }

    private BrokerTarget target() {
        return new BrokerTarget(broker);
    }

    private long stored() {
        return broker.admin().count(JobQuery.ALL, Long.MAX_VALUE);
    }

    @Test
    void whatIsRolledBackIsNeverEnqueued() throws Exception {
        inTransaction(false, connection -> belay.enqueueIn(connection, MAIL.with("x")));
        outbox.relay(target());
        assertThat(stored()).isZero();
        assertThat(outbox.list(false, 10)).isEmpty();
    }

    @Test
    void whatIsCommittedIsMovedAsItWasAskedFor() throws Exception {
        var ids = new ArrayList<JobId>();
        inTransaction(true, connection -> {
            ids.add(belay.enqueueIn(
                            connection,
                            MAIL.with("x")
                                    .delay(Duration.ofHours(1))
                                    .expiresAfter(Duration.ofHours(2))
                                    .header("trace", "abc")
                                    .tag("vip")
                                    .groupKey("acme"))
                    .id());
            if (database instanceof TestDatabase.PostgresDatabase) {
                assertThat(outbox.list(false, 10))
                        .as("invisible before the commit")
                        .isEmpty();
            }
        });
        outbox.relay(target());
        var detail = belay.find(ids.get(0)).orElseThrow();
        var job = detail.job();
        assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
        assertThat(job.options().priority()).isEqualTo(1);
        assertThat(job.options().maxAttempts()).isEqualTo(7);
        assertThat(job.options().timeout()).isEqualTo(Duration.ofSeconds(9));
        assertThat(job.options().backoff()).isEqualTo(Backoff.fixed(Duration.ofSeconds(3)));
        assertThat(job.options().headers()).isEqualTo(Map.of("trace", "abc"));
        assertThat(job.options().tags()).containsExactly("vip");
        assertThat(job.options().groupKey()).isEqualTo("acme");
        assertThat(job.key().value()).isEqualTo(job.id().toString());
        assertThat(java.util.Objects.requireNonNull(detail.payload()).bytes()).isEqualTo(Claims.bytes("\"x\""));
        assertThat(job.times().runAt() - job.times().createdAt())
                .as("the wait counts from when it was written")
                .isBetween(
                        Duration.ofMinutes(59).toMillis(), Duration.ofHours(1).toMillis());
        assertThat(outbox.list(false, 10)).isEmpty();
    }

    @Test
    void aLostReplyMakesNoSecondJobEvenWhenTheFirstIsDoneAndGone() throws Exception {
        add("x");
        var target = target();
        target.replyIsLost = true;
        assertThatThrownBy(() -> outbox.relay(target)).hasMessage("the reply is lost");
        var id = broker.admin().list(JobQuery.ALL, null, 10).jobs().get(0).id();
        broker.admin().cancel("mail", id, dev.belay.job.By.of("test"));
        target.replyIsLost = false;
        outbox.relay(target);
        assertThat(target.sent).hasSize(2);
        assertThat(accepted()).isEqualTo(1);
        assertThat(outbox.list(false, 10)).isEmpty();
    }

    private long accepted() {
        return broker.admin().statistics(StatisticsQuery.TOTAL).stream()
                .filter(count -> count.event() == Event.ACCEPTED)
                .mapToLong(count -> count.count())
                .sum();
    }

    @Test
    void whatMayHaveBeenSentTooLongAgoWaitsForAPerson() throws Exception {
        var id = add("x");
        var target = target();
        target.replyIsLost = true;
        assertThatThrownBy(() -> outbox.relay(target)).hasMessage("the reply is lost");
        target.replyIsLost = false;
        // Shorter than a claim may take: from now on nothing that was sent is surely remembered.
        target.window = Duration.ofSeconds(1);
        outbox.relay(target);
        assertThat(target.sent).hasSize(1);
        assertThat(outbox.list(true, 10)).singleElement().satisfies(waiting -> {
            assertThat(waiting.id()).isEqualTo(id);
            assertThat(waiting.problem()).contains("retry or discard");
        });
        target.window = Duration.ofHours(24);
        outbox.relay(target);
        assertThat(target.sent).as("not by itself").hasSize(1);
        assertThat(outbox.retry(id)).isTrue();
        outbox.relay(target);
        assertThat(target.sent).hasSize(2);
        assertThat(outbox.list(false, 10)).isEmpty();
        assertThat(outbox.discard(id)).isFalse();
    }

    @Test
    void aKeyThatTheBrokerForgetsSoonIsNotSentTwice() throws Exception {
        var ids = new ArrayList<JobId>();
        inTransaction(
                true,
                connection -> ids.add(belay.enqueueIn(
                                connection, MAIL.with("x").key("order-1").dedupWindow(Duration.ofSeconds(5)))
                        .id()));
        var target = target();
        target.replyIsLost = true;
        assertThatThrownBy(() -> outbox.relay(target)).hasMessage("the reply is lost");
        target.replyIsLost = false;
        outbox.relay(target);
        assertThat(target.sent).hasSize(1);
        assertThat(outbox.list(true, 10)).extracting(JdbcOutbox.Waiting::id).isEqualTo(ids);
    }

    @Test
    void aKeyThatIsForgottenOnceItsJobRunsIsRefused() throws Exception {
        inTransaction(
                false,
                connection -> assertThatThrownBy(() -> belay.enqueueIn(
                                connection, MAIL.with("x").key("order-1").atMostOneWaiting()))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("atMostOneWaiting"));
    }

    @Test
    void anOutageOfAnyLengthLeavesNothingToAPerson() throws Exception {
        var id = add("x");
        var target = target();
        target.isAway = true;
        assertThatThrownBy(() -> outbox.relay(target)).hasMessage("away");
        target.window = Duration.ofSeconds(1);
        assertThatThrownBy(() -> outbox.relay(target)).as("not overdue").hasMessage("away");
        assertThat(outbox.list(true, 10)).isEmpty();
        target.isAway = false;
        outbox.relay(target);
        assertThat(target.sent).extracting(NewJob::id).containsExactly(id);
    }

    @Test
    void anIdIsUniqueWithinAQueueAndNamesOneContent() throws Exception {
        var id = JobId.next();
        inTransaction(true, connection -> {
            belay.enqueueIn(connection, MAIL.with("x").id(id));
            belay.enqueueIn(connection, MAIL.with("x").id(id));
            belay.enqueueIn(connection, MAIL.with("y").id(id).queue("other"));
        });
        inTransaction(
                false,
                connection -> assertThatThrownBy(
                                () -> belay.enqueueIn(connection, MAIL.with("z").id(id)))
                        .isInstanceOf(IdempotencyConflictException.class));
        var target = target();
        outbox.relay(target);
        assertThat(target.sent).extracting(NewJob::queue).containsExactlyInAnyOrder("mail", "other");
    }

    @Test
    void G7_aRefusedJobTakesNoKey() throws Exception {
        inTransaction(
                true,
                connection -> assertThatThrownBy(() -> belay.enqueueOnceIn(
                                connection, MAIL.with("x").key("order-1").atMostOneWaiting()))
                        .isInstanceOf(InvalidInputException.class));
        assertThat(belay.enqueueOnce(MAIL.with("x").key("order-1")).duplicate()).isFalse();
    }

    @Test
    void jobsOfAQueueKeepTheirOrder() throws Exception {
        for (var i = 0; i < 250; i++) {
            add("x" + i);
        }
        var target = target();
        while (outbox.relay(target).isZero()) {
            // There is more.
        }
        assertThat(target.sent)
                .extracting(job -> new String(job.payload().bytes(), java.nio.charset.StandardCharsets.UTF_8))
                .containsExactlyElementsOf(java.util.stream.IntStream.range(0, 250)
                        .mapToObj(i -> "\"x" + i + "\"")
                        .toList());
    }

    @Test
    void jobsOfAnotherNamespaceAreLeftAlone() throws Exception {
        add("x");
        try (var other = Broker.open("sqlite:" + folder.resolve("belay.db"), "other")) {
            var target = new BrokerTarget(other);
            outbox.relay(target);
            assertThat(target.sent).isEmpty();
        }
        assertThat(outbox.list(false, 10)).hasSize(1);
    }

    @Test
    void interceptorsStandAroundItToo() throws Exception {
        EnqueueInterceptor tagging =
                (requests, next) -> next.proceed(List.of(requests.get(0).tag("tenant-1")));
        try (var tagged =
                Belay.builder(broker).outbox(outbox).intercept(tagging).build()) {
            inTransaction(true, connection -> tagged.enqueueIn(connection, MAIL.with("x")));
        }
        var target = target();
        outbox.relay(target);
        assertThat(target.sent.get(0).options().tags()).containsExactly("tenant-1");
    }

    @Test
    void withoutAnOutboxTheClientSaysWhatToDo() throws Exception {
        try (var plain = Belay.on(broker)) {
            inTransaction(
                    false,
                    connection -> assertThatThrownBy(() -> plain.enqueueIn(connection, MAIL.with("x")))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("outbox("));
        }
    }

    @Test
    void G7_aPermanentKeyOutlivesItsJobAndTheBrokersMemory() {
        var first = belay.enqueueOnce(MAIL.with("x").key("order-1"));
        assertThat(first.duplicate()).isFalse();
        assertThat(belay.find(first.id())).as("moved at once").isPresent();
        assertThat(outbox.list(false, 10)).isEmpty();
        var again = belay.enqueueOnce(MAIL.with("x").key("order-1"));
        assertThat(again).isEqualTo(new Enqueued(first.id(), true, JobState.READY));

        // Cancelled, and so forgotten by the broker.
        broker.admin().cancel("mail", first.id(), dev.belay.job.By.of("test"));
        assertThat(belay.enqueueOnce(MAIL.with("x").key("order-1")).id()).isEqualTo(first.id());
        assertThat(accepted()).isEqualTo(1);
        assertThatThrownBy(() -> belay.enqueueOnce(MAIL.with("y").key("order-1")))
                .isInstanceOf(IdempotencyConflictException.class)
                .hasMessageContaining("order-1");
        assertThatThrownBy(() -> belay.enqueueOnce(MAIL.with("x")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("key(…)");
        try (var ledger = database.ledger().open()) {
            ledger.admin().release("enqueue belay/mail/mail", "order-1", false, dev.belay.job.By.of("test"));
        }
        assertThat(belay.enqueueOnce(MAIL.with("y").key("order-1")).duplicate()).isFalse();
    }

    @Test
    void G7_aPermanentKeyIsRolledBackWithItsTransaction() throws Exception {
        inTransaction(
                false,
                connection -> belay.enqueueOnceIn(connection, MAIL.with("x").key("order-1")));
        inTransaction(
                true,
                connection -> belay.enqueueOnceIn(connection, MAIL.with("y").key("order-1")));
        inTransaction(
                true,
                connection -> assertThat(
                                belay.enqueueOnceIn(connection, MAIL.with("y").key("order-1"))
                                        .duplicate())
                        .isTrue());
        outbox.relay(target());
        assertThat(accepted()).isEqualTo(1);
    }

    @Test
    void G7_manyCallersWithOnePermanentKeyMakeOneJob() throws Exception {
        var pool = java.util.concurrent.Executors.newFixedThreadPool(10);
        try {
            for (var round = 0; round < 10; round++) {
                var key = "order-" + round;
                var answers = new ArrayList<java.util.concurrent.Future<Enqueued>>();
                for (var i = 0; i < 10; i++) {
                    answers.add(
                            pool.submit(() -> belay.enqueueOnce(MAIL.with("x").key(key))));
                }
                var ids = new java.util.HashSet<JobId>();
                for (var answer : answers) {
                    ids.add(answer.get().id());
                }
                assertThat(ids).hasSize(1);
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                outbox.relay(target());
                return outbox.list(false, 10).isEmpty();
            });
            assertThat(accepted()).isEqualTo(10);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void aWorkerRelays() throws Exception {
        var seen = new java.util.concurrent.CopyOnWriteArrayList<String>();
        try (var worker = Worker.on(broker)
                .queue("mail", 2)
                .relay(outbox)
                .handle(MAIL, (text, context) -> seen.add(text))
                .start()) {
            add("x");
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(seen).containsExactly("x"));
            assertThat(worker.health().problems()).isEmpty();
        }
    }

    @Test
    void anIdleRelayOnlyReads() throws Exception {
        var watched = new WatchedSource(database);
        try (var idle = LedgerBuilder.of(watched).openOutbox()) {
            watched.statements();
            for (var i = 0; i < 20; i++) {
                assertThat(idle.relay(target())).isLessThanOrEqualTo(Duration.ofSeconds(1));
            }
            assertThat(watched.statements()).isNotEmpty().allMatch(sql -> sql.startsWith("SELECT"));
            add("x");
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                idle.relay(target());
                return stored() == 1;
            });
        }
    }

    @Test
    void relaysThatAreKilledAnywhereLoseAndDoubleNothing() throws Exception {
        var kills = NIGHTLY ? 60 : 4;
        var random = new Random(3);
        var relays = new ArrayList<Child>();
        try {
            for (var i = 0; i < 2; i++) {
                relays.add(relay());
            }
            relays.forEach(Child::awaitReady);
            var ids = new ArrayList<JobId>();
            for (var kill = 0; kill < kills; kill++) {
                var victim = relays.get(random.nextInt(2));
                var window = List.of("claimed", "pushed").get(random.nextInt(2));
                var seen = victim.told(window).size();
                // The other one takes some of them: there is enough for both.
                while (victim.told(window).size() == seen) {
                    ids.add(add("x"));
                }
                victim.kill();
                relays.set(relays.indexOf(victim), relay().awaitReady());
            }
            await().atMost(Duration.ofSeconds(120))
                    .until(() -> outbox.list(false, 10).isEmpty());
            assertThat(accepted()).isEqualTo(ids.size());
            assertThat(ids).allSatisfy(id -> assertThat(belay.find(id)).isPresent());
        } finally {
            relays.forEach(Child::close);
        }
    }

    private Child relay() {
        return Child.start(RelayMain.class, List.of("sqlite:" + folder.resolve("belay.db"), database.address()));
    }
}
