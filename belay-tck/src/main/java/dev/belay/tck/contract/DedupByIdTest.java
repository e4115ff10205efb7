package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.JobQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.tck.BrokerSuite;
import org.junit.jupiter.api.Test;

/** An id is one job of its queue, whatever its key. */
public class DedupByIdTest extends BrokerSuite {

    private static final Verdict READY = new Verdict.Applied(JobState.READY, null);

    @Test
    void case26_theSameIdAgainIsADuplicateInEveryState() {
        var id = JobId.next();
        var same = job().id(id);
        accept(same);
        assertThat(client.enqueue(same)).isEqualTo(new Verdict.Duplicate(id, JobState.READY));
        var worker = worker();
        var lease = worker.leaseOne();
        assertThat(client.enqueue(same)).isEqualTo(new Verdict.Duplicate(id, JobState.RUNNING));
        worker.bury(lease);
        assertThat(client.enqueue(same)).isEqualTo(new Verdict.Duplicate(id, JobState.DEAD));
        applied(admin.replay(QUEUE, id, null, ANN));
        worker.complete(worker.leaseOne());
        assertThat(client.enqueue(same)).isEqualTo(new Verdict.Duplicate(id, JobState.SUCCEEDED));
        assertThat(worker.lease(5)).isEmpty();
    }

    @Test
    void aCancelledJobsIdIsStillTaken() {
        var id = JobId.next();
        accept(job().id(id).key("k"));
        applied(admin.cancel(QUEUE, id, ANN));

        assertThat(client.enqueue(job().id(id).key("k"))).isEqualTo(new Verdict.Duplicate(id, JobState.CANCELLED));
    }

    @Test
    void case26_theSameIdForSomethingElseIsAConflict() {
        var id = JobId.next();
        accept(job().id(id).key("k"));

        assertConflict(id, client.enqueue(job().id(id).key("k").payload("[2]")));
        assertConflict(id, client.enqueue(job().id(id).key("l")));
        assertConflict(id, client.enqueue(job().id(id).key("k").type("other-type")));
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
    }

    @Test
    void aConflictByIdDoesNotBurnTheKey() {
        var id = JobId.next();
        accept(job().id(id).key("k"));
        assertConflict(id, client.enqueue(job().id(id).key("l")));

        assertThat(client.enqueue(job().key("l"))).isEqualTo(READY);
    }

    @Test
    void theSameIdTwiceInOneBatchIsOneJob() {
        var id = JobId.next();
        assertThat(client.enqueue(job().id(id).build(), job().id(id).build()))
                .containsExactly(READY, new Verdict.Duplicate(id, JobState.READY));
    }

    @Test
    void anIdIsUniqueWithinItsQueueOnly() {
        var id = JobId.next();
        accept(job().id(id));

        assertThat(client.enqueue(job().id(id).queue("reports"))).isEqualTo(READY);
        assertThat(admin.find("reports", id)).isPresent();
        assertThat(admin.find(QUEUE, id)).isPresent();
    }

    @Test
    void anIdWithoutExplicitKeyIsFreeOnceItsJobIsGone() {
        keepNothing();
        var id = JobId.next();
        accept(job().id(id));
        var worker = worker();
        var first = worker.leaseOne();
        worker.complete(first);

        assertThat(client.enqueue(job().id(id))).isEqualTo(READY);
        assertThat(worker.leaseOne().id().token()).isGreaterThan(first.id().token());
    }

    private static void assertConflict(JobId holder, Verdict verdict) {
        assertThat(verdict).isInstanceOf(Verdict.Conflict.class);
        assertThat(((Verdict.Conflict) verdict).holder()).isEqualTo(holder);
        assertThat(((Verdict.Conflict) verdict).state()).isEqualTo(JobState.READY);
        assertThat(((Verdict.Conflict) verdict).detail()).isNotBlank();
    }
}
