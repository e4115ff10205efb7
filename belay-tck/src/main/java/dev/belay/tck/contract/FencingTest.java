package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Beat;
import dev.belay.broker.Lease;
import dev.belay.broker.Settlement;
import dev.belay.broker.Verdict;
import dev.belay.job.DeadReason;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.LeaseId;
import dev.belay.job.Outcome;
import dev.belay.job.SessionId;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** G3: only the newest token, in the session that holds it, changes a job. Everything else is STALE and changes nothing. */
public class FencingTest extends BrokerSuite {

    static Stream<Outcome> outcomes() {
        return Stream.of(
                new Outcome.Complete(
                        new byte[] {1}, List.of(job().key("follow-up").build())),
                TestWorker.retry(seconds(0)),
                TestWorker.retry(seconds(9)),
                new Outcome.Retry(seconds(9), true, TestWorker.error("A", "b")),
                new Outcome.Bury(DeadReason.NOT_RETRYABLE, TestWorker.error("A", "b")),
                new Outcome.Bury(DeadReason.BY_HANDLER, null),
                new Outcome.Release(false),
                new Outcome.Release(true),
                new Outcome.Snooze(seconds(9), false),
                new Outcome.Snooze(seconds(9), true));
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void G3_aZombiesSettleChangesNothing(Outcome outcome) {
        var id = accept(job());
        var zombie = worker();
        var lost = zombie.leaseOne();
        crash(zombie);
        assertStale(zombie, lost, outcome, id);

        applied(admin.runNow(QUEUE, id, ANN));
        assertStale(zombie, lost, outcome, id);
        var heir = worker();
        var lease = heir.leaseOne();
        assertStale(zombie, lost, outcome, id);
        heir.complete(lease);
        assertStale(zombie, lost, outcome, id);
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void case17_aStalledWorkersLateCallsAreAllRefused(Outcome outcome) {
        var id = accept(job());
        var stalled = worker();
        var lost = stalled.leaseOne();
        crash(stalled);
        applied(admin.runNow(QUEUE, id, ANN));
        var heir = worker();
        var lease = heir.leaseOne();

        assertThat(broker.held(List.of(lost.id(), lease.id()))).containsExactly(false, true);
        var beat = new Beat(stalled.id(), 0, Map.of(lost.id(), "zombie's word"));
        assertThat(broker.heartbeat(List.of(beat)).get(0).ended()).isTrue();
        assertThat(find(id).progress()).isNull();
        assertThat(stalled.begin(lost)).isIn(Verdict.STALE, Verdict.ENDED);
        assertStale(stalled, lost, outcome, id);
        assertThat(heir.complete(lease).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(find(id).counts().crashes()).isEqualTo(1);
        assertThat(find(id).counts().failures()).isZero();
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void case41_aCancelledJobsWorkerIsRefused(Outcome outcome) {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        applied(admin.cancel(QUEUE, id, ANN));

        assertThat(broker.held(List.of(lease.id()))).containsExactly(false);
        assertStale(worker, lease, outcome, id);
        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void G3_aTokenOfBeforeAReplayIsStale(Outcome outcome) {
        var id = accept(job());
        var worker = worker();
        var cancelled = worker.leaseOne();
        applied(admin.cancel(QUEUE, id, ANN));
        applied(admin.replay(QUEUE, id, null, ANN));
        assertStale(worker, cancelled, outcome, id);

        // Held again by the same session: still another delivery.
        var lease = worker.leaseOne();
        assertThat(lease.id().token()).isGreaterThan(cancelled.id().token());
        assertStale(worker, cancelled, outcome, id);
        assertThat(worker.complete(lease).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void G3_aTokenOfARemovedJobIsStaleForOneWithTheSameId(Outcome outcome) {
        var id = JobId.next();
        accept(job().id(id));
        var worker = worker();
        var first = worker.leaseOne();
        applied(admin.cancel(QUEUE, id, ANN));
        applied(admin.discard(QUEUE, id, null, ANN));
        assertThat(worker.settle(first, outcome)).isEqualTo(Verdict.STALE);

        accept(job().id(id));
        assertStale(worker, first, outcome, id);
        var second = worker.leaseOne();
        assertThat(second.id().token()).isGreaterThan(first.id().token());
        assertStale(worker, first, outcome, id);
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void G3_theRightTokenInAnotherSessionIsStale(Outcome outcome) {
        var id = accept(job());
        var holder = worker();
        var lease = holder.leaseOne();
        for (var session : List.of(worker().id(), SessionId.next())) {
            var forged = new LeaseId(QUEUE, id, lease.id().token(), session);
            assertStale(forged, outcome, id);
            assertThat(broker.held(List.of(forged))).containsExactly(false);
        }
        holder.complete(lease);
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void G3_anyOtherTokenIsStale(Outcome outcome) {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        for (var token : List.of(0L, -1L, lease.id().token() - 1, lease.id().token() + 1, Long.MAX_VALUE)) {
            assertStale(new LeaseId(QUEUE, id, token, worker.id()), outcome, id);
        }
        worker.complete(lease);
    }

    @Test
    void whatDoesNotExistIsStaleAndNeverAnException() {
        var worker = worker();
        accept(1);
        var held = worker.leaseOne().id();
        var strangers = List.of(
                new LeaseId("no-such-queue", held.job(), held.token(), held.session()),
                new LeaseId(QUEUE, JobId.next(), held.token(), held.session()),
                new LeaseId("no-such-queue", JobId.next(), 1, SessionId.next()));
        for (var stranger : strangers) {
            assertThat(settle(stranger, Outcome.Complete.PLAIN)).isEqualTo(Verdict.STALE);
            assertThat(broker.begin(stranger)).isIn(Verdict.STALE, Verdict.ENDED);
        }
        assertThat(broker.held(strangers)).containsExactly(false, false, false);
        assertThat(broker.held(List.of(held))).containsExactly(true);
        assertThat(admin.queues()).extracting(view -> view.queue()).containsExactly(QUEUE);
    }

    @Test
    void oneStaleItemDoesNotHarmTheOthersOfItsBatch() {
        accept(3);
        var worker = worker();
        var leases = worker.lease(3);
        applied(admin.cancel(QUEUE, leases.get(1).job().id(), ANN));
        var verdicts = broker.settle(
                QUEUE,
                leases.stream()
                        .map(lease -> new Settlement(lease.id(), Outcome.Complete.PLAIN, null))
                        .toList());

        assertThat(verdicts)
                .containsExactly(
                        new Verdict.Applied(JobState.SUCCEEDED, null),
                        Verdict.STALE,
                        new Verdict.Applied(JobState.SUCCEEDED, null));
    }

    @Test
    void theSameLeaseTwiceInOneBatchIsSettledOnce() {
        accept(1);
        var worker = worker();
        var lease = worker.leaseOne();
        var verdicts = broker.settle(
                QUEUE,
                List.of(
                        new Settlement(lease.id(), TestWorker.retry(seconds(60)), null),
                        new Settlement(lease.id(), Outcome.Complete.PLAIN, null)));

        assertThat(verdicts).containsExactly(scheduled(), scheduled());
        assertThat(find(lease.job().id()).counts().failures()).isEqualTo(1);
    }

    private static Verdict scheduled() {
        return new Verdict.Applied(JobState.SCHEDULED, null);
    }

    private void assertStale(TestWorker worker, Lease lease, Outcome outcome, JobId id) {
        assertThat(lease.id().session()).isEqualTo(worker.id());
        assertStale(lease.id(), outcome, id);
    }

    private void assertStale(LeaseId lease, Outcome outcome, JobId id) {
        Job before = find(id);
        var events = admin.statistics(dev.belay.broker.StatisticsQuery.TOTAL);

        assertThat(settle(lease, outcome)).isEqualTo(Verdict.STALE);
        assertThat(find(id)).isEqualTo(before);
        assertThat(admin.statistics(dev.belay.broker.StatisticsQuery.TOTAL))
                .containsExactlyInAnyOrderElementsOf(events);
    }

    private Verdict settle(LeaseId lease, Outcome outcome) {
        return broker.settle(lease.queue(), List.of(new Settlement(lease, outcome, "late word")))
                .get(0);
    }
}
