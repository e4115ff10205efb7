package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.JobQuery;
import dev.belay.broker.Lease;
import dev.belay.broker.Verdict;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** case46: a record that can't be read, or is newer than this version, harms nobody else. */
public class DamagedRecordTest extends BrokerSuite {

    @Test
    void case46_aLeaseThatMeetsAnUnreadableRecordBuriesIt() {
        var bad = accept(job());
        var good = accept(20);
        corrupt(bad);
        var leases = leaseAll();

        assertThat(leases).extracting(lease -> lease.job().id()).hasSameElementsAs(good);
        assertCorrupt(bad);
    }

    @Test
    void case46_anUnreadableRecordInEveryStateHarmsNobody() {
        var worker = worker();
        var dead = dead(job());
        var succeeded = accept(job());
        worker.complete(worker.leaseOne());
        var cancelled = accept(job());
        applied(admin.cancel(QUEUE, cancelled, ANN));
        var running = accept(job());
        worker.leaseOne();
        var ready = accept(job());
        var scheduled = accept(job().delay(seconds(5)));
        var good = client.accept(30, job().delay(seconds(5)));
        for (var id : List.of(dead, succeeded, cancelled, running, ready, scheduled)) {
            corrupt(id);
        }
        advance(seconds(5));
        broker.promote(QUEUE, seconds(1));
        assertThat(admin.queues()).hasSize(1);
        crash(worker);
        while (broker.prune().more()) {
            // until nothing is left to do
        }
        var leases = leaseAll();
        assertThat(leases).extracting(lease -> lease.job().id()).hasSameElementsAs(good);
        assertThat(admin.list(JobQuery.ALL, null, 100).jobs()).hasSizeGreaterThanOrEqualTo(30);
        for (var id : List.of(running, ready, scheduled)) {
            assertCorrupt(id);
        }
        for (var id : List.of(dead, succeeded, cancelled)) {
            assertThat(admin.find(QUEUE, id).orElseThrow().raw()).isNotEmpty();
            applied(admin.discard(QUEUE, id, null, ANN));
        }
    }

    @Test
    void case46_anUnreadableDeadLetterCanBeViewedListedCountedAndDiscarded() {
        var bad = accept(job());
        accept(3);
        corrupt(bad);
        leaseAll();

        assertCorrupt(bad);
        assertThat(admin.list(JobQuery.DEAD.withReason("CORRUPT"), null, 10).jobs())
                .extracting(Job::id)
                .containsExactly(bad);
        assertThat(admin.count(JobQuery.DEAD, 10)).isEqualTo(1);
        applied(admin.discard(QUEUE, bad, null, ANN));
        assertThat(admin.find(QUEUE, bad)).isEmpty();
        assertThat(admin.count(JobQuery.DEAD, 10)).isZero();
    }

    @Test
    void case46_lookingAtAnUnreadableRecordIsNoError() {
        var bad = accept(job());
        var good = accept(job());
        corrupt(bad);

        assertThat(admin.list(JobQuery.ALL, null, 10).jobs())
                .extracting(Job::id)
                .containsExactlyInAnyOrder(bad, good);
        assertThat(admin.find(QUEUE, bad).orElseThrow().raw()).isNotNull();
        assertThat(admin.find(null, good)).isPresent();
        assertThat(leaseAll()).extracting(lease -> lease.job().id()).containsExactly(good);
    }

    @Test
    void case46_aWorkerThatHoldsAnUnreadableRecordCanGoOn() {
        accept(2);
        var worker = worker();
        var leases = worker.lease(2);
        corrupt(leases.get(0).job().id());
        worker.settle(leases.get(0), Outcome.Complete.PLAIN);

        assertThat(worker.complete(leases.get(1)).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(worker.heartbeat().ended()).isFalse();
        worker.end();
        assertThat(admin.sessions()).isEmpty();
    }

    @Test
    void aNewerRecordIsLeftAloneAndPutOff() {
        var newer = accept(job());
        var good = accept(job());
        bench.planter().newer(QUEUE, newer);

        assertThat(leaseAll()).extracting(lease -> lease.job().id()).containsExactly(good);
        var job = find(newer);
        assertThat(job.isNewer()).isTrue();
        assertThat(job.state().isFinal()).isFalse();
        assertThat(job.format()).isEqualTo(Job.FORMAT + 1);
        assertThat(job.counts().snoozes()
                        + job.counts().deliveries()
                        + job.counts().failures())
                .isZero();
        advance(Duration.ofMinutes(2));
        assertThat(leaseAll()).isEmpty();
        assertThat(admin.list(JobQuery.DEAD, null, 10).jobs()).isEmpty();
    }

    @Test
    void newerRecordsDoNotHideTheOthersBehindThem() {
        var newer = client.accept(50, job().priority(0));
        newer.forEach(id -> bench.planter().newer(QUEUE, id));
        var good = accept(job().priority(4));
        var found = new ArrayList<JobId>();
        for (var calls = 0; found.isEmpty(); calls++) {
            assertThat(calls).as("lease calls").isLessThan(60);
            leaseAll().forEach(lease -> found.add(lease.job().id()));
        }
        assertThat(found).containsExactly(good);
    }

    @Test
    void case46_anUnreadableHolderOfAKeyIsGivenNoOtherPayload() {
        var bad = accept(job().key("k"));
        corrupt(bad);

        assertThat(client.enqueue(job().key("k").payload("[2]").replaceWaiting()))
                .isInstanceOf(Verdict.Conflict.class);
        assertThat(leaseAll()).isEmpty();
        assertCorrupt(bad);
    }

    @Test
    void aNewerHolderOfAKeyIsGivenNoOtherPayload() {
        var newer = accept(job().key("k"));
        bench.planter().newer(QUEUE, newer);

        assertThat(client.enqueue(job().key("k").payload("[2,3]").replaceWaiting()))
                .isInstanceOf(Verdict.Conflict.class);
        assertThat(leaseAll()).isEmpty();
        assertThat(find(newer).isNewer()).isTrue();
        assertThat(find(newer).payloadSize()).isEqualTo(2);
    }

    private void corrupt(JobId id) {
        bench.planter().corrupt(QUEUE, id);
    }

    private void assertCorrupt(JobId id) {
        var detail = admin.find(QUEUE, id).orElseThrow();
        assertThat(detail.job().state()).isEqualTo(JobState.DEAD);
        assertThat(detail.job().reason()).isEqualTo("CORRUPT");
        assertThat(detail.raw()).isNotEmpty();
        assertThat(detail.payload()).isNull();
    }

    private List<Lease> leaseAll() {
        var worker = worker();
        var all = new ArrayList<Lease>();
        while (true) {
            var more = worker.lease(10);
            if (more.isEmpty()) {
                return all;
            }
            all.addAll(more);
        }
    }
}
