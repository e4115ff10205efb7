package dev.belay.tck.transaction;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.Event;
import dev.belay.event.JobEvent;
import dev.belay.handler.IdempotencyConflictException;
import dev.belay.handler.JobContext;
import dev.belay.handler.JobHandler;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.once.EffectException;
import dev.belay.tck.Skip;
import dev.belay.tck.engine.EngineSuite;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the client and the engine make of transactions: enqueueIn, and handlers that complete their job in one. */
public class TransactionEngineTest extends EngineSuite {

    @BeforeEach
    void makeRows() {
        TransactionSuite.transactional(broker);
        Rows.create(url());
    }

    @AfterEach
    void dropRows() throws Exception {
        closeAll();
        Rows.drop(url());
    }

    private String url() {
        return bench.store()
                .jdbcUrl()
                .orElseThrow(() -> Skip.because("the harness " + harness.name() + " gives no connections"));
    }

    private List<String> rows() {
        return Rows.all(url());
    }

    /** Something done in a transaction. */
    private interface Work {
        void run(Connection connection) throws Exception;
    }

    private void inTransaction(boolean commit, Work work) throws Exception {
        try (var connection = DriverManager.getConnection(url())) {
            connection.setAutoCommit(false);
            try {
                work.run(connection);
                if (commit) {
                    connection.commit();
                }
            } finally {
                connection.rollback();
            }
        }
    }

    /** A row of the handler's own, and the completion of its job. */
    private void write(boolean commit, JobContext context) throws Exception {
        inTransaction(commit, connection -> {
            Rows.add(connection, context.job().id().toString());
            context.completeIn(connection);
        });
    }

    // --- the client ---

    @Test
    void G1_case10_aJobIsEnqueuedIfAndOnlyIfTheTransactionCommits() throws Exception {
        // It looks by itself long after the test: so the commit wakes it.
        start(define().poll(Duration.ofMinutes(10)).queue(QUEUE, 1).handle(WORK, effects.count((p, context) -> {})));
        inTransaction(false, connection -> {
            Rows.add(connection, "never");
            assertThat(belay.enqueueIn(connection, WORK.with("never")).state()).isEqualTo(JobState.READY);
        });
        var ids = new CopyOnWriteArrayList<JobId>();
        inTransaction(true, connection -> {
            Rows.add(connection, "order");
            var answer = belay.enqueueIn(connection, WORK.with("order"));
            assertThat(answer.duplicate()).isFalse();
            ids.add(answer.id());
            assertThat(admin.find(null, answer.id())).isEmpty();
        });
        awaitState(ids.get(0), JobState.SUCCEEDED);
        assertThat(rows()).containsExactly("order");
        assertThat(effects.runs()).extracting(run -> run.payload()).containsExactly("order");
    }

    @Test
    void G7_aDuplicateIsToldAndAConflictIsThrown() throws Exception {
        var first = belay.enqueue(WORK.with("a").key("k"));
        var added = new CopyOnWriteArrayList<JobId>();
        inTransaction(true, connection -> {
            var duplicate = belay.enqueueIn(connection, WORK.with("a").key("k"));
            assertThat(duplicate.id()).isEqualTo(first.id());
            assertThat(duplicate.duplicate()).isTrue();
            assertThat(duplicate.state()).isEqualTo(JobState.READY);
            assertThatThrownBy(() -> belay.enqueueIn(connection, WORK.with("b").key("k")))
                    .isInstanceOf(IdempotencyConflictException.class)
                    .hasMessageContaining("'k'");
            var replaced = belay.enqueueIn(connection, WORK.with("c").key("k").replaceWaiting());
            assertThat(replaced.replaced()).isTrue();
            added.add(belay.enqueueIn(connection, WORK.with("d")).id());
        });
        assertThat(payload(first.id())).isEqualTo("c");
        assertThat(added).allSatisfy(id -> assertThat(state(id)).isEqualTo(JobState.READY));
        assertThat(events(Event.ACCEPTED)).isEqualTo(2);
    }

    @Test
    void interceptorsStandAroundIt() throws Exception {
        var tagged = closing(dev.belay.Belay.builder(broker)
                .codecs(CODECS)
                .intercept((requests, next) -> next.proceed(requests.stream()
                        .<dev.belay.job.JobRequest<?>>map(request -> request.tag("tenant-7"))
                        .toList()))
                .build());
        var ids = new CopyOnWriteArrayList<JobId>();
        inTransaction(
                true,
                connection ->
                        ids.add(tagged.enqueueIn(connection, WORK.with("a")).id()));
        assertThat(job(ids.get(0)).options().tags()).containsExactly("tenant-7");
    }

    // --- handlers ---

    @Test
    void G1_G3_theRowAndTheSuccessCommitTogether() {
        serve(4, (payload, context) -> write(true, context));
        var ids = enqueueMany(20);
        awaitAll(ids, JobState.SUCCEEDED);
        eventually(() -> assertThat(told.all(JobEvent.Succeeded.class)).hasSize(20));

        assertThat(rows()).hasSize(20).doesNotHaveDuplicates();
        assertThat(effects.runs()).hasSize(20);
        assertThat(told.all(JobEvent.LeaseLost.class)).isEmpty();
        assertThat(told.all(JobEvent.Unconfirmed.class)).isEmpty();
        assertThat(List.of(events(Event.LEASED), events(Event.SUCCEEDED), events(Event.FAILED)))
                .containsExactly(20L, 20L, 0L);
    }

    @Test
    void G1_G3_aJobThatIsNotKeptIsDoneAsWell() {
        keepNothing();
        serve(2, (payload, context) -> write(true, context));
        enqueueMany(5);
        eventually(() -> assertThat(told.all(JobEvent.Succeeded.class)).hasSize(5));
        assertThat(rows()).hasSize(5);
        assertThat(events(Event.SUCCEEDED)).isEqualTo(5);
        assertThat(told.all(JobEvent.LeaseLost.class)).isEmpty();
    }

    @Test
    void aResultFollowUpsAndProgressGoWithIt() {
        var next = new CopyOnWriteArrayList<JobId>();
        serve(1, (payload, context) -> {
            if (payload.equals("next")) {
                return;
            }
            context.progress("nearly");
            next.add(context.followUp(WORK.with("next")));
            inTransaction(true, connection -> {
                context.completeIn(connection, "the result");
                assertThatThrownBy(() -> context.result("another"))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("after completeIn");
                assertThatThrownBy(() -> context.followUp(WORK.with("late")))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("after completeIn");
            });
        });
        var id = enqueue("first");
        awaitState(id, JobState.SUCCEEDED);
        awaitState(next.get(0), JobState.SUCCEEDED);
        var detail = admin.find(null, id).orElseThrow();
        assertThat(new String(requireNonNull(detail.result()), java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("the result");
        assertThat(detail.job().progress()).isEqualTo("nearly");
        assertThat(job(next.get(0)).links().parent()).isEqualTo(id);
        eventually(() -> assertThat(told.all(JobEvent.Succeeded.class)).hasSize(2));
        assertThat(effects.runs()).hasSize(2);
    }

    @Test
    void G2_aNormalReturnAfterARollbackIsAFailureAndIsTriedAgain() {
        serve(1, (payload, context) -> write(context.attempt() > 1, context));
        var id = enqueue("p");
        awaitState(id, JobState.SUCCEEDED);

        assertThat(rows()).containsExactly(id.toString());
        assertThat(job(id).counts().failures()).isEqualTo(1);
        var history = admin.find(null, id).orElseThrow().history();
        assertThat(history).extracting(HistoryEntry::kind).containsExactly(HistoryEntry.Kind.FAILED);
        assertThat(requireNonNull(history.get(0).error()).errorClass()).isEqualTo("COMPLETION_ROLLED_BACK");
        eventually(() ->
                assertThat(told.kinds(id)).containsExactlyInAnyOrder("Started", "Failed", "Started", "Succeeded"));
    }

    @Test
    void aRolledBackSavepointIsARollback() {
        serve(
                1,
                (payload, context) -> inTransaction(true, connection -> {
                    Rows.add(connection, "try " + context.attempt());
                    var savepoint = connection.setSavepoint();
                    context.completeIn(connection);
                    if (context.attempt() == 1) {
                        connection.rollback(savepoint);
                    }
                }));
        var id = enqueue("p");
        awaitState(id, JobState.SUCCEEDED);
        assertThat(rows()).containsExactly("try 1", "try 2");
        assertThat(job(id).counts().failures()).isEqualTo(1);
    }

    @Test
    void aHandlerMayTryItsTransactionAgain() {
        serve(1, (payload, context) -> {
            write(false, context);
            write(true, context);
        });
        var id = enqueue("p");
        awaitState(id, JobState.SUCCEEDED);
        assertThat(rows()).containsExactly(id.toString());
        assertThat(job(id).counts().failures()).isZero();
    }

    @Test
    void G3_whatAHandlerThrowsAfterItsCommitUndoesNothing() {
        expectLog("failed after its transaction had completed the job");
        serve(1, (payload, context) -> {
            write(true, context);
            throw new IllegalStateException("too late");
        });
        var id = enqueue("p");
        eventually(() -> assertThat(told.kinds(id)).containsExactly("Started", "Succeeded"));
        assertThat(job(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(job(id).counts().failures()).isZero();
        assertThat(rows()).containsExactly(id.toString());
        assertThat(events(Event.FAILED)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"failure", "snooze", "bury"})
    void whatAHandlerThrowsAfterARollbackMeansWhatItAlwaysMeans(String what) {
        serve(1, (payload, context) -> {
            if (context.delivery() > 1) {
                return;
            }
            write(false, context);
            switch (what) {
                case "failure" -> throw new IllegalStateException("boom");
                case "snooze" -> throw context.snooze(Duration.ZERO);
                default -> throw context.bury("hopeless");
            }
        });
        var id = enqueue("p");
        awaitState(id, what.equals("bury") ? JobState.DEAD : JobState.SUCCEEDED);
        assertThat(rows()).isEmpty();
        assertThat(job(id).counts().failures()).isEqualTo(what.equals("snooze") ? 0 : 1);
        assertThat(job(id).counts().snoozes()).isEqualTo(what.equals("snooze") ? 1 : 0);
        if (what.equals("failure")) {
            var failed = admin.find(null, id).orElseThrow().history().get(0);
            assertThat(requireNonNull(failed.error()).message()).isEqualTo("boom");
        }
    }

    @Test
    void G3_case41_aCancelledJobCanNotBeCompleted() {
        var gate = hold();
        var thrown = new CopyOnWriteArrayList<Throwable>();
        // The worker is not told in time.
        wire.cut("heartbeat");
        expectFaults();
        serve(1, (payload, context) -> {
            if (payload.equals("next")) {
                return;
            }
            gate.pass();
            try {
                write(true, context);
            } catch (EffectException.Lost e) {
                thrown.add(e);
                assertThat(context.leaseLost()).isTrue();
                throw e;
            }
        });
        var id = enqueue("p");
        gate.awaitArrived(1);
        applied(admin.cancel(QUEUE, id, ANN));
        gate.open();
        awaitState(enqueue("next"), JobState.SUCCEEDED);

        assertThat(thrown).hasSize(1);
        assertThat(rows()).isEmpty();
        assertThat(job(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(told.kinds(id)).containsExactlyInAnyOrder("Started", "LeaseLost");
    }

    @Test
    void case41_aJobThatIsCancelledAfterARollbackIsNotDone() {
        var gate = hold();
        expectLog("was lost before its outcome");
        serve(1, (payload, context) -> {
            if (payload.equals("next")) {
                return;
            }
            write(false, context);
            gate.pass();
        });
        var id = enqueue("p");
        gate.awaitArrived(1);
        applied(admin.cancel(QUEUE, id, ANN));
        // By its command: that it is not held would not be enough, after completeIn.
        gate.awaitInterrupted(1);
        gate.open();
        awaitState(enqueue("next"), JobState.SUCCEEDED);
        assertThat(job(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(told.kinds(id)).containsExactlyInAnyOrder("Started", "LeaseLost");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void G1_G3_anOutageAfterTheTransactionIsWaitedOutWithoutASlot(boolean commit) {
        expectFaults();
        var others = hold();
        serve(1, (payload, context) -> {
            if (payload.equals("other")) {
                others.pass();
            } else {
                write(commit || context.attempt() > 1, context);
            }
        });
        wire.cut("held");
        var id = enqueue("p");
        var other = enqueue("other");
        // The slot is free while it is not known what became of the first one.
        others.awaitArrived(1);
        eventually(() -> assertThat(wire.calls("held")).isGreaterThan(2));
        assertThat(job(id).state()).isEqualTo(commit ? JobState.SUCCEEDED : JobState.RUNNING);
        assertThat(told.kinds(id)).containsExactly("Started");
        wire.heal();
        others.open();

        awaitAll(List.of(id, other), JobState.SUCCEEDED);
        assertThat(rows()).containsExactly(id.toString());
        assertThat(job(id).counts().failures()).isEqualTo(commit ? 0 : 1);
        eventually(() -> assertThat(told.kinds(id)).endsWith("Succeeded"));
        assertThat(told.of(id, JobEvent.LeaseLost.class)).isEmpty();
    }

    @Test
    void G3_aCommittedJobWhoseHandlerStillRunsIsNoLostLease() {
        var gate = hold();
        var lost = new AtomicBoolean();
        expectFaults();
        serve(2, (payload, context) -> {
            if (payload.equals("other")) {
                return;
            }
            context.onLeaseLost(() -> lost.set(true));
            write(true, context);
            gate.pass();
            lost.compareAndSet(false, context.leaseLost());
        });
        var id = enqueue("p");
        gate.awaitArrived(1);
        // After lost replies the worker asks what it holds, and is told that it does not hold this one.
        for (var i = 0; i < 2; i++) {
            var before = wire.calls("reconcile");
            wire.faults().loseReply("lease");
            awaitState(enqueue("other"), JobState.SUCCEEDED);
            eventually(() -> assertThat(wire.calls("reconcile")).isGreaterThan(before));
        }
        assertThat(gate.interrupted()).isZero();
        gate.open();
        eventually(() -> assertThat(told.kinds(id)).containsExactly("Started", "Succeeded"));
        assertThat(lost).isFalse();
    }

    @Test
    void aTimeoutAfterTheCommitIsNone() {
        var gate = hold();
        expectLog("ignores the interrupt of its timeout");
        var quick = type(b -> b.timeout(Duration.ofMillis(500)));
        JobHandler<String> handler = (payload, context) -> {
            write(true, context);
            gate.pass();
        };
        start(define().queue(QUEUE, 1).handle(quick, effects.count(handler)));
        var id = enqueue(quick.with("p"));
        gate.awaitInterrupted(1);
        eventually(() -> assertThat(told.kinds(id)).containsExactly("Started", "Succeeded"));
        gate.open();
        assertThat(job(id).counts().failures()).isZero();
    }

    @Test
    void G12_aCommittedJobWhoseHandlerIgnoresTheDrainIsNotGivenBack() {
        var gate = hold();
        expectLog("ignore their interrupt");
        var worker = start(
                define().drainTimeout(Duration.ofMillis(50)).queue(QUEUE, 1).handle(WORK, (p, context) -> {
                    write(true, context);
                    gate.pass();
                }));
        var id = enqueue("p");
        gate.awaitArrived(1);
        worker.close();
        assertThat(job(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(told.kinds(id)).containsExactly("Started", "Succeeded");
        assertThat(events(Event.RELEASED)).isZero();
        gate.open();
    }

    @Test
    void aConnectionInAutoCommitIsRefusedWithWhatToDo() {
        var refused = new CopyOnWriteArrayList<Throwable>();
        serve(1, (payload, context) -> {
            try (var connection = DriverManager.getConnection(url())) {
                context.completeIn(connection);
            } catch (dev.belay.job.InvalidInputException e) {
                refused.add(e);
            }
        });
        var id = enqueue("p");
        awaitState(id, JobState.SUCCEEDED);
        assertThat(refused).hasSize(1);
        assertThat(refused.get(0)).hasMessageContaining("auto-commit");
    }

    @Test
    void afterTheHandlerHasReturnedNothingIsCompleted() {
        var contexts = new CopyOnWriteArrayList<JobContext>();
        serve(1, (payload, context) -> contexts.add(context));
        awaitState(enqueue("p"), JobState.SUCCEEDED);
        assertThatThrownBy(
                        () -> inTransaction(false, connection -> contexts.get(0).completeIn(connection)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("had returned");
    }

    @Test
    void enqueueInAndCompleteInOfOneHandlerCommitTogether() {
        serve(1, (payload, context) -> {
            if (payload.equals("child")) {
                return;
            }
            inTransaction(context.attempt() > 1, connection -> {
                belay.enqueueIn(connection, WORK.with("child"));
                write(connection, context);
            });
        });
        var id = enqueue("parent");
        awaitState(id, JobState.SUCCEEDED);
        eventually(() -> assertThat(events(Event.SUCCEEDED)).isEqualTo(2));
        assertThat(events(Event.ACCEPTED)).isEqualTo(2);
        assertThat(rows()).containsExactly(id.toString());
    }

    private static void write(Connection connection, JobContext context) throws SQLException {
        Rows.add(connection, context.job().id().toString());
        context.completeIn(connection);
    }
}
