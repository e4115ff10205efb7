package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Verdict;
import dev.belay.job.Backoff;
import dev.belay.job.DeadReason;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.LeaseId;
import dev.belay.job.Outcome;
import dev.belay.job.SessionId;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** G5: when a suspect may begin, and each reason for refusing it. */
public class BeginTest extends BrokerSuite {

    @Test
    void G5_aSuspectThatItsSessionHoldsAloneBegins() {
        var id = suspect();
        var worker = worker();
        var lease = worker.leaseSuspect();
        assertThat(find(id).times().begunAt()).isNull();
        var begun = timed(() -> worker.begin(lease));

        applied(begun.value());
        assertThat(find(id).times().begunAt()).isBetween(begun.from(), begun.to());
        assertThat(worker.complete(lease).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(find(id).times().begunAt()).isNull();
    }

    @Test
    void aBeginWhoseReplyWasLostCanBeSentAgain() {
        suspect();
        var worker = worker();
        var lease = worker.leaseSuspect();
        applied(worker.begin(lease));
        applied(worker.begin(lease));
        worker.complete(lease);
    }

    @Test
    void G5_refusedWhileItsSessionHoldsAnythingElse() {
        var id = suspect();
        accept(1);
        var worker = worker();
        var other = worker.leaseOne();
        var lease = worker.leaseSuspect();

        assertThat(worker.begin(lease)).isEqualTo(Verdict.BUSY);
        assertThat(find(id).times().begunAt()).isNull();
        worker.complete(other);
        applied(worker.begin(lease));
    }

    @Test
    void G5_anotherSessionsJobsDoNotMatter() {
        suspect();
        accept(1);
        worker().leaseOne();
        var worker = worker();

        applied(worker.begin(worker.leaseSuspect()));
    }

    @Test
    void G5_refusedWhenItsSessionHasEnded() {
        suspect();
        var worker = worker();
        var lease = worker.leaseSuspect();
        worker.end();

        assertThat(worker.begin(lease)).isIn(Verdict.ENDED, Verdict.STALE);
    }

    @Test
    void G5_refusedWhilePastTheDeadline() {
        suspect();
        var worker = worker();
        var lease = worker.leaseSuspect();
        advance(TestWorker.LEASE.plusSeconds(1));

        assertThat(worker.begin(lease)).isEqualTo(Verdict.BUSY);
        worker.heartbeat();
        applied(worker.begin(lease));
    }

    @Test
    void G5_refusedWhileMarked() {
        suspect();
        var worker = worker();
        var lease = worker.leaseSuspect();
        patrol.start();
        worker.die();
        while (admin.sessions().stream().allMatch(session -> session.markedAt() == null)) {
            patrol.next();
        }
        assertThat(worker.begin(lease)).isEqualTo(Verdict.BUSY);
        // The mark counts for itself: here the clock was set back, so that the deadline is ahead again.
        advance(Duration.ofMinutes(-5));
        assertThat(worker.begin(lease)).isEqualTo(Verdict.BUSY);
        worker.heartbeat();
        applied(worker.begin(lease));
    }

    @Test
    void G5_refusedForALeaseThatIsNotHeld() {
        var id = suspect();
        var worker = worker();
        var lease = worker.leaseSuspect();
        var token = lease.id().token();

        assertThat(broker.begin(new LeaseId(QUEUE, id, token + 1, worker.id()))).isEqualTo(Verdict.STALE);
        assertThat(broker.begin(new LeaseId(QUEUE, id, token - 1, worker.id()))).isEqualTo(Verdict.STALE);
        assertThat(broker.begin(new LeaseId(QUEUE, id, token, worker().id()))).isEqualTo(Verdict.STALE);
        assertThat(broker.begin(new LeaseId(QUEUE, JobId.next(), token, worker.id())))
                .isEqualTo(Verdict.STALE);
        assertThat(broker.begin(new LeaseId(QUEUE, id, token, SessionId.next())))
                .isIn(Verdict.STALE, Verdict.ENDED);
        assertThat(find(id).times().begunAt()).isNull();
        worker.settled(lease, new Outcome.Release(false));
        assertThat(worker.begin(lease)).isEqualTo(Verdict.STALE);
    }

    @Test
    void aJobThatMayCrashOnceBeginsBesideOthers() {
        accept(job().maxCrashes(1));
        accept(3);
        var worker = worker();
        var lease = worker.lease(4).get(0);

        applied(worker.begin(lease));
        assertThat(find(lease.job().id()).times().begunAt()).isNotNull();
    }

    @Test
    void aJobThatMayCrashOnceIsRefusedPastTheDeadlineToo() {
        accept(job().maxCrashes(1));
        var worker = worker();
        var lease = worker.leaseOne();
        advance(TestWorker.LEASE.plus(Duration.ofSeconds(1)));

        assertThat(worker.begin(lease)).isEqualTo(Verdict.BUSY);
    }

    @Test
    void everyLeaseAndSettleClearsTheBeginning() {
        var id = accept(job().maxCrashes(1));
        var worker = worker();
        for (var outcome : java.util.List.of(TestWorker.retry(seconds(0)), new Outcome.Snooze(seconds(0), false))) {
            var lease = worker.leaseOne();
            applied(worker.begin(lease));
            worker.settled(lease, outcome);
            assertThat(find(id).times().begunAt()).isNull();
        }
        // Not begun this time: a crash is not counted.
        worker.leaseOne();
        crash(worker);
        assertThat(state(id)).isNotEqualTo(JobState.DEAD);
    }

    @Test
    void releasingABegunJobThatMayCrashOnceBuriesIt() {
        for (var running : java.util.List.of(true, false)) {
            var id = accept(job().maxCrashes(1));
            var worker = worker();
            var lease = worker.leaseOne();
            applied(worker.begin(lease));

            assertThat(worker.settle(lease, new Outcome.Release(running)))
                    .isEqualTo(new Verdict.Applied(JobState.DEAD, DeadReason.WORKER_LOST));
            assertThat(find(id).counts().crashes()).isEqualTo(1);
            assertThat(find(id).counts().releases()).isZero();
            worker.end();
        }
        assertThat(events(dev.belay.broker.Event.CRASHED)).isEqualTo(2);
        assertThat(events(dev.belay.broker.Event.DEAD)).isEqualTo(2);
        assertThat(events(dev.belay.broker.Event.RELEASED)).isZero();
    }

    @Test
    void releasingOneThatWasNotBegunCostsNothing() {
        var id = accept(job().maxCrashes(1));
        var worker = worker();
        worker.settled(worker.leaseOne(), new Outcome.Release(false));

        assertThat(state(id)).isEqualTo(JobState.READY);
        assertThat(find(id).counts().releases()).isEqualTo(1);
    }

    private JobId suspect() {
        var id = accept(job().priority(0).maxCrashes(2).backoff(Backoff.NONE));
        var worker = worker();
        worker.leaseOne();
        crash(worker);
        return id;
    }
}
