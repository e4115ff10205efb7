package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.Lease;
import dev.belay.job.Backoff;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import org.junit.jupiter.api.Test;

/** G5: a job that crashed before and has one crash left waits in a line of its own and is handed out alone. */
public class SuspectTest extends BrokerSuite {

    @Test
    void G5_aSuspectIsLeasedOnlyToWhoAsksForOne() {
        var suspect = suspect();
        accept(2);
        var worker = worker();

        var usual = worker.ask(10);
        assertThat(usual.leases()).hasSize(2).noneMatch(lease -> lease.job().isSuspect());
        assertThat(usual.suspectWaiting()).isTrue();
        assertThat(state(suspect)).isEqualTo(JobState.READY);

        var alone = worker.askSuspect();
        assertThat(alone.leases()).extracting(lease -> lease.job().id()).containsExactly(suspect);
        assertThat(worker.ask(10).suspectWaiting()).isFalse();
    }

    @Test
    void G5_whoAsksForASuspectGetsOneAndNothingElse() {
        suspect();
        suspect();
        accept(5);
        var worker = worker();

        assertThat(worker.ask(
                                10,
                                request -> new dev.belay.broker.LeaseRequest(
                                        request.session(), request.number(), 10, 10, request.maxBytes(), true))
                        .leases())
                .hasSize(1)
                .allMatch(lease -> lease.job().isSuspect());
        assertThat(worker.askSuspect().leases()).hasSize(1);
        assertThat(worker.askSuspect().leases())
                .as("no suspect left, so nothing")
                .isEmpty();
        assertThat(worker.lease(10)).hasSize(5);
    }

    @Test
    void aFreshJobThatMayCrashOnceIsNoSuspect() {
        accept(job().maxCrashes(1));
        var worker = worker();

        assertThat(worker.ask(0).suspectWaiting()).isFalse();
        assertThat(worker.askSuspect().leases()).isEmpty();
        assertThat(worker.lease(1)).hasSize(1);
    }

    @Test
    void aSuspectStaysOneThroughReleaseRetryAndSnooze() {
        var id = suspect();
        var worker = worker();
        for (var outcome : java.util.List.of(
                new Outcome.Release(false), TestWorker.retry(seconds(0)), new Outcome.Snooze(seconds(3), false))) {
            worker.settled(worker.leaseSuspect(), outcome);
            advance(seconds(3));
            assertThat(worker.lease(5)).isEmpty();
            assertThat(find(id).isSuspect()).isTrue();
        }
        assertThat(worker.leaseSuspect().job().id()).isEqualTo(id);
    }

    @Test
    void aSuspectThatBecomesDueJoinsItsOwnLine() {
        var id = accept(job().maxCrashes(2).backoff(Backoff.fixed(seconds(30))));
        var worker = worker();
        worker.leaseOne();
        crash(worker);
        assertThat(state(id)).isEqualTo(JobState.SCHEDULED);
        advance(seconds(30));
        assertThat(broker.promote(QUEUE, seconds(1)).promoted()).isEqualTo(1);

        assertThat(worker().ask(5).suspectWaiting()).isTrue();
        assertThat(state(id)).isEqualTo(JobState.READY);
        assertThat(worker().leaseSuspect().job().id()).isEqualTo(id);
    }

    @Test
    void aReplayedSuspectIsOneNoMore() {
        var id = suspect();
        applied(admin.cancel(QUEUE, id, ANN));
        applied(admin.replay(QUEUE, id, null, ANN));

        assertThat(worker().leaseOne().job().id()).isEqualTo(id);
    }

    @Test
    void suspectsCanBeCancelledEditedAndExpire() {
        var cancelled = suspect();
        var edited = suspect();
        applied(admin.cancel(QUEUE, cancelled, ANN));
        applied(admin.edit(QUEUE, edited, new dev.belay.broker.JobEdit(0, null, null), ANN));
        var worker = worker();

        assertThat(worker.leaseSuspect().job().id()).isEqualTo(edited);
        assertThat(worker.askSuspect().leases()).isEmpty();
    }

    @Test
    void G5_noJobIsBuriedForACrashThatAnotherCaused() {
        // Ten innocent jobs share their worker with one that kills it, whenever it runs.
        var killer = accept(job().priority(0).backoff(Backoff.NONE));
        client.accept(10, job().backoff(Backoff.NONE));
        for (var crash = 1; crash <= 2; crash++) {
            var worker = worker();
            assertThat(worker.lease(20)).hasSize(11);
            crash(worker);
        }
        // From here on each runs alone.
        for (var i = 0; i < 11; i++) {
            var worker = worker();
            var lease = worker.leaseSuspect();
            applied(worker.begin(lease));
            if (lease.job().id().equals(killer)) {
                crash(worker);
            } else {
                worker.complete(lease);
                worker.end();
            }
        }
        assertThat(state(killer)).isEqualTo(JobState.DEAD);
        assertThat(admin.queues().get(0).count(JobState.SUCCEEDED)).isEqualTo(10);
        assertThat(events(Event.DEAD)).isEqualTo(1);
    }

    @Test
    void G5_aBegunSuspectOfAWorkerThatStopsIsReadyAgain() {
        var id = suspect();
        var worker = worker();
        Lease lease = worker.leaseSuspect();
        applied(worker.begin(lease));

        assertThat(worker.end()).isEmpty();
        assertThat(state(id)).isEqualTo(JobState.READY);
        assertThat(find(id).counts().crashes()).isEqualTo(1);
        assertThat(worker().leaseSuspect().job().times().begunAt()).isNull();
    }

    @Test
    void G5_aSuspectThatWasNotBegunComesBackUncounted() {
        var id = suspect();
        var worker = worker();
        worker.leaseSuspect();
        crash(worker);

        assertThat(find(id).counts().crashes()).isEqualTo(1);
        assertThat(state(id)).isIn(JobState.SCHEDULED, JobState.READY);
        assertThat(events(Event.RETURNED)).isEqualTo(1);
    }

    /** A ready job with one crash behind it and one left. */
    private JobId suspect() {
        var id = accept(job().priority(0).maxCrashes(2).backoff(Backoff.NONE));
        var worker = worker();
        worker.leaseOne();
        crash(worker);
        worker().ask(0);
        broker.promote(QUEUE, java.time.Duration.ofMillis(1));
        return id;
    }
}
