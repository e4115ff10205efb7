package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.NewJob;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.JobBuilder;
import dev.belay.tck.TestClient;
import dev.belay.tck.TestWorker;
import dev.belay.tck.Together;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** G7 where a key counts only while its holder waits. */
public class AtMostOneWaitingTest extends BrokerSuite {

    private static final Verdict READY = new Verdict.Applied(JobState.READY, null);

    @Test
    void G7_whileTheHolderWaitsTheSecondIsADuplicate() {
        var scheduled = accept(debounced().delay(seconds(60)));
        assertDuplicate(scheduled, JobState.SCHEDULED);
        advance(seconds(61));
        broker.promote(QUEUE, Duration.ZERO);
        assertDuplicate(scheduled, JobState.READY);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
    }

    @Test
    void onceTheHolderRunsTheNextIsAcceptedAndTakesTheKeyOver() {
        var first = accept(debounced());
        var worker = worker();
        var lease = worker.leaseOne();
        var second = accept(debounced().payload("[2]"));

        assertThat(client.enqueue(debounced().payload("[2]"))).isEqualTo(new Verdict.Duplicate(second, JobState.READY));
        assertConflict(second, JobState.READY, client.enqueue(debounced()));
        assertThat(state(first)).isEqualTo(JobState.RUNNING);
        worker.complete(lease);
        assertConflict(second, JobState.READY, client.enqueue(debounced()));
    }

    @Test
    void onceTheHolderIsFinalTheNextIsAccepted() {
        var worker = worker();
        accept(debounced());
        worker.complete(worker.leaseOne());
        accept(debounced().payload("[2]"));
        worker.bury(worker.leaseOne());
        keepNothing();
        accept(debounced().payload("[3]"));
        worker.complete(worker.leaseOne());
        var last = accept(debounced().payload("[4]"));
        assertThat(client.enqueue(debounced().payload("[4]"))).isEqualTo(new Verdict.Duplicate(last, JobState.READY));
        applied(admin.cancel(QUEUE, last, ANN));
        accept(debounced().payload("[5]"));
    }

    @Test
    void theDedupWindowDoesNotMatter() {
        keepNothing();
        accept(debounced().dedupWindow(Duration.ofHours(48)));
        var worker = worker();
        worker.complete(worker.leaseOne());

        assertThat(client.enqueue(job().key("k").payload("[2]"))).isEqualTo(READY);
    }

    @Test
    void aHolderThatReturnsToWaitingBeforeAnotherCameCountsAgain() {
        var id = accept(debounced());
        var worker = worker();
        worker.fail(worker.leaseOne(), seconds(60));
        assertDuplicate(id, JobState.SCHEDULED);
        applied(admin.runNow(QUEUE, id, ANN));
        worker.settled(worker.leaseOne(), new dev.belay.job.Outcome.Release(false));
        assertDuplicate(id, JobState.READY);
        worker.leaseOne();
        crash(worker);
        assertDuplicate(id, state(id));
    }

    @Test
    void aHolderThatReturnsToWaitingAfterAnotherCameDoesNotGetTheKeyBack() {
        var first = accept(debounced());
        var worker = worker();
        var lease = worker.leaseOne();
        var second = accept(debounced());
        worker.fail(lease, seconds(60));
        assertDuplicate(second, JobState.READY);
        // Nor does its end free the key that it lost.
        applied(admin.cancel(QUEUE, first, ANN));
        assertDuplicate(second, JobState.READY);
        worker.leaseOne();

        assertThat(client.enqueue(debounced())).isEqualTo(READY);
    }

    @Test
    void anotherPayloadIsAConflictUnlessItReplaces() {
        var id = accept(debounced().delay(seconds(60)));
        assertConflict(id, JobState.SCHEDULED, client.enqueue(debounced().payload("[2]")));

        assertThat(client.enqueue(debounced().payload("[2]").replaceWaiting()))
                .isEqualTo(new Verdict.Replaced(id, JobState.SCHEDULED));
        assertThat(payload(id)).isEqualTo("[2]");
        applied(admin.runNow(QUEUE, id, ANN));
        worker().leaseOne();
        assertThat(client.enqueue(debounced().payload("[3]").replaceWaiting())).isEqualTo(READY);
        assertThat(payload(id)).isEqualTo("[2]");
    }

    @Test
    void whatTheHolderSaidOfItsKeyCounts() {
        var whole = accept(job().key("whole"));
        var waiting = accept(job().key("waiting").atMostOneWaiting());
        worker().lease(2);

        assertThat(client.enqueue(job().key("whole").atMostOneWaiting()))
                .isEqualTo(new Verdict.Duplicate(whole, JobState.RUNNING));
        assertThat(client.enqueue(job().key("waiting"))).isEqualTo(READY);
        assertThat(state(waiting)).isEqualTo(JobState.RUNNING);
    }

    @Test
    void aHolderThatExpiredIsNotToBeStartedAnyMore() {
        var id = accept(debounced().expiresAfter(seconds(5)));
        advance(seconds(6));

        assertThat(client.enqueue(debounced())).isEqualTo(READY);
        prune();
        assertThat(state(id)).isEqualTo(JobState.DEAD);
    }

    @Test
    void aReplayClaimsTheKeyUnlessAnotherWaitsWithIt() {
        var dead = dead(debounced());
        applied(admin.replay(QUEUE, dead, null, ANN));
        assertDuplicate(dead, JobState.READY);
        var worker = worker();
        worker.bury(worker.leaseOne());
        var next = accept(debounced());

        assertConflict(next, JobState.READY, admin.replay(QUEUE, dead, null, ANN));
        var lease = worker.leaseOne();
        applied(admin.replay(QUEUE, dead, null, ANN));
        assertDuplicate(dead, JobState.READY);
        worker.complete(lease);
        assertDuplicate(dead, JobState.READY);
    }

    @Test
    void aReplayWithAnotherPayloadIsRefusedOnlyWhileAnotherWaitsWithItsKey() {
        var dead = dead(job());
        var better = debounced()
                .payload("[2]")
                .links(new dev.belay.job.JobLinks(null, dead))
                .build();
        var holder = accept(debounced());
        assertConflict(holder, JobState.READY, admin.replace(QUEUE, dead, better, ANN));

        worker().leaseOne();
        assertThat(admin.replace(QUEUE, dead, better, ANN)).isEqualTo(READY);
        assertConflict(better.id(), JobState.READY, client.enqueue(debounced()));
    }

    @Test
    void aJobMayFollowItself() {
        var worker = worker();
        accept(debounced());
        for (var i = 0; i < 3; i++) {
            worker.settled(
                    worker.leaseOne(),
                    TestWorker.followedBy(debounced().build(), debounced().build()));
            assertThat(admin.count(JobQuery.ALL.inState(JobState.READY), 10)).isEqualTo(1);
        }
        assertThat(events(Event.ACCEPTED)).isEqualTo(4);
    }

    @Test
    void aFollowUpIsDroppedOnlyWhileAnotherWaitsWithItsKey() {
        var waiting = accept(debounced().delay(seconds(60)));
        var elsewhere = accept(debounced().queue("reports"));
        var runsThere = worker("reports").leaseOne();
        accept(job());
        var worker = worker();
        worker.settled(
                worker.leaseOne(),
                TestWorker.followedBy(
                        debounced().build(), debounced().queue("reports").build()));

        assertThat(runsThere.job().id()).isEqualTo(elsewhere);
        assertThat(admin.count(JobQuery.ALL.inQueue("reports"), 10)).isEqualTo(2);
        assertThat(admin.count(JobQuery.ALL.inQueue(QUEUE), 10)).isEqualTo(2);
        assertDuplicate(waiting, JobState.SCHEDULED);
    }

    @Test
    void severalInOneCallAreOneJob() {
        var first = debounced().build();
        assertThat(client.enqueue(first, debounced().build(), job().build()))
                .containsExactly(READY, new Verdict.Duplicate(first.id(), JobState.READY), READY);
    }

    @Test
    void G1_aCallSentAgainIsAnsweredAsBefore() {
        accept(debounced());
        var worker = worker();
        worker.leaseOne();
        var call = client.call(debounced().build(), debounced().build());
        var first = broker.enqueue(call);
        assertThat(first)
                .containsExactly(READY, new Verdict.Duplicate(call.jobs().get(0).id(), JobState.READY));
        worker.leaseOne();

        assertThat(broker.enqueue(call)).isEqualTo(first);
        assertThat(secondNode().enqueue(call)).isEqualTo(first);
        assertThat(events(Event.ACCEPTED)).isEqualTo(2);
    }

    @Test
    void withoutAKeyItIsRefusedAtOnce() {
        assertThatThrownBy(() -> job().atMostOneWaiting().build())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("atMostOneWaiting")
                .hasMessageContaining("call key(");
    }

    @Test
    void G7_neverDoTwoWaitWhileManyEnqueueAndOthersRun() {
        var workers = java.util.List.of(worker(), worker(secondNode(), TestWorker.spec(QUEUE)));
        var counts = Together.run(6, i -> {
            var node = new TestClient(i % 2 == 0 ? broker : secondNode());
            return () -> i < 2 ? run(workers.get(i)) : enqueue(node);
        });
        var accepted = counts.subList(2, 6).stream().mapToInt(count -> count).sum();
        var ran = counts.get(0) + counts.get(1);
        var waiting = admin.count(JobQuery.ALL.inState(JobState.READY), 100);
        assertThat(waiting).isLessThanOrEqualTo(1);
        assertThat(ran + waiting).isEqualTo(accepted).isPositive();
    }

    /** How many it ran. At each lease one waited at most: so it never gets two at once. */
    private static int run(TestWorker worker) {
        var ran = 0;
        for (var i = 0; i < 100; i++) {
            var leases = worker.lease(5);
            assertThat(leases).hasSizeLessThanOrEqualTo(1);
            leases.forEach(worker::complete);
            ran += leases.size();
        }
        return ran;
    }

    /** How many were accepted. */
    private static int enqueue(TestClient node) {
        var accepted = 0;
        for (var i = 0; i < 100; i++) {
            NewJob job = debounced().build();
            accepted += node.enqueue(job).get(0).isApplied() ? 1 : 0;
        }
        return accepted;
    }

    private static JobBuilder debounced() {
        return job().key("k").atMostOneWaiting();
    }

    private void assertDuplicate(JobId holder, JobState state) {
        assertThat(client.enqueue(debounced())).isEqualTo(new Verdict.Duplicate(holder, state));
    }

    private static void assertConflict(JobId holder, JobState state, Verdict verdict) {
        assertThat(verdict).isInstanceOf(Verdict.Conflict.class);
        assertThat(((Verdict.Conflict) verdict).holder()).isEqualTo(holder);
        assertThat(((Verdict.Conflict) verdict).state()).isEqualTo(state);
    }
}
