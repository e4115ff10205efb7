package dev.belay.tck.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Lease;
import dev.belay.broker.Settlement;
import dev.belay.broker.Verdict;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.LeaseId;
import dev.belay.job.Outcome;
import dev.belay.tck.TestWorker;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deliveries that are completed if and only if the transaction of their handler commits. */
public class CompleteInTest extends TransactionSuite {

    private static final Verdict SUCCEEDED = new Verdict.Applied(JobState.SUCCEEDED, null);

    private Verdict completeIn(Connection connection, Lease lease, Outcome outcome) throws SQLException {
        return transactional.completeIn(connection, new Settlement(lease.id(), outcome, null));
    }

    private boolean isHeld(Lease lease) {
        return secondNode().held(List.of(lease.id())).get(0);
    }

    @Test
    void aCommittedCompletionIsASuccessWithAllThatBelongsToIt() throws SQLException {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        var here = job().build();
        var elsewhere = job().queue("reports").key("k").build();
        var result = "\"done\"".getBytes(StandardCharsets.UTF_8);
        var connection = begin();
        assertThat(transactional.completeIn(
                        connection,
                        new Settlement(
                                lease.id(), new Outcome.Complete(result, List.of(here, elsewhere)), "all of it")))
                .isEqualTo(SUCCEEDED);
        connection.commit();

        var detail = admin.find(QUEUE, id).orElseThrow();
        assertThat(detail.job().state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(detail.job().progress()).isEqualTo("all of it");
        assertThat(detail.result()).isEqualTo(result);
        assertThat(detail.history()).isEmpty();
        assertThat(state(here.id())).isEqualTo(JobState.READY);
        assertThat(admin.find("reports", elsewhere.id())).isPresent();
        assertThat(isHeld(lease)).isFalse();
        assertThat(worker.reconcile().held()).isEmpty();
        assertThat(List.of(events(Event.LEASED), events(Event.SUCCEEDED), events(Event.ACCEPTED)))
                .containsExactly(1L, 1L, 3L);
        assertThat(worker.leaseOne().job().id()).isEqualTo(here.id());
    }

    @Test
    void beforeTheCommitTheLeaseIsHeld() throws SQLException {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        var connection = begin();
        applied(completeIn(connection, lease, TestWorker.followedBy(job().build())));

        assertThat(isHeld(lease)).isTrue();
        assertThat(state(id)).isEqualTo(JobState.RUNNING);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
        assertThat(events(Event.SUCCEEDED)).isZero();
        connection.rollback();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void G3_aRolledBackCompletionChangesNothing(boolean toSavepoint) throws SQLException {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        var connection = begin();
        var other = acceptIn(connection, job());
        var savepoint = connection.setSavepoint();
        applied(completeIn(connection, lease, TestWorker.followedBy(job().build())));
        if (toSavepoint) {
            connection.rollback(savepoint);
            connection.commit();
        } else {
            connection.rollback();
        }

        assertThat(isHeld(lease)).isTrue();
        assertThat(state(id)).isEqualTo(JobState.RUNNING);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(toSavepoint ? 2 : 1);
        assertThat(admin.find(QUEUE, other.id()).isPresent()).isEqualTo(toSavepoint);
        assertThat(worker.reconcile().held()).containsExactly(lease.id());
        // The lease is as good as it was.
        assertThat(worker.fail(lease, seconds(0)).state()).isEqualTo(JobState.READY);
        assertThat(find(id).counts().failures()).isEqualTo(1);
        assertThat(List.of(events(Event.SUCCEEDED), events(Event.FAILED))).containsExactly(0L, 1L);
    }

    @Test
    void aRolledBackCompletionCanBeTriedAgain() throws SQLException {
        accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        var connection = begin();
        for (var i = 0; i < 3; i++) {
            assertThat(completeIn(connection, lease, Outcome.Complete.PLAIN)).isEqualTo(SUCCEEDED);
            connection.rollback();
        }
        assertThat(completeIn(connection, lease, Outcome.Complete.PLAIN)).isEqualTo(SUCCEEDED);
        connection.commit();
        assertThat(events(Event.SUCCEEDED)).isEqualTo(1);
    }

    @Test
    void G3_settledOnceHoweverOftenItIsSaid() throws SQLException {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        var followedBy = TestWorker.followedBy(job().build());
        var connection = begin();
        assertThat(completeIn(connection, lease, followedBy)).isEqualTo(SUCCEEDED);
        assertThat(completeIn(connection, lease, followedBy)).isEqualTo(SUCCEEDED);
        connection.commit();
        assertThat(completeIn(connection, lease, followedBy)).isEqualTo(SUCCEEDED);
        connection.commit();

        assertThat(worker.settle(lease, TestWorker.retry(seconds(0)))).isEqualTo(SUCCEEDED);
        assertThat(state(id)).isEqualTo(JobState.SUCCEEDED);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(2);
        assertThat(List.of(events(Event.SUCCEEDED), events(Event.FAILED))).containsExactly(1L, 0L);
    }

    @Test
    void G3_aStaleTokenChangesNothing() throws SQLException {
        var id = accept(job());
        var zombie = worker();
        var lost = zombie.leaseOne();
        crash(zombie);
        applied(admin.runNow(QUEUE, id, ANN));
        var heir = worker();
        var lease = heir.leaseOne();
        var connection = begin();
        assertThat(completeIn(connection, lost, TestWorker.followedBy(job().build())))
                .isEqualTo(Verdict.STALE);
        assertStale(connection, new LeaseId(QUEUE, id, lease.id().token() + 1, heir.id()));
        assertStale(connection, new LeaseId(QUEUE, id, lease.id().token(), zombie.id()));
        assertStale(connection, new LeaseId("reports", id, lease.id().token(), heir.id()));
        assertStale(connection, new LeaseId(QUEUE, JobId.next(), lease.id().token(), heir.id()));
        connection.commit();

        assertThat(isHeld(lease)).isTrue();
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
        assertThat(events(Event.SUCCEEDED)).isZero();
        heir.complete(lease);
    }

    private void assertStale(Connection connection, LeaseId lease) throws SQLException {
        assertThat(transactional.completeIn(connection, new Settlement(lease, Outcome.Complete.PLAIN, "never")))
                .isEqualTo(Verdict.STALE);
    }

    @Test
    void case41_aCancelledJobIsNotCompleted() throws SQLException {
        var id = accept(job());
        var lease = worker().leaseOne();
        applied(admin.cancel(QUEUE, id, ANN));
        var connection = begin();
        assertThat(completeIn(connection, lease, Outcome.Complete.PLAIN)).isEqualTo(Verdict.STALE);
        connection.commit();
        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void case41_ofCompletionAndCancelOneCounts(boolean commit) throws SQLException {
        var id = accept(job());
        var lease = worker().leaseOne();
        var connection = begin();
        applied(completeIn(connection, lease, Outcome.Complete.PLAIN));
        var cancel = elsewhere(() -> admin.cancel(QUEUE, id, ANN));
        if (commit) {
            connection.commit();
            assertThat(answer(cancel)).isEqualTo(new Verdict.WrongState(JobState.SUCCEEDED));
        } else {
            connection.rollback();
            assertThat(answer(cancel).isApplied()).isTrue();
        }
        assertThat(state(id)).isEqualTo(commit ? JobState.SUCCEEDED : JobState.CANCELLED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void G3_ofCompletionAndSettleOneCounts(boolean commit) throws SQLException {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        var connection = begin();
        applied(completeIn(connection, lease, Outcome.Complete.PLAIN));
        var settle = elsewhere(() -> worker.settle(lease, TestWorker.retry(seconds(60))));
        if (commit) {
            connection.commit();
        } else {
            connection.rollback();
        }
        answer(settle);
        assertThat(state(id)).isEqualTo(commit ? JobState.SUCCEEDED : JobState.SCHEDULED);
        assertThat(find(id).counts().failures()).isEqualTo(commit ? 0 : 1);
        assertThat(events(Event.SUCCEEDED) + events(Event.FAILED)).isEqualTo(1);
    }

    @Test
    void theJobsOfAnEndedSessionAreCompletedWhileTheyAreNotTakenBack() throws SQLException {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        advance(seconds(31));
        broker.reap();
        var connection = begin();
        assertThat(completeIn(connection, lease, Outcome.Complete.PLAIN)).isEqualTo(SUCCEEDED);
        connection.commit();
        crash(worker);
        assertThat(state(id)).isEqualTo(JobState.SUCCEEDED);
        assertThat(events(Event.CRASHED)).isZero();
    }

    @Test
    void G1_G3_aCompletionAndANewJobCommitTogether() throws SQLException {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        var connection = begin();
        for (var commit : new boolean[] {false, true}) {
            var next = acceptIn(connection, job().key("next"));
            applied(completeIn(connection, lease, Outcome.Complete.PLAIN));
            if (commit) {
                connection.commit();
            } else {
                connection.rollback();
            }
            assertThat(state(id)).isEqualTo(commit ? JobState.SUCCEEDED : JobState.RUNNING);
            assertThat(admin.find(QUEUE, next.id()).isPresent()).isEqualTo(commit);
        }
        assertThat(List.of(events(Event.ACCEPTED), events(Event.SUCCEEDED))).containsExactly(2L, 1L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aJobThatIsNotKeptIsRemovedWithTheCommit(boolean commit) throws SQLException {
        keepNothing();
        var id = accept(job().key("k").payload("x".repeat(5_000)));
        var worker = worker();
        var lease = worker.leaseOne();
        var connection = begin();
        assertThat(completeIn(connection, lease, Outcome.Complete.PLAIN)).isEqualTo(Verdict.APPLIED);
        if (commit) {
            connection.commit();
            assertThat(admin.find(QUEUE, id)).isEmpty();
            assertThat(List.of(events(Event.SUCCEEDED), events(Event.PRUNED))).containsExactly(1L, 1L);
            assertThat(worker.settle(lease, Outcome.Complete.PLAIN)).isEqualTo(Verdict.STALE);
        } else {
            connection.rollback();
            worker.complete(lease);
        }
        assertThat(client.enqueue(job().key("k").payload("x".repeat(5_000))))
                .as("the key is kept for its window")
                .isEqualTo(new Verdict.Duplicate(id, null));
    }

    @Test
    void manyCompletionsInOneTransaction() throws SQLException {
        accept(50);
        var worker = worker();
        var connection = begin();
        var leases = worker.lease(50);
        for (var lease : leases) {
            applied(completeIn(connection, lease, Outcome.Complete.PLAIN));
        }
        assertThat(broker.held(leases.stream().map(Lease::id).toList())).containsOnly(true);
        connection.commit();
        assertThat(broker.held(leases.stream().map(Lease::id).toList())).containsOnly(false);
        assertThat(events(Event.SUCCEEDED)).isEqualTo(50);
    }

    @Test
    void autoCommitIsRefusedWithWhatToDo() throws SQLException {
        accept(job());
        var lease = worker().leaseOne();
        try (var connection = DriverManager.getConnection(url())) {
            assertThatThrownBy(() -> completeIn(connection, lease, Outcome.Complete.PLAIN))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("auto-commit");
        }
        assertThat(isHeld(lease)).isTrue();
    }

    @Test
    void onlyACompletionIsTaken() throws SQLException {
        accept(job());
        var lease = worker().leaseOne();
        var connection = begin();
        assertThatThrownBy(() -> completeIn(connection, lease, TestWorker.retry(seconds(1))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("'retry'");
        var limit = settings().maxPayloadBytes();
        var tooLarge = TestWorker.followedBy(
                job().build(), job().payload(new byte[limit + 1]).build());
        assertThatThrownBy(() -> completeIn(connection, lease, tooLarge))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("payload");
        connection.commit();
        assertThat(isHeld(lease)).isTrue();
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
    }
}
