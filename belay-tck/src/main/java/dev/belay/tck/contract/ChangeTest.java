package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.JobEdit;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Moment;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a person may change of a job that is not final: run it now, or edit it. */
public class ChangeTest extends BrokerSuite {

    @Test
    void runNowMakesAScheduledJobReady() {
        var id = accept(job().delay(Duration.ofDays(3)));
        var run = timed(() -> admin.runNow(null, id, ANN));

        assertThat(run.value()).isEqualTo(new Verdict.Applied(JobState.READY, null));
        assertThat(state(id)).isEqualTo(JobState.READY);
        assertThat(find(id).times().readyAt()).isBetween(run.from(), run.to());
        assertHistory(id, HistoryEntry.Kind.RUN_NOW);
        assertThat(worker().leaseOne().job().id()).isEqualTo(id);
    }

    @Test
    void onlyScheduledJobsCanBeRunNow() {
        var id = accept(job());
        assertThat(admin.runNow(QUEUE, id, ANN)).isEqualTo(new Verdict.WrongState(JobState.READY));
        var worker = worker();
        var lease = worker.leaseOne();
        assertThat(admin.runNow(QUEUE, id, ANN)).isEqualTo(new Verdict.WrongState(JobState.RUNNING));
        worker.bury(lease);
        assertThat(admin.runNow(QUEUE, id, ANN)).isEqualTo(new Verdict.WrongState(JobState.DEAD));
        assertThat(admin.runNow(QUEUE, JobId.next(), ANN)).isEqualTo(Verdict.MISSING);
    }

    @Test
    void anotherPriorityMovesAWaitingJobInLine() {
        var first = accept(job().priority(2));
        advance(seconds(1));
        var second = accept(job().priority(2));
        var scheduled = accept(job().priority(4).delay(seconds(30)));
        assertThat(admin.edit(QUEUE, second, priority(1), ANN)).isEqualTo(new Verdict.Applied(JobState.READY, null));
        assertThat(admin.edit(QUEUE, scheduled, priority(0), ANN))
                .isEqualTo(new Verdict.Applied(JobState.SCHEDULED, null));
        advance(seconds(30));

        assertThat(worker().lease(3)).extracting(lease -> lease.job().id()).containsExactly(scheduled, second, first);
        assertHistory(second, HistoryEntry.Kind.EDITED);
    }

    @Test
    void tagsAreReplacedAndFound() {
        var id = accept(job().options(o -> o.withTag("old")));
        applied(admin.edit(QUEUE, id, new JobEdit(null, null, List.of("a", "b")), ANN));

        assertThat(find(id).options().tags()).containsExactly("a", "b");
        assertThat(admin.count(JobQuery.ALL.withTag("a"), 9)).isEqualTo(1);
        assertThat(admin.count(JobQuery.ALL.withTag("old"), 9)).isZero();
        applied(admin.edit(QUEUE, id, new JobEdit(null, null, List.of()), ANN));
        assertThat(find(id).options().tags()).isEmpty();
    }

    @Test
    void aLaterStartPutsAReadyJobBackOnTheSchedule() {
        var id = accept(job());
        var edited = timed(() -> admin.edit(QUEUE, id, runAt(new Moment.After(seconds(60))), ANN));

        assertThat(edited.value()).isEqualTo(new Verdict.Applied(JobState.SCHEDULED, null));
        assertThat(find(id).times().runAt()).isBetween(edited.from() + 60_000, edited.to() + 60_000);
        assertThat(worker().lease(1)).isEmpty();
        advance(seconds(60));
        assertThat(worker().lease(1)).hasSize(1);
    }

    @Test
    void anEarlierStartMakesAScheduledJobReadyOrDueSooner() {
        var id = accept(job().delay(Duration.ofDays(1)));
        var at = Instant.ofEpochMilli(now() + 5_000);
        assertThat(admin.edit(QUEUE, id, runAt(new Moment.At(at)), ANN))
                .isEqualTo(new Verdict.Applied(JobState.SCHEDULED, null));
        assertThat(find(id).times().runAt()).isEqualTo(at.toEpochMilli());
        assertThat(admin.edit(QUEUE, id, runAt(Moment.NOW), ANN)).isEqualTo(new Verdict.Applied(JobState.READY, null));

        assertThat(worker().leaseOne().job().id()).isEqualTo(id);
    }

    @Test
    void aJobThatWasMovedInLineAndHasSucceededStaysSo() {
        var moved = accept(job().priority(2));
        admin.edit(QUEUE, moved, priority(1), ANN);
        var worker = worker();
        worker.complete(worker.leaseOne());
        var next = accept(job().priority(2));

        assertThat(worker.leaseOne().job().id()).isEqualTo(next);
        assertThat(state(moved)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void case33_priorityAndTagsOfARunningJobHoldFromItsNextDelivery() {
        var id = accept(job());
        accept(job().priority(1));
        var worker = worker();
        var lease = worker.lease(2).get(1);
        assertThat(lease.job().id()).isEqualTo(id);
        assertThat(admin.edit(QUEUE, id, new JobEdit(0, null, List.of("urgent")), ANN))
                .isEqualTo(new Verdict.Applied(JobState.RUNNING, null));
        assertThat(broker.held(List.of(lease.id()))).containsExactly(true);
        worker.settled(lease, new Outcome.Release(false));
        accept(job().priority(1));

        var next = worker.leaseOne().job();
        assertThat(next.id()).isEqualTo(id);
        assertThat(next.options().priority()).isZero();
        assertThat(next.options().tags()).containsExactly("urgent");
    }

    @Test
    void theStartOfARunningJobCannotBeEdited() {
        var id = accept(job());
        var lease = worker().leaseOne();
        var before = find(id);

        assertThat(admin.edit(QUEUE, id, new JobEdit(0, new Moment.After(seconds(5)), null), ANN))
                .isEqualTo(new Verdict.WrongState(JobState.RUNNING));
        assertThat(find(id)).isEqualTo(before);
        assertThat(broker.held(List.of(lease.id()))).containsExactly(true);
    }

    @Test
    void whatIsFinalCannotBeEdited() {
        var dead = dead(job());
        assertThat(admin.edit(QUEUE, dead, priority(0), ANN)).isEqualTo(new Verdict.WrongState(JobState.DEAD));
        var cancelled = accept(job());
        applied(admin.cancel(QUEUE, cancelled, ANN));
        assertThat(admin.edit(QUEUE, cancelled, priority(0), ANN))
                .isEqualTo(new Verdict.WrongState(JobState.CANCELLED));
        assertThat(admin.edit(QUEUE, JobId.next(), priority(0), ANN)).isEqualTo(Verdict.MISSING);
    }

    @Test
    void G13_eachChangeIsAudited() {
        var id = accept(job().delay(seconds(60)));
        applied(admin.edit(QUEUE, id, priority(0), ANN));
        applied(admin.runNow(QUEUE, id, ANN));
        applied(admin.cancel(QUEUE, id, ANN));
        applied(admin.replay(QUEUE, id, null, ANN));

        assertThat(admin.audit(id, null, 10).entries()).hasSize(4).allSatisfy(entry -> {
            assertThat(entry.by()).isEqualTo(ANN);
            assertThat(entry.queue()).isEqualTo(QUEUE);
            assertThat(entry.job()).isEqualTo(id);
            assertThat(entry.at()).isBetween(now() - 60_000, now());
        });
        assertThat(admin.find(QUEUE, id).orElseThrow().history())
                .extracting(HistoryEntry::kind)
                .containsExactly(
                        HistoryEntry.Kind.EDITED,
                        HistoryEntry.Kind.RUN_NOW,
                        HistoryEntry.Kind.CANCELLED,
                        HistoryEntry.Kind.REPLAYED);
    }

    private static JobEdit priority(int value) {
        return new JobEdit(value, null, null);
    }

    private static JobEdit runAt(@Nullable Moment value) {
        return new JobEdit(null, value, null);
    }

    private void assertHistory(JobId id, HistoryEntry.Kind kind) {
        assertThat(admin.find(QUEUE, id).orElseThrow().history())
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.kind()).isEqualTo(kind);
                    assertThat(entry.by()).isEqualTo(ANN);
                });
    }
}
