package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.By;
import dev.belay.job.Fingerprint;
import dev.belay.job.HistoryEntry.Kind;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.JobBuilder;
import dev.belay.tck.TestClient;
import dev.belay.tck.TestWorker;
import dev.belay.tck.Together;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** G7 where an enqueue replaces the payload of a job that has not been started. */
public class ReplaceWaitingTest extends BrokerSuite {

    private static final Verdict READY = new Verdict.Applied(JobState.READY, null);
    private static final String LARGE = "[" + "1,".repeat(4_000) + "1]";

    @Test
    void G7_aHolderThatIsReadyGetsTheNewPayload() {
        assertReplaced(keyed("old"), JobState.READY);
    }

    @Test
    void G7_aHolderThatIsScheduledGetsTheNewPayload() {
        assertReplaced(keyed("old").delay(seconds(60)).expiresAfter(Duration.ofHours(1)), JobState.SCHEDULED);
    }

    private void assertReplaced(JobBuilder holder, JobState state) {
        var id = accept(holder.priority(1));
        var before = find(id);
        advance(seconds(5));

        var replaced = timed(() -> client.enqueue(replacing("new!")
                .priority(4)
                .delay(seconds(5))
                .encoding("text")
                .schemaVersion(3)
                .options(o -> o.withTag("tag"))));
        assertThat(replaced.value()).isEqualTo(new Verdict.Replaced(id, state));
        var after = find(id);
        assertThat(payload(id)).isEqualTo("new!");
        assertThat(after.encoding()).isEqualTo("text");
        assertThat(after.schemaVersion()).isEqualTo(3);
        assertThat(after.payloadSize()).isEqualTo(4);
        assertThat(after.key().value()).isEqualTo("k");
        assertThat(after.key().fingerprint()).isEqualTo(Fingerprint.of("new!".getBytes(StandardCharsets.UTF_8)));
        assertThat(after.options()).isEqualTo(before.options());
        assertThat(after.state()).isEqualTo(state);
        assertThat(after.times()).isEqualTo(before.times());
        assertThat(after.counts()).isEqualTo(before.counts());
        var history = admin.find(QUEUE, id).orElseThrow().history();
        assertThat(after.historyCount()).isEqualTo(1);
        assertThat(history).singleElement().satisfies(entry -> {
            assertThat(entry.kind()).isEqualTo(Kind.REPLACED);
            assertThat(entry.by()).isEqualTo(By.of("enqueue"));
            assertThat(entry.at()).isBetween(replaced.from(), replaced.to());
            assertThat(entry.detail())
                    .contains(
                            before.key().fingerprint().toString(),
                            after.key().fingerprint().toString());
        });
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
        assertThat(events(Event.ACCEPTED)).isEqualTo(1);
    }

    @Test
    void theSamePayloadIsADuplicateAndWritesNothing() {
        var id = accept(keyed("old"));
        var before = find(id);

        assertThat(client.enqueue(replacing("old").schemaVersion(2)))
                .isEqualTo(new Verdict.Duplicate(id, JobState.READY));
        assertThat(find(id)).isEqualTo(before);
    }

    @Test
    void fromThenOnTheNewPayloadIsTheKeysRequest() {
        var id = accept(keyed("old"));
        assertThat(client.enqueue(replacing("new"))).isEqualTo(new Verdict.Replaced(id, JobState.READY));

        assertThat(client.enqueue(keyed("new"))).isEqualTo(new Verdict.Duplicate(id, JobState.READY));
        assertConflict(id, JobState.READY, client.enqueue(keyed("old")));
        assertThat(client.enqueue(replacing("old"))).isEqualTo(new Verdict.Replaced(id, JobState.READY));
        assertThat(payload(id)).isEqualTo("old");
        assertThat(find(id).historyCount()).isEqualTo(2);
    }

    @Test
    void withoutAHolderItIsAJobLikeAnyOther() {
        assertThat(client.enqueue(replacing("a"))).isEqualTo(READY);
        assertThat(client.enqueue(replacing("b").type("other-type"))).isEqualTo(READY);
        assertThat(client.enqueue(replacing("b").queue("reports"))).isEqualTo(READY);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(3);
    }

    @Test
    void aHolderThatRunsIsLeftAlone() {
        var id = accept(keyed("old"));
        var worker = worker();
        var lease = worker.leaseOne();

        assertConflict(id, JobState.RUNNING, client.enqueue(replacing("new")));
        assertThat(client.enqueue(replacing("old"))).isEqualTo(new Verdict.Duplicate(id, JobState.RUNNING));
        assertThat(payload(id)).isEqualTo("old");
        worker.complete(lease);
        assertThat(find(id).historyCount()).isZero();
    }

    @Test
    void aHolderThatIsFinalIsLeftAlone() {
        var dead = dead(keyed("old"));
        assertConflict(dead, JobState.DEAD, client.enqueue(replacing("new")));
        assertThat(client.enqueue(replacing("old"))).isEqualTo(new Verdict.Duplicate(dead, JobState.DEAD));
        applied(admin.replay(QUEUE, dead, null, ANN));
        assertThat(client.enqueue(replacing("new"))).isEqualTo(new Verdict.Replaced(dead, JobState.READY));
        keepNothing();
        var worker = worker();
        worker.complete(worker.leaseOne());
        assertConflict(dead, null, client.enqueue(replacing("old")));
        assertThat(client.enqueue(replacing("new"))).isEqualTo(new Verdict.Duplicate(dead, null));
    }

    @Test
    void aHolderThatWaitsForItsRetryIsReplacedAndKeepsItsStory() {
        var id = accept(keyed("old"));
        var worker = worker();
        var first = worker.leaseOne();
        worker.fail(first, seconds(60));
        var before = find(id);

        assertThat(client.enqueue(replacing("new"))).isEqualTo(new Verdict.Replaced(id, JobState.SCHEDULED));
        assertThat(find(id).counts()).isEqualTo(before.counts());
        assertThat(find(id).times()).isEqualTo(before.times());
        assertThat(find(id).token()).isEqualTo(first.id().token());
        assertThat(find(id).lastError()).isEqualTo(before.lastError());
        advance(seconds(61));
        var second = worker.leaseOne();
        assertThat(second.job().id()).isEqualTo(id);
        assertThat(second.id().token()).isGreaterThan(first.id().token());
        assertThat(new String(second.payload().bytes(), StandardCharsets.UTF_8)).isEqualTo("new");
    }

    @Test
    void itsPlaceInLineStays() {
        var before = accept(5);
        var id = accept(keyed("old"));
        var after = accept(10);
        assertThat(client.enqueue(replacing(LARGE).schemaVersion(2)))
                .isEqualTo(new Verdict.Replaced(id, JobState.READY));

        var worker = worker(TestWorker.spec(QUEUE, Map.of(TYPE, 2)));
        var leases = worker.lease(9);
        assertThat(leases.stream().map(lease -> lease.job().id()))
                .containsExactly(
                        before.get(0),
                        before.get(1),
                        before.get(2),
                        before.get(3),
                        before.get(4),
                        id,
                        after.get(0),
                        after.get(1),
                        after.get(2));
        var lease = leases.get(5);
        assertThat(lease.payload().size()).isEqualTo(LARGE.length());
        assertThat(lease.payload().schemaVersion()).isEqualTo(2);
        leases.forEach(worker::complete);
        worker.lease(20).forEach(worker::complete);
    }

    @Test
    void payloadsOfAnySizeGiveWay() {
        keepNothing();
        var id = accept(keyed("small"));
        for (var payload : List.of(LARGE, LARGE + " ", "", LARGE, "small again")) {
            assertThat(client.enqueue(replacing(payload))).isEqualTo(new Verdict.Replaced(id, JobState.READY));
            assertThat(payload(id)).isEqualTo(payload);
        }
        var worker = worker();
        worker.complete(worker.leaseOne());
        assertThat(admin.find(QUEUE, id)).isEmpty();
    }

    @Test
    void severalInOneCallAreTakenInTheirOrder() {
        var first = keyed("a").build();
        var verdicts = client.enqueue(
                first,
                replacing("b").build(),
                job().build(),
                replacing("c").build(),
                replacing("c").build(),
                keyed("b").build());

        var id = first.id();
        var replaced = new Verdict.Replaced(id, JobState.READY);
        assertThat(verdicts.subList(0, 5))
                .containsExactly(READY, replaced, READY, replaced, new Verdict.Duplicate(id, JobState.READY));
        assertConflict(id, JobState.READY, verdicts.get(5));
        assertThat(payload(id)).isEqualTo("c");
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(2);
    }

    @Test
    void G1_aCallSentAgainIsAnsweredAsBefore() {
        var id = accept(keyed("old"));
        var call = client.call(replacing("new").build(), job().key("l").build());
        var first = broker.enqueue(call);
        assertThat(first).containsExactly(new Verdict.Replaced(id, JobState.READY), READY);
        assertThat(secondNode().enqueue(call)).isEqualTo(first);
        var worker = worker();
        worker.lease(2).forEach(worker::complete);

        assertThat(broker.enqueue(call)).isEqualTo(first);
        assertThat(find(id).historyCount()).isEqualTo(1);
        assertThat(events(Event.ACCEPTED)).isEqualTo(2);
    }

    @Test
    void theHoldersOwnIdIsNoObstacle() {
        var id = JobId.next();
        accept(keyed("old").id(id));

        assertThat(client.enqueue(replacing("new").id(id))).isEqualTo(new Verdict.Replaced(id, JobState.READY));
        assertThat(client.enqueue(replacing("new").id(id))).isEqualTo(new Verdict.Duplicate(id, JobState.READY));
    }

    @Test
    void anIdThatAnotherJobHasIsAConflictAndReplacesNothing() {
        var holder = accept(keyed("old"));
        var other = accept(job());

        assertConflict(other, JobState.READY, client.enqueue(replacing("new").id(other)));
        assertThat(payload(holder)).isEqualTo("old");
    }

    @Test
    void aHolderThatExpiredIsNotToBeStartedAnyMore() {
        var id = accept(keyed("old").expiresAfter(seconds(5)));
        advance(seconds(6));

        assertThat(client.enqueue(replacing("new"))).isInstanceOf(Verdict.Conflict.class);
        prune();
        assertThat(state(id)).isEqualTo(JobState.DEAD);
    }

    @Test
    void whatWasRefusedInOneVersionWasNotInAnother() {
        var id = accept(keyed("old").schemaVersion(7));
        var worker = worker();
        worker.settled(worker.leaseOne(), new Outcome.Snooze(seconds(5), true));
        var runAt = find(id).times().runAt();
        assertThat(find(id).times().unknownSince()).isNotNull();

        assertThat(client.enqueue(replacing("new"))).isEqualTo(new Verdict.Replaced(id, JobState.SCHEDULED));
        assertThat(find(id).times().unknownSince()).isNull();
        assertThat(find(id).times().runAt()).isEqualTo(runAt);
        prune();
        assertThat(admin.unknownTypes()).isEmpty();
        advance(seconds(6));
        worker.complete(worker.leaseOne());
    }

    @Test
    void aFollowUpReplacesToo() {
        var holder = accept(keyed("old").delay(seconds(60)));
        var elsewhere = accept(keyed("old").queue("reports").delay(seconds(60)));
        accept(job());
        var worker = worker();
        worker.settled(
                worker.leaseOne(),
                TestWorker.followedBy(
                        replacing("new").build(),
                        replacing("new").queue("reports").build()));

        assertThat(payload(holder)).isEqualTo("new");
        var there = admin.find("reports", elsewhere).orElseThrow();
        assertThat(there.job().key().fingerprint()).isEqualTo(find(holder).key().fingerprint());
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(3);
    }

    @Test
    void aReplayWithAnotherPayloadReplacesNoOtherJobs() {
        var holder = accept(keyed("old").delay(seconds(60)));
        var dead = dead(job());
        var verdict = admin.replace(
                QUEUE, dead, replacing("new").links(new JobLinks(null, dead)).build(), ANN);

        assertConflict(holder, JobState.SCHEDULED, verdict);
        assertThat(payload(holder)).isEqualTo("old");
        assertThat(state(dead)).isEqualTo(JobState.DEAD);
    }

    @Test
    void withoutAKeyItIsRefusedAtOnce() {
        assertThatThrownBy(() -> job().replaceWaiting().build())
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo("idempotencyKey"))
                .hasMessageContaining("replaceWaiting")
                .hasMessageContaining(TYPE)
                .hasMessageContaining("call key(");
    }

    @Test
    void G7_whoeverLeasesGetsThePayloadThatWasAnswered() {
        var worker = worker();
        for (var round = 0; round < 40; round++) {
            var id = accept(keyed("old"));
            var node = new TestClient(round % 2 == 0 ? broker : secondNode());
            var replacement = replacing("new").build();
            var both = Together.<Object>run(
                    2, i -> () -> i == 0 ? node.enqueue(replacement).get(0) : leaseOne(worker));
            var verdict = (Verdict) both.get(0);
            var lease = (dev.belay.broker.Lease) both.get(1);

            var payload = new String(lease.payload().bytes(), StandardCharsets.UTF_8);
            if (verdict instanceof Verdict.Replaced) {
                assertThat(payload).isEqualTo("new");
            } else {
                assertConflict(id, JobState.RUNNING, verdict);
                assertThat(payload).isEqualTo("old");
            }
            worker.complete(lease);
            applied(admin.discard(QUEUE, id, null, ANN));
        }
    }

    /** A broker may pass by a job that is just being changed: then the worker asks again. */
    private static dev.belay.broker.Lease leaseOne(dev.belay.tck.TestWorker worker) {
        while (true) {
            var leases = worker.lease(1);
            if (!leases.isEmpty()) {
                return leases.get(0);
            }
        }
    }

    private static JobBuilder keyed(String payload) {
        return job().key("k").payload(payload);
    }

    private static JobBuilder replacing(String payload) {
        return keyed(payload).replaceWaiting();
    }

    private static void assertConflict(
            JobId holder, @org.jspecify.annotations.Nullable JobState state, Verdict verdict) {
        assertThat(verdict).isInstanceOf(Verdict.Conflict.class);
        assertThat(((Verdict.Conflict) verdict).holder()).isEqualTo(holder);
        assertThat(((Verdict.Conflict) verdict).state()).isEqualTo(state);
    }
}
