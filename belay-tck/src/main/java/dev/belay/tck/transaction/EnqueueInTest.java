package dev.belay.tck.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.belay.broker.Event;
import dev.belay.broker.EventCount;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Settlement;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.InvalidInputException;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.job.Payload;
import dev.belay.tck.Skip;
import dev.belay.tck.TestWorker;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that are there if and only if the transaction of their caller commits. */
public class EnqueueInTest extends TransactionSuite {

    private static final Verdict READY = new Verdict.Applied(JobState.READY, null);

    @Test
    void case10_whatIsRolledBackWasNeverThere() throws SQLException {
        var connection = begin();
        assertThat(enqueueIn(connection, job().key("k").build())).containsExactly(READY);
        connection.rollback();

        assertNothingIsStored();
        // Nor is anything left of it in memory.
        assertThat(client.enqueue(job().key("k").payload("[2]"))).isEqualTo(READY);
        assertThat(events(Event.ACCEPTED)).isEqualTo(1);
    }

    @Test
    void case10_aConnectionThatIsClosedInATransactionLeavesNothing() throws SQLException {
        try (var connection = DriverManager.getConnection(url())) {
            connection.setAutoCommit(false);
            acceptIn(connection, job());
        }
        assertNothingIsStored();
    }

    @Test
    void case10_beforeTheCommitNobodyElseSeesTheJob() throws SQLException {
        var worker = worker();
        var connection = begin();
        var job = acceptIn(connection, job().key("k"));

        assertThat(secondNode().admin().find(QUEUE, job.id())).isEmpty();
        assertThat(admin.count(JobQuery.ALL, 10)).isZero();
        assertThat(events(Event.ACCEPTED)).isZero();
        // A lease may have to wait for the transaction; what it finds is not what is rolled back.
        var leased = elsewhere(() -> worker.lease(10));
        connection.rollback();
        assertThat(answer(leased)).isEmpty();
    }

    @Test
    void G1_case10_aCommittedJobIsLeasedOnceAsItWas() throws SQLException {
        var payload = "[\"ü\"]".repeat(1_000).getBytes(StandardCharsets.UTF_8);
        var connection = begin();
        var job = acceptIn(
                connection,
                job().key("k")
                        .payload(payload)
                        .priority(1)
                        .options(o -> o.withTags(List.of("a")).withHeader("h", "v")));
        connection.commit();

        assertThat(find(job.id()).state()).isEqualTo(JobState.READY);
        var worker = worker(secondNode(), TestWorker.spec(QUEUE));
        var lease = worker.leaseOne();
        assertThat(lease.job().id()).isEqualTo(job.id());
        assertThat(lease.payload()).isEqualTo(new Payload(payload, "json", 1));
        assertThat(lease.job().options()).isEqualTo(job.options());
        assertThat(worker.lease(10)).isEmpty();
        worker.complete(lease);
        assertThat(List.of(events(Event.ACCEPTED), events(Event.LEASED), events(Event.SUCCEEDED)))
                .containsExactly(1L, 1L, 1L);
    }

    @Test
    void G1_aCommittedJobSurvivesARestart() throws SQLException {
        Skip.unless(broker.capabilities().durable(), "the broker " + harness.name() + " is not durable");
        var connection = begin();
        var job = acceptIn(connection, job());
        connection.commit();
        connection.close();
        reopen();

        assertThat(state(job.id())).isEqualTo(JobState.READY);
    }

    @Test
    void aSavepointTakesBackWhatCameAfterIt() throws SQLException {
        var connection = begin();
        var first = acceptIn(connection, job());
        var savepoint = connection.setSavepoint();
        var undone = acceptIn(connection, job().key("k").type("only-here").queue("reports"));
        connection.rollback(savepoint);
        var last = acceptIn(connection, job());
        connection.commit();

        assertThat(ids()).containsExactlyInAnyOrder(first.id(), last.id());
        assertThat(admin.queues()).extracting(queue -> queue.queue()).containsExactly(QUEUE);
        assertThat(admin.find("reports", undone.id())).isEmpty();
        // Queue, key and type are not taken for known.
        assertThat(client.enqueue(
                        job().key("k").type("only-here").queue("reports").payload("[2]")))
                .isEqualTo(READY);
        assertThat(events(Event.ACCEPTED)).isEqualTo(3);
    }

    @Test
    void severalCallsOfOneTransactionCommitTogether() throws SQLException {
        var connection = begin();
        var jobs = new ArrayList<JobId>();
        for (var i = 0; i < 5; i++) {
            jobs.add(acceptIn(connection, job().payload("[" + i + "]")).id());
        }
        var batch = List.of(job().build(), job().delay(seconds(60)).build());
        assertThat(transactional.enqueueIn(connection, QUEUE, batch))
                .containsExactly(READY, new Verdict.Applied(JobState.SCHEDULED, null));
        batch.forEach(job -> jobs.add(job.id()));
        var elsewhere = acceptIn(connection, job().queue("reports"));
        assertThat(ids()).isEmpty();
        connection.commit();

        assertThat(ids()).containsExactlyInAnyOrderElementsOf(jobs);
        assertThat(admin.find("reports", elsewhere.id())).isPresent();
        assertThat(worker().lease(3))
                .extracting(lease -> lease.job().id())
                .as("in the order of their acceptance")
                .containsExactlyElementsOf(jobs.subList(0, 3));
    }

    @Test
    void oneTransactionAfterTheOtherOnOneConnection() throws SQLException {
        var connection = begin();
        var kept = new ArrayList<JobId>();
        for (var i = 0; i < 6; i++) {
            var job = acceptIn(connection, job().key("k-" + i));
            if (i % 2 == 0) {
                connection.commit();
                kept.add(job.id());
            } else {
                connection.rollback();
            }
            accept(job().queue("reports"));
        }
        assertThat(ids()).containsExactlyInAnyOrderElementsOf(kept);
    }

    @Test
    void G7_keysOfTheTransactionItselfCount() throws SQLException {
        var connection = begin();
        var first = job().key("k").build();
        var verdicts = enqueueIn(
                connection,
                first,
                job().key("k").build(),
                job().key("k").payload("[2]").build());
        assertThat(verdicts.get(0)).isEqualTo(READY);
        assertThat(verdicts.get(1)).isEqualTo(new Verdict.Duplicate(first.id(), JobState.READY));
        assertThat(verdicts.get(2)).isInstanceOf(Verdict.Conflict.class);
        assertThat(enqueueIn(connection, job().key("k").build()))
                .containsExactly(new Verdict.Duplicate(first.id(), JobState.READY));
        connection.commit();

        assertThat(ids()).containsExactly(first.id());
        assertThat(client.enqueue(job().key("k"))).isEqualTo(new Verdict.Duplicate(first.id(), JobState.READY));
    }

    @Test
    void G7_aHolderOfBeforeIsToldAndTheTransactionGoesOn() throws SQLException {
        var holder = accept(job().key("k"));
        var connection = begin();
        assertThat(enqueueIn(connection, job().key("k").build()))
                .containsExactly(new Verdict.Duplicate(holder, JobState.READY));
        var conflict =
                enqueueIn(connection, job().key("k").payload("[2]").build()).get(0);
        assertThat(conflict)
                .isInstanceOfSatisfying(
                        Verdict.Conflict.class,
                        told -> assertThat(told.holder()).isEqualTo(holder));
        var other = acceptIn(connection, job());
        connection.commit();

        assertThat(ids()).containsExactlyInAnyOrder(holder, other.id());
    }

    @Test
    void theSameJobTwiceIsOneJob() throws SQLException {
        var job = job().build();
        var connection = begin();
        assertThat(enqueueIn(connection, job)).containsExactly(READY);
        assertThat(enqueueIn(connection, job)).containsExactly(new Verdict.Duplicate(job.id(), JobState.READY));
        connection.commit();
        assertThat(client.enqueue(job)).containsExactly(new Verdict.Duplicate(job.id(), JobState.READY));
        assertThat(ids()).containsExactly(job.id());
    }

    @Test
    void aWaitingJobTakesThePayloadOverWithTheCommit() throws SQLException {
        var holder = accept(job().key("k").payload("[1]").replaceWaiting());
        var connection = begin();
        var later = job().key("k").payload("[2]").replaceWaiting().build();
        assertThat(enqueueIn(connection, later)).containsExactly(new Verdict.Replaced(holder, JobState.READY));
        assertThat(payload(holder)).isEqualTo("[1]");
        connection.rollback();
        assertThat(payload(holder)).isEqualTo("[1]");

        assertThat(enqueueIn(connection, later)).containsExactly(new Verdict.Replaced(holder, JobState.READY));
        connection.commit();
        assertThat(payload(holder)).isEqualTo("[2]");
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, false", "2, false", "3, false", "4, false", "0, true", "4, true"})
    void G7_case93_ofTransactionsWithOneKeyTheOneThatCommitsHasItsJob(int winner, boolean strict) throws SQLException {
        var connections = new ArrayList<Connection>();
        for (var i = 0; i < 5; i++) {
            var connection = begin();
            if (strict) {
                connection.rollback();
                connection.setAutoCommit(true);
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                connection.setAutoCommit(false);
            }
            connections.add(connection);
        }
        var ends = new ArrayList<Future<Boolean>>();
        for (var i = 0; i < connections.size(); i++) {
            var connection = connections.get(i);
            var commits = i == winner;
            ends.add(elsewhere(() -> insertOnce(connection, commits)));
        }
        var committed = 0;
        for (var end : ends) {
            committed += answer(end) ? 1 : 0;
        }
        assertThat(committed).isEqualTo(1);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
        assertThat(client.enqueue(job().key("unique"))).isInstanceOf(Verdict.Duplicate.class);
    }

    /** A transaction is begun anew where the database asks for it, as any that others are in the way of. */
    private boolean insertOnce(Connection connection, boolean commits) throws SQLException {
        while (true) {
            try {
                var verdict = enqueueIn(connection, job().key("unique").build()).get(0);
                assertThat(verdict).isNotInstanceOf(Verdict.Conflict.class);
                if (!commits) {
                    connection.rollback();
                    return false;
                }
                connection.commit();
                return verdict.isApplied();
            } catch (SQLException e) {
                if (e.getSQLState() == null || !e.getSQLState().startsWith("40")) {
                    throw e;
                }
                connection.rollback();
            }
        }
    }

    @Test
    void aListenerOnEachNodeIsWokenByTheCommit() throws SQLException {
        var here = new Semaphore(0);
        var there = new Semaphore(0);
        try (var one = broker.listen(QUEUE, here::release);
                var two = secondNode().listen(QUEUE, there::release)) {
            assertThat(List.of(one, two)).doesNotContainNull();
            // A node that has just begun to listen may miss what comes before its first look: it listens once it has
            // heard.
            await().atMost(PATIENCE_SECONDS, TimeUnit.SECONDS).until(() -> {
                accept(job());
                return here.availablePermits() > 0 && there.availablePermits() > 0;
            });
            for (var i = 0; i < 3; i++) {
                var connection = begin();
                acceptIn(connection, job());
                here.drainPermits();
                there.drainPermits();
                connection.commit();
                assertWoken(here);
                assertWoken(there);
            }
        }
    }

    private static void assertWoken(Semaphore signals) {
        try {
            assertThat(signals.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("woken")
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a signal", e);
        }
    }

    @Test
    void namespacesShareNothing() throws SQLException {
        var other = transactional(bench.namespace("other"));
        var connection = begin();
        acceptIn(connection, job().key("k"));
        assertThat(other.enqueueIn(
                        connection, QUEUE, List.of(job().key("k").payload("[2]").build())))
                .containsExactly(READY);
        connection.commit();
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
        assertThat(other.admin().count(JobQuery.ALL, 10)).isEqualTo(1);
    }

    @Test
    void autoCommitIsRefusedWithWhatToDo() throws SQLException {
        try (var connection = DriverManager.getConnection(url())) {
            assertThatThrownBy(() -> enqueueIn(connection, job().build()))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("auto-commit")
                    .hasMessageContaining("setAutoCommit(false)");
        }
        assertNothingIsStored();
    }

    @ParameterizedTest
    @ValueSource(strings = {"payload", "queue", "jobs", "name"})
    void whatIsInvalidIsRefusedWholeAndTheTransactionGoesOn(String what) throws SQLException {
        var connection = begin();
        var good = job().build();
        var limit = settings().maxPayloadBytes();
        assertThatThrownBy(() -> {
                    switch (what) {
                        case "payload" ->
                            enqueueIn(
                                    connection,
                                    good,
                                    job().payload(new byte[limit + 1]).build());
                        case "queue" ->
                            transactional.enqueueIn(
                                    connection,
                                    QUEUE,
                                    List.of(good, job().queue("reports").build()));
                        case "jobs" -> transactional.enqueueIn(connection, QUEUE, List.of());
                        default -> transactional.enqueueIn(connection, "No Name", List.of(good));
                    }
                })
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(what.equals("name") ? "queue" : what);
        var other = acceptIn(connection, job());
        connection.commit();

        assertThat(ids()).containsExactly(other.id());
    }

    @Test
    void theConnectionIsLeftAsItWas() throws SQLException {
        var connection = begin();
        var isolation = connection.getTransactionIsolation();
        acceptIn(connection, job());
        assertThat(connection.getAutoCommit()).isFalse();
        assertThat(connection.isReadOnly()).isFalse();
        assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
        assertThat(connection.isClosed()).isFalse();
        assertThat(transactional.owns(connection)).isTrue();
        connection.commit();
    }

    @Test
    void typesBeyondTheFirst500AreCountedTogetherHereToo() throws SQLException {
        var connection = begin();
        for (var i = 0; i < 499; i++) {
            acceptIn(connection, job().type("type-" + i));
        }
        var savepoint = connection.setSavepoint();
        acceptIn(connection, job().type("undone"));
        connection.rollback(savepoint);
        connection.commit();
        accept(job().type("the-500th"));
        accept(job().type("one-more"));

        assertThat(admin.statistics(StatisticsQuery.TOTAL).stream()
                        .filter(count -> count.event() == Event.ACCEPTED)
                        .map(EventCount::type))
                .contains("the-500th", "other")
                .doesNotContain("undone", "one-more")
                .hasSize(501);
    }

    @Test
    void aFollowUpAndItsDuplicateInTheSameTransactionAreOneJob() throws SQLException {
        accept(job().payload("[0]"));
        var worker = worker();
        var lease = worker.leaseOne();
        var connection = begin();
        var first = acceptIn(connection, job().key("next"));
        var settlement = new Settlement(
                lease.id(), TestWorker.followedBy(job().key("next").build()), null);
        applied(transactional.completeIn(connection, settlement));
        connection.commit();

        assertThat(ids()).containsExactlyInAnyOrder(lease.job().id(), first.id());
        assertThat(worker.settle(lease, Outcome.Complete.PLAIN).isApplied()).isTrue();
    }

    private void assertNothingIsStored() {
        assertThat(ids()).isEmpty();
        assertThat(admin.queues()).isEmpty();
        assertThat(events(Event.ACCEPTED)).isZero();
    }

    private List<JobId> ids() {
        return admin.list(JobQuery.ALL.inQueue(QUEUE), null, 1_000).jobs().stream()
                .map(Job::id)
                .toList();
    }
}
