package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.Verdict;
import dev.belay.job.By;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import dev.belay.tck.Together;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calling off a job, waiting or running. */
public class CancelTest extends BrokerSuite {

    @Test
    void aWaitingJobIsCancelledAndNeverRuns() {
        var ready = accept(job());
        var scheduled = accept(job().delay(seconds(10)));
        var cancelled = timed(() -> List.of(admin.cancel(QUEUE, ready, ANN), admin.cancel(null, scheduled, ANN)));

        assertThat(cancelled.value())
                .containsOnly(new Verdict.Applied(JobState.CANCELLED, null))
                .hasSize(2);
        for (var id : List.of(ready, scheduled)) {
            assertThat(state(id)).isEqualTo(JobState.CANCELLED);
            assertThat(find(id).reason()).isEqualTo("told so");
            assertThat(find(id).times().finishedAt()).isBetween(cancelled.from(), cancelled.to());
            assertThat(admin.find(QUEUE, id).orElseThrow().history())
                    .extracting(HistoryEntry::kind, HistoryEntry::by)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple(HistoryEntry.Kind.CANCELLED, ANN));
        }
        advance(seconds(20));
        assertThat(worker().lease(5)).isEmpty();
        assertThat(List.of(events(Event.CANCELLED_WAITING), events(Event.CANCELLED_RUNNING)))
                .containsExactly(2L, 0L);
    }

    @Test
    void case41_aRunningJobIsCancelledAtOnce() {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        assertThat(admin.cancel(QUEUE, id, ANN)).isEqualTo(new Verdict.Applied(JobState.CANCELLED, null));

        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
        assertThat(worker.reconcile().held()).isEmpty();
        assertThat(admin.sessions().get(0).inFlight()).isZero();
        assertThat(List.of(events(Event.CANCELLED_WAITING), events(Event.CANCELLED_RUNNING)))
                .containsExactly(0L, 1L);
        for (var late :
                List.of(Outcome.Complete.PLAIN, TestWorker.retry(seconds(0)), new Outcome.Snooze(seconds(0), false))) {
            assertThat(worker.settle(lease, late)).isEqualTo(Verdict.STALE);
        }
        assertThat(worker.lease(5)).isEmpty();
    }

    @Test
    void withoutAReasonTheCancellerIsTheReason() {
        var id = accept(job());
        applied(admin.cancel(QUEUE, id, By.of("bob")));

        assertThat(find(id).reason()).isEqualTo("bob");
    }

    @Test
    void whatIsFinalCannotBeCancelled() {
        var dead = dead(job());
        assertThat(admin.cancel(QUEUE, dead, ANN)).isEqualTo(new Verdict.WrongState(JobState.DEAD));
        var id = accept(job());
        applied(admin.cancel(QUEUE, id, ANN));
        assertThat(admin.cancel(QUEUE, id, ANN)).isEqualTo(new Verdict.WrongState(JobState.CANCELLED));
        accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        worker.complete(lease);
        assertThat(admin.cancel(QUEUE, lease.job().id(), ANN)).isEqualTo(new Verdict.WrongState(JobState.SUCCEEDED));
        assertThat(admin.cancel(QUEUE, JobId.next(), ANN)).isEqualTo(Verdict.MISSING);
        assertThat(admin.cancel(null, JobId.next(), ANN)).isEqualTo(Verdict.MISSING);
        assertThat(admin.cancel("no-such-queue", id, ANN)).isEqualTo(Verdict.MISSING);
    }

    @Test
    void case41_aJobInItsRetryWaitCanBeCancelled() {
        var id = accept(job());
        var worker = worker();
        worker.fail(worker.leaseOne(), seconds(5));
        applied(admin.cancel(QUEUE, id, ANN));
        advance(seconds(10));
        broker.promote(QUEUE, seconds(1));

        assertThat(worker.lease(5)).isEmpty();
        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void case41_cancelAndCompleteAtTheSameMomentHaveOneWinner() {
        var worker = worker();
        var nodes = List.of(broker, secondNode());
        var cancelled = 0;
        for (var round = 0; round < 1_000; round++) {
            var id = accept(job());
            var lease = worker.leaseOne();
            var reversed = round % 2 == 0;
            var verdicts = Together.run(
                    2,
                    i -> (i == 0) == reversed
                            ? () -> nodes.get(0).admin().cancel(QUEUE, id, ANN)
                            : () -> worker.settle(lease, Outcome.Complete.PLAIN));
            var cancel = verdicts.get(reversed ? 0 : 1);
            var complete = verdicts.get(reversed ? 1 : 0);
            if (cancel.isApplied()) {
                cancelled++;
                assertThat(complete).isEqualTo(Verdict.STALE);
                assertThat(state(id)).isEqualTo(JobState.CANCELLED);
            } else {
                assertThat(cancel).isEqualTo(new Verdict.WrongState(JobState.SUCCEEDED));
                assertThat(complete).isEqualTo(new Verdict.Applied(JobState.SUCCEEDED, null));
                assertThat(state(id)).isEqualTo(JobState.SUCCEEDED);
            }
        }
        assertThat(events(Event.CANCELLED_RUNNING)).isEqualTo(cancelled);
        assertThat(events(Event.SUCCEEDED)).isEqualTo(1_000 - cancelled);
    }

    @Test
    void cancelAndLeaseAtTheSameMomentLeaveNoLease() {
        var worker = worker();
        for (var round = 0; round < 100; round++) {
            var id = accept(job());
            var results = Together.run(
                    2,
                    i -> i == 0
                            ? () -> admin.cancel(QUEUE, id, ANN).isApplied()
                            : () -> worker.lease(1).isEmpty());
            assertThat(results.get(0)).isTrue();
            assertThat(state(id)).isEqualTo(JobState.CANCELLED);
            assertThat(worker.reconcile().held()).isEmpty();
        }
    }
}
