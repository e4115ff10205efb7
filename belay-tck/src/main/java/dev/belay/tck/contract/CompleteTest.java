package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.AuditEntry;
import dev.belay.broker.BrokerException;
import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.broker.QueueSettings;
import dev.belay.broker.Settlement;
import dev.belay.broker.Verdict;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.JobState;
import dev.belay.job.NewJob;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.Faults;
import dev.belay.tck.TestWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Success: results, follow-up jobs, and how long the job is kept. */
public class CompleteTest extends BrokerSuite {

    @Test
    void aResultIsKeptWithTheJob() {
        var id = accept(job());
        var worker = worker();
        worker.settled(worker.leaseOne(), new Outcome.Complete(new byte[] {0, 1, -1}, List.of()));

        assertThat(admin.find(QUEUE, id).orElseThrow().result()).containsExactly(0, 1, -1);
    }

    @Test
    void case23_aSettleThatGotLostOnItsWayIsSentAgain() {
        accept(200);
        var worker = worker();
        var faults = new Faults();
        var lossy = faults.around(broker);
        for (var lease : worker.lease(200)) {
            var settlement = List.of(new Settlement(lease.id(), Outcome.Complete.PLAIN, null));
            if (lease.id().token() % 2 == 0) {
                faults.loseCall("settle");
                assertThatThrownBy(() -> lossy.settle(QUEUE, settlement))
                        .isInstanceOf(BrokerException.NotApplied.class);
                assertThat(state(lease.job().id())).isEqualTo(JobState.RUNNING);
            } else {
                faults.loseReply("settle");
                assertThatThrownBy(() -> lossy.settle(QUEUE, settlement)).isInstanceOf(BrokerException.Unknown.class);
                assertThat(state(lease.job().id())).isEqualTo(JobState.SUCCEEDED);
            }
            assertThat(lossy.settle(QUEUE, settlement)).containsExactly(new Verdict.Applied(JobState.SUCCEEDED, null));
        }
        assertThat(List.of(events(Event.LEASED), events(Event.SUCCEEDED), events(Event.FAILED)))
                .containsExactly(200L, 200L, 0L);
    }

    @Test
    void aQueueThatKeepsNothingRemovesASucceededJobAtOnce() {
        keepNothing();
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();

        assertThat(worker.settle(lease, Outcome.Complete.PLAIN)).isEqualTo(new Verdict.Applied(null, null));
        assertThat(admin.find(QUEUE, id)).isEmpty();
        assertThat(admin.queues().get(0).counts().values()).allMatch(count -> count == 0);
        assertThat(List.of(events(Event.SUCCEEDED), events(Event.PRUNED))).containsExactly(1L, 1L);
        assertThat(worker.settle(lease, Outcome.Complete.PLAIN))
                .as("no record is kept that could tell more")
                .isEqualTo(Verdict.STALE);
    }

    @Test
    void theJobsOwnRetentionWins() {
        var unkept = accept(job().options(o -> o.withRetention(Duration.ZERO)));
        var worker = worker();
        worker.complete(worker.leaseOne());
        assertThat(admin.find(QUEUE, unkept)).isEmpty();

        admin.configure(QUEUE, QueueSettings.DEFAULT.withFinished(Duration.ZERO, 100), ANN);
        var kept = accept(job().options(o -> o.withRetention(Duration.ofHours(1))));
        assertThat(worker.complete(worker.leaseOne()).state()).isEqualTo(JobState.SUCCEEDED);
        advance(Duration.ofMinutes(59));
        prune();
        assertThat(state(kept)).isEqualTo(JobState.SUCCEEDED);
        advance(Duration.ofMinutes(2));
        prune();
        assertThat(admin.find(QUEUE, kept)).isEmpty();
    }

    @Test
    void onlySucceededJobsAreRemovedAtOnce() {
        keepNothing();
        var dead = dead(job());
        var cancelled = accept(job());
        applied(admin.cancel(QUEUE, cancelled, ANN));

        assertThat(state(dead)).isEqualTo(JobState.DEAD);
        assertThat(state(cancelled)).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void followUpsAreStoredInTheSameStep() {
        var parent = accept(job());
        var here = job().key("here").links(new JobLinks(parent, null)).build();
        var later = job().delay(seconds(60)).build();
        var elsewhere =
                job().queue("reports").type("build-report").payload("[1]").build();
        completeWith(here, later, elsewhere);

        assertThat(state(parent)).isEqualTo(JobState.SUCCEEDED);
        assertThat(find(here.id()).state()).isEqualTo(JobState.READY);
        assertThat(find(here.id()).links()).isEqualTo(new JobLinks(parent, null));
        assertThat(find(later.id()).state()).isEqualTo(JobState.SCHEDULED);
        var there = admin.find("reports", elsewhere.id()).orElseThrow();
        assertThat(there.job().state()).isEqualTo(JobState.READY);
        assertThat(there.payload()).isEqualTo(elsewhere.payload());
        assertThat(admin.queues()).extracting(view -> view.queue()).containsExactly(QUEUE, "reports");
        assertThat(events(Event.ACCEPTED)).isEqualTo(4);
    }

    @Test
    void followUpsOfAStaleSettleAreNotStored() {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        applied(admin.cancel(QUEUE, id, ANN));

        assertThat(worker.settle(lease, TestWorker.followedBy(job().build()))).isEqualTo(Verdict.STALE);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
    }

    @Test
    void aSettleSentAgainStoresItsFollowUpsOnce() {
        accept(1);
        var worker = worker();
        var lease = worker.leaseOne();
        var outcome = TestWorker.followedBy(job().build(), job().key("k").build());
        worker.settled(lease, outcome);
        worker.settled(lease, outcome);

        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(3);
        assertThat(events(Event.ACCEPTED)).isEqualTo(3);
    }

    @Test
    void aFollowUpThatIsADuplicateIsNotStoredAgain() {
        var holder = accept(job().key("taken").delay(seconds(60)));
        accept(1);
        completeWith(
                job().key("taken").build(),
                job().key("twice").build(),
                job().key("twice").build());

        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(3);
        assertThat(state(holder)).isEqualTo(JobState.SCHEDULED);
        assertThat(actions()).doesNotContain("follow-up-conflict");
    }

    @Test
    void aFollowUpThatConflictsIsDroppedAndAudited() {
        accept(job().key("taken").delay(seconds(60)));
        var parent = accept(job());
        var good = job().build();
        completeWith(job().key("taken").payload("other").build(), good);

        assertThat(state(parent)).isEqualTo(JobState.SUCCEEDED);
        assertThat(find(good.id()).state()).isEqualTo(JobState.READY);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(3);
        assertThat(actions()).contains("follow-up-conflict");
    }

    @Test
    void followUpsOfAJobThatIsNotKeptAreStored() {
        keepNothing();
        accept(1);
        completeWith(job().build());

        assertThat(admin.queues().get(0).count(JobState.READY)).isEqualTo(1);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
    }

    @Test
    void aChainOfFollowUpsKeepsItsJobsInOrder() {
        var first = accept(job());
        var worker = worker();
        var seen = new ArrayList<JobId>();
        for (var i = 0; i < 15; i++) {
            var lease = worker.leaseOne();
            seen.add(lease.job().id());
            var next = job().links(new JobLinks(lease.job().id(), null)).build();
            worker.settled(lease, TestWorker.followedBy(next));
        }
        assertThat(seen).startsWith(first).doesNotHaveDuplicates().hasSize(15);
    }

    @Test
    void aCancelledJobsResultIsNotStored() {
        admin.configure(QUEUE, QueueSettings.DEFAULT, ANN);
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        applied(admin.cancel(QUEUE, id, ANN));
        worker.settle(lease, new Outcome.Complete(new byte[] {1}, List.of()));

        assertThat(admin.find(QUEUE, id).orElseThrow().result()).isNull();
    }

    private void completeWith(NewJob... followUps) {
        var worker = worker();
        worker.settled(worker.leaseOne(), TestWorker.followedBy(followUps));
        worker.end();
    }

    private List<String> actions() {
        return admin.audit(null, null, 100).entries().stream()
                .map(AuditEntry::action)
                .toList();
    }
}
