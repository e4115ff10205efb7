package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.AuditEntry;
import dev.belay.broker.Event;
import dev.belay.broker.Verdict;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import org.junit.jupiter.api.Test;

/** Removing final jobs, with a tombstone. */
public class DiscardTest extends BrokerSuite {

    @Test
    void G13_aDiscardedJobIsGoneAndItsTombstoneTellsWho() {
        var id = dead(job());
        applied(admin.discard(null, id, null, ANN));

        assertThat(admin.find(QUEUE, id)).isEmpty();
        assertThat(admin.queues().get(0).count(JobState.DEAD)).isZero();
        assertThat(events(Event.DISCARDED)).isEqualTo(1);
        assertThat(admin.audit(id, null, 10).entries()).singleElement().satisfies(entry -> {
            assertThat(entry.action()).isEqualTo("discard");
            assertThat(entry.by()).isEqualTo(ANN);
            assertThat(entry.queue()).isEqualTo(QUEUE);
            assertThat(entry.job()).isEqualTo(id);
        });
        assertThat(admin.discard(QUEUE, id, null, ANN)).isEqualTo(Verdict.MISSING);
    }

    @Test
    void everyFinalStateCanBeDiscarded() {
        var dead = dead(job());
        var cancelled = accept(job());
        applied(admin.cancel(QUEUE, cancelled, ANN));
        var succeeded = accept(job());
        var worker = worker();
        worker.complete(worker.leaseOne());
        for (var id : java.util.List.of(dead, cancelled, succeeded)) {
            applied(admin.discard(QUEUE, id, null, ANN));
        }
        assertThat(admin.queues().get(0).counts().values()).allMatch(count -> count == 0);
    }

    @Test
    void nothingElseCanBeDiscarded() {
        var scheduled = accept(job().delay(seconds(60)));
        var id = accept(job());
        assertThat(admin.discard(QUEUE, scheduled, null, ANN)).isEqualTo(new Verdict.WrongState(JobState.SCHEDULED));
        assertThat(admin.discard(QUEUE, id, null, ANN)).isEqualTo(new Verdict.WrongState(JobState.READY));
        worker().leaseOne();
        assertThat(admin.discard(QUEUE, id, null, ANN)).isEqualTo(new Verdict.WrongState(JobState.RUNNING));
        assertThat(admin.discard(QUEUE, JobId.next(), null, ANN)).isEqualTo(Verdict.MISSING);
        assertThat(admin.audit(null, null, 10).entries())
                .extracting(AuditEntry::action)
                .doesNotContain("discard");
    }

    @Test
    void aMassDiscardTakesOnlyWhatWasFinalWhenItBegan() {
        var before = dead(job());
        advance(seconds(5));
        var began = now();
        advance(seconds(5));
        var after = dead(job());

        applied(admin.discard(QUEUE, before, began, ANN));
        assertThat(admin.discard(QUEUE, after, began, ANN)).isEqualTo(new Verdict.WrongState(JobState.DEAD));
        assertThat(state(after)).isEqualTo(JobState.DEAD);
    }

    @Test
    void case35_aDiscardedJobIsNotRaisedByALateSettle() {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        worker.complete(lease);
        applied(admin.discard(QUEUE, id, null, ANN));

        assertThat(worker.settle(lease, Outcome.Complete.PLAIN)).isEqualTo(Verdict.STALE);
        assertThat(admin.find(QUEUE, id)).isEmpty();
        assertThat(worker.lease(5)).isEmpty();
    }
}
