package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.LeaseReply;
import dev.belay.job.Backoff;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import dev.belay.tck.Together;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A paused queue gives nothing away; everything else goes on. */
public class PauseTest extends BrokerSuite {

    @Test
    void nothingIsLeasedFromAPausedQueue() {
        accept(3);
        var worker = worker();
        admin.pause(QUEUE, ANN);

        assertThat(worker.ask(5).status()).isEqualTo(LeaseReply.Status.PAUSED);
        assertThat(worker.ask(5).leases()).isEmpty();
        assertThat(worker.askSuspect().status()).isEqualTo(LeaseReply.Status.PAUSED);
        assertThat(admin.queues().get(0).paused()).isTrue();
        admin.resume(QUEUE, ANN);
        assertThat(admin.queues().get(0).paused()).isFalse();
        assertThat(worker.lease(5)).hasSize(3);
    }

    @Test
    void case37_aPauseHoldsOnAllNodesOldAndNew() {
        accept(1);
        var there = worker(secondNode(), TestWorker.spec(QUEUE));
        admin.pause(QUEUE, ANN);

        assertThat(there.ask(1).status()).isEqualTo(LeaseReply.Status.PAUSED);
        assertThat(there.heartbeat().paused()).isTrue();
        var late = worker(secondNode(), TestWorker.spec(QUEUE));
        assertThat(late.registration().paused()).isTrue();
        assertThat(late.ask(1).status()).isEqualTo(LeaseReply.Status.PAUSED);
        secondNode().admin().resume(QUEUE, ANN);
        assertThat(worker().lease(1)).hasSize(1);
    }

    @Test
    void aPauseIsForOneQueue() {
        accept(job().queue("reports"));
        admin.pause(QUEUE, ANN);

        assertThat(worker("reports").lease(1)).hasSize(1);
    }

    @Test
    void aQueueCanBePausedBeforeItHasJobs() {
        admin.pause(QUEUE, ANN);
        assertThat(admin.queues())
                .extracting(view -> view.queue() + view.paused())
                .containsExactly(QUEUE + true);
        accept(1);

        assertThat(worker().ask(1).status()).isEqualTo(LeaseReply.Status.PAUSED);
    }

    @Test
    void case36_jobsThatComeByAnyPathWhilePausedWaitAndRunAfterwards() {
        var worker = worker();
        var buried = dead(job());
        var cancelled = accept(job());
        applied(admin.cancel(QUEUE, cancelled, ANN));
        client.accept(4, job().backoff(Backoff.NONE));
        var leases = worker.lease(4);
        var dying = worker();
        accept(job().backoff(Backoff.NONE));
        dying.leaseOne();
        admin.pause(QUEUE, ANN);

        accept(job());
        accept(job().delay(seconds(1)));
        worker.settled(leases.get(0), TestWorker.retry(seconds(0)));
        worker.settled(leases.get(1), TestWorker.retry(seconds(1)));
        worker.settled(leases.get(2), new Outcome.Release(false));
        worker.settled(leases.get(3), TestWorker.followedBy(job().build()));
        applied(admin.replay(QUEUE, buried, null, ANN));
        applied(admin.replay(QUEUE, cancelled, null, ANN));
        crash(dying);
        broker.promote(QUEUE, seconds(1));
        assertThat(worker.ask(50).status()).isEqualTo(LeaseReply.Status.PAUSED);
        assertThat(admin.queues().get(0).count(JobState.RUNNING)).isZero();

        admin.resume(QUEUE, ANN);
        assertThat(worker.lease(50)).hasSize(9);
        assertThat(admin.queues().get(0).count(JobState.READY)).isZero();
        assertThat(admin.queues().get(0).count(JobState.SCHEDULED)).isZero();
    }

    @Test
    void runningJobsGoOnWhilePaused() {
        accept(1);
        var worker = worker();
        var lease = worker.leaseOne();
        admin.pause(QUEUE, ANN);

        assertThat(broker.held(List.of(lease.id()))).containsExactly(true);
        assertThat(worker.reconcile().held()).containsExactly(lease.id());
        assertThat(worker.complete(lease).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void pauseAndResumeAreIdempotentAndAudited() {
        admin.pause(QUEUE, ANN);
        admin.pause(QUEUE, ANN);
        admin.resume(QUEUE, ANN);
        admin.resume(QUEUE, ANN);
        accept(1);

        assertThat(worker().lease(1)).hasSize(1);
        assertThat(admin.audit(null, null, 10).entries())
                .extracting(entry ->
                        entry.action() + " " + entry.queue() + " " + entry.by().who())
                .contains("pause mail ann", "resume mail ann");
    }

    @Test
    void noLeaseCallThatBeginsAfterPauseReturnedTakesAJob() {
        for (var round = 0; round < 20; round++) {
            accept(40);
            var paused = new CountDownLatch(1);
            Together.run(4, i -> {
                if (i == 0) {
                    return () -> {
                        admin.pause(QUEUE, ANN);
                        paused.countDown();
                        return null;
                    };
                }
                var node = i % 2 == 0 ? broker : secondNode();
                var worker = worker(node, TestWorker.spec(QUEUE));
                return () -> {
                    while (paused.getCount() > 0) {
                        worker.ask(1);
                    }
                    assertThat(paused.await(1, TimeUnit.SECONDS)).isTrue();
                    assertThat(worker.ask(5).leases()).isEmpty();
                    return null;
                };
            });
            admin.resume(QUEUE, ANN);
        }
    }
}
