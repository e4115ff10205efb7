package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.JobState;
import dev.belay.tck.BrokerSuite;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Putting dead and cancelled jobs back to work, as they are. */
public class ReplayTest extends BrokerSuite {

    @Test
    void aDeadLetterGoesBackToWorkAsItWas() {
        var id = dead(job().payload("{\"n\":1}").key("k").priority(1).options(o -> o.withTag("t")));
        var before = find(id);
        advance(Duration.ofDays(2));
        var replayed = timed(() -> admin.replay(null, id, null, ANN));

        assertThat(replayed.value()).isEqualTo(new Verdict.Applied(JobState.READY, null));
        var job = find(id);
        assertThat(job.state()).isEqualTo(JobState.READY);
        assertThat(List.of(job.id(), job.key(), job.options(), job.token(), job.type()))
                .isEqualTo(List.of(before.id(), before.key(), before.options(), before.token(), before.type()));
        assertThat(job.times().createdAt()).isEqualTo(before.times().createdAt());
        assertThat(job.times().readyAt()).isBetween(replayed.from(), replayed.to());
        assertThat(job.times().finishedAt()).isNull();
        assertThat(job.reason()).isNull();
        assertThat(job.counts().replays()).isEqualTo(1);
        var history = admin.find(QUEUE, id).orElseThrow().history();
        assertThat(history)
                .extracting(HistoryEntry::kind)
                .containsExactly(HistoryEntry.Kind.FAILED, HistoryEntry.Kind.BURIED, HistoryEntry.Kind.REPLAYED);
        assertThat(history.get(2).by()).isEqualTo(ANN);
        var lease = worker().leaseOne();
        assertThat(lease.id().token()).isGreaterThan(before.token());
        assertThat(lease.payload().bytes()).asString().isEqualTo("{\"n\":1}");
        assertThat(events(Event.REPLAYED)).isEqualTo(1);
    }

    @Test
    void aCancelledJobCanBeReplayedToo() {
        var id = accept(job().delay(Duration.ofDays(3)));
        applied(admin.cancel(QUEUE, id, ANN));

        assertThat(admin.replay(QUEUE, id, null, ANN)).isEqualTo(new Verdict.Applied(JobState.READY, null));
        assertThat(worker().leaseOne().job().id()).isEqualTo(id);
    }

    @Test
    void onlyDeadAndCancelledJobsCanBeReplayed() {
        var scheduled = accept(job().delay(seconds(60)));
        assertThat(admin.replay(QUEUE, scheduled, null, ANN)).isEqualTo(new Verdict.WrongState(JobState.SCHEDULED));
        var id = accept(job());
        assertThat(admin.replay(QUEUE, id, null, ANN)).isEqualTo(new Verdict.WrongState(JobState.READY));
        var worker = worker();
        var lease = worker.leaseOne();
        assertThat(admin.replay(QUEUE, id, null, ANN)).isEqualTo(new Verdict.WrongState(JobState.RUNNING));
        worker.complete(lease);
        assertThat(admin.replay(QUEUE, id, null, ANN)).isEqualTo(new Verdict.WrongState(JobState.SUCCEEDED));
        assertThat(admin.replay(QUEUE, JobId.next(), null, ANN)).isEqualTo(Verdict.MISSING);
        assertThat(admin.replay("no-such-queue", id, null, ANN)).isEqualTo(Verdict.MISSING);
        assertThat(events(Event.REPLAYED)).isZero();
    }

    @Test
    void case64_twoReplaysAreOne() {
        var id = dead(job());
        applied(admin.replay(QUEUE, id, null, ANN));

        assertThat(admin.replay(QUEUE, id, null, ANN)).isEqualTo(new Verdict.WrongState(JobState.READY));
        assertThat(find(id).counts().replays()).isEqualTo(1);
    }

    @Test
    void case64_aMassReplayTakesOnlyWhatWasFinalWhenItBegan() {
        var before = dead(job());
        advance(seconds(5));
        var began = now();
        advance(seconds(5));
        var after = dead(job());

        applied(admin.replay(QUEUE, before, began, ANN));
        assertThat(admin.replay(QUEUE, after, began, ANN)).isEqualTo(new Verdict.WrongState(JobState.DEAD));
        // It dies again: the same mass operation does not take it twice.
        var worker = worker();
        worker.bury(worker.leaseOne());
        assertThat(admin.replay(QUEUE, before, began, ANN)).isEqualTo(new Verdict.WrongState(JobState.DEAD));
    }

    @Test
    void aReplayClaimsItsKeyAgain() {
        var id = accept(job().key("k"));
        applied(admin.cancel(QUEUE, id, ANN));
        applied(admin.replay(QUEUE, id, null, ANN));

        assertThat(client.enqueue(job().key("k"))).isEqualTo(new Verdict.Duplicate(id, JobState.READY));
    }

    @Test
    void aReplayIsRefusedWhenAnotherJobHasItsKey() {
        var first = accept(job().key("k"));
        applied(admin.cancel(QUEUE, first, ANN));
        var second = accept(job().key("k"));
        var before = find(first);
        var verdict = admin.replay(QUEUE, first, null, ANN);

        assertThat(verdict).isInstanceOf(Verdict.Conflict.class);
        assertThat(((Verdict.Conflict) verdict).holder()).isEqualTo(second);
        assertThat(((Verdict.Conflict) verdict).state()).isEqualTo(JobState.READY);
        assertThat(find(first)).isEqualTo(before);

        applied(admin.cancel(QUEUE, second, ANN));
        applied(admin.replay(QUEUE, first, null, ANN));
    }

    @Test
    void case60_eachDeadLetterGoesBackToItsOwnQueue() {
        var mail = dead(job());
        var reports = dead(job().queue("reports"));
        applied(admin.replay(null, mail, null, ANN));
        applied(admin.replay(null, reports, null, ANN));

        assertThat(worker("reports").leaseOne().job().id()).isEqualTo(reports);
        assertThat(worker().leaseOne().job().id()).isEqualTo(mail);
    }

    @Test
    void aReplayWithAnotherPayloadIsANewJob() {
        var old = dead(job().key("k").payload("bad"));
        var better =
                job().key("k").payload("good").links(new JobLinks(null, old)).build();

        assertThat(admin.replace(QUEUE, old, better, ANN)).isEqualTo(new Verdict.Applied(JobState.READY, null));
        assertThat(admin.find(QUEUE, old)).isEmpty();
        var job = find(better.id());
        assertThat(job.links().replaces()).isEqualTo(old);
        assertThat(job.counts().failures()).isZero();
        assertThat(worker().leaseOne().payload()).isEqualTo(better.payload());
        assertThat(List.of(events(Event.DISCARDED), events(Event.ACCEPTED), events(Event.REPLAYED)))
                .containsExactly(1L, 2L, 1L);
    }

    @Test
    void aReplacedJobNamesItsSuccessor() {
        var old = dead(job());
        var better = job().links(new JobLinks(null, old)).build();
        applied(admin.replace(QUEUE, old, better, ANN));
        var replaced = new Verdict.Replaced(better.id());

        assertThat(admin.cancel(QUEUE, old, ANN)).isEqualTo(replaced);
        assertThat(admin.cancel(null, old, ANN)).isEqualTo(replaced);
        assertThat(admin.runNow(QUEUE, old, ANN)).isEqualTo(replaced);
        assertThat(admin.edit(QUEUE, old, new dev.belay.broker.JobEdit(1, null, null), ANN))
                .isEqualTo(replaced);
        assertThat(admin.replay(QUEUE, old, null, ANN)).isEqualTo(replaced);
        assertThat(admin.discard(QUEUE, old, null, ANN)).isEqualTo(replaced);
        assertThat(admin.replace(
                        QUEUE, old, job().links(new JobLinks(null, old)).build(), ANN))
                .isEqualTo(replaced);
        assertThat(admin.audit(old, null, 10).entries())
                .isNotEmpty()
                .allSatisfy(entry -> assertThat(entry.by()).isEqualTo(ANN));
    }

    @Test
    void aReplacementClaimsItsKeyAndTheOldOneIsFree() {
        var old = dead(job().key("old"));
        var better = job().key("new").links(new JobLinks(null, old)).build();
        applied(admin.replace(QUEUE, old, better, ANN));

        assertThat(client.enqueue(job().key("new"))).isEqualTo(new Verdict.Duplicate(better.id(), JobState.READY));
        assertThat(client.enqueue(job().key("old"))).isEqualTo(new Verdict.Applied(JobState.READY, null));
    }

    @Test
    void aReplacementWhoseKeyIsTakenChangesNothing() {
        var holder = accept(job().key("taken").delay(seconds(60)));
        var old = dead(job());
        var before = find(old);
        var verdict = admin.replace(
                QUEUE,
                old,
                job().key("taken").payload("x").links(new JobLinks(null, old)).build(),
                ANN);

        assertThat(verdict).isInstanceOf(Verdict.Conflict.class);
        assertThat(((Verdict.Conflict) verdict).holder()).isEqualTo(holder);
        assertThat(find(old)).isEqualTo(before);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(2);
    }

    @Test
    void onlyDeadAndCancelledJobsCanBeReplaced() {
        var id = accept(job());
        var better = job().links(new JobLinks(null, id)).build();
        assertThat(admin.replace(QUEUE, id, better, ANN)).isEqualTo(new Verdict.WrongState(JobState.READY));
        var missing = JobId.next();
        assertThat(admin.replace(
                        QUEUE, missing, job().links(new JobLinks(null, missing)).build(), ANN))
                .isEqualTo(Verdict.MISSING);
        applied(admin.cancel(QUEUE, id, ANN));
        applied(admin.replace(QUEUE, id, better, ANN));
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
    }
}
