package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.event.JobEvent;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls and replies get lost between a worker and its broker; no job does, and none runs twice for it. */
public class LostRepliesTest extends EngineSuite {

    private static final int JOBS = 200;

    @Test
    void G4_case2_aJobWhoseLeaseReplyWasLostIsRunAtOnce() {
        expectFaults();
        for (var round = 0; round < 5; round++) {
            wire.faults().loseReply("lease");
        }
        // Lost while it leases: reconciling tells the worker what it holds without knowing.
        var ids = enqueueMany(JOBS);
        serve(4, (payload, context) -> {});
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(events(Event.CRASHED)).isZero();
        assertThat(events(Event.RELEASED))
                .as("leases nobody knew were given back")
                .isPositive();
        assertThat(events(Event.LEASED)).isEqualTo(events(Event.SUCCEEDED) + events(Event.RELEASED));
    }

    @Test
    void G4_case2_everySecondLeaseReplyIsLost() {
        expectFaults();
        var ids = enqueueMany(40);
        // Calls come one after the other: the fault hits what the worker asks for while it has room.
        var worker =
                serve(4, (payload, context) -> wire.faults().loseReply("lease").loseReply("reconcile"));
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        eventually(() -> assertThat(worker.health().problems()).isEmpty());
        assertThat(admin.sessions())
                .singleElement()
                .satisfies(session -> assertThat(session.inFlight()).isZero());
    }

    @Test
    void G4_aLeaseCallThatIsStillOnItsWayWhenTheWorkerReconcilesStrandsNothing() {
        expectFaults();
        serve(4, (payload, context) -> {});
        var held = wire.hold("lease");
        held.awaitArrived(1);
        var ids = enqueueMany(10);
        // The worker waits for this call: it neither gives it up nor leases beside it.
        wire.faults().loseReply("lease");
        wire.release();
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
    }

    @Test
    void G5_aJobThatMayRunOnceIsNotBuriedForALostReplyToItsBegin() {
        wire.loseFirst("begin", Wire.Loss.REPLY);
        var once = type(b -> b.maxCrashes(1));
        start(define().queue(QUEUE, 4).handle(once, effects.count((payload, context) -> {})));
        var ids = enqueueMany(once, 20);
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(events(Event.RELEASED)).isZero();
    }

    @Test
    void case23_anOutcomeThatDidNotArriveIsSentAgain() {
        wire.loseFirst("settle", Wire.Loss.CALL);
        serve(10, (payload, context) -> {});
        var ids = enqueueMany(JOBS);
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(events(Event.FAILED)).isZero();
        assertThat(events(Event.LEASED)).isEqualTo(JOBS);
        assertThat(ids).allSatisfy(id -> assertThat(job(id).counts().failures()).isZero());
        eventually(() -> assertThat(told.all(JobEvent.Succeeded.class)).hasSize(JOBS));
        assertThat(told.all(JobEvent.LeaseLost.class)).isEmpty();
    }

    @Test
    void case23_anOutcomeWhoseReplyWasLostCountsAsSettled() {
        wire.loseFirst("settle", Wire.Loss.REPLY);
        serve(10, (payload, context) -> {});
        var ids = enqueueMany(JOBS);
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(events(Event.SUCCEEDED)).isEqualTo(JOBS);
        assertThat(events(Event.LEASED)).isEqualTo(JOBS);
        // The record is kept: the second try is answered as the first was.
        eventually(() -> assertThat(told.all(JobEvent.Succeeded.class)).hasSize(JOBS));
        assertThat(told.all(JobEvent.LeaseLost.class)).isEmpty();
        assertThat(told.all(JobEvent.Unconfirmed.class)).isEmpty();
    }

    @Test
    void case23_anOutcomeWhoseReplyWasLostAndWhoseRecordIsGoneIsUnconfirmedNotLost() {
        keepNothing();
        wire.loseFirst("settle", Wire.Loss.REPLY);
        serve(10, (payload, context) -> {});
        var ids = enqueueMany(JOBS);
        eventually(() -> assertThat(told.all(JobEvent.Unconfirmed.class)).hasSize(JOBS));
        effects.assertOnce(ids);
        assertThat(events(Event.SUCCEEDED)).isEqualTo(JOBS);
        assertThat(told.all(JobEvent.LeaseLost.class)).isEmpty();
    }

    @Test
    void case23_aFailureWhoseReplyWasLostIsCountedOnce() {
        wire.loseFirst("settle", Wire.Loss.REPLY);
        serve(10, (payload, context) -> {
            if (context.attempt() == 1) {
                throw new IllegalStateException("boom");
            }
        });
        var ids = enqueueMany(50);
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(ids).allSatisfy(id -> assertThat(job(id).counts().failures()).isEqualTo(1));
        assertThat(events(Event.FAILED)).isEqualTo(50);
        assertThat(effects.starts()).isEqualTo(100);
    }

    @Test
    void case35_aHandlersJobIsDiscardedWhileItRuns() {
        expectLog("was lost before its outcome");
        var gate = hold();
        var worker = serve(1, (payload, context) -> {
            if (payload.equals("gone")) {
                gate.pass();
            }
        });
        var gone = enqueue("gone");
        gate.awaitArrived(1);
        // The command that tells the worker is held up: it learns of its loss by its settle.
        var beats = wire.hold("heartbeat");
        beats.awaitArrived(1);
        applied(admin.cancel(QUEUE, gone, By.of("ann")));
        applied(admin.discard(QUEUE, gone, null, By.of("ann")));
        var next = enqueue("next");
        gate.open();

        awaitState(next, JobState.SUCCEEDED);
        assertThat(admin.find(QUEUE, gone)).isEmpty();
        eventually(() -> assertThat(told.of(gone, JobEvent.LeaseLost.class)).hasSize(1));
        var settles = wire.calls("settle");
        wire.release();
        assertThat(worker.health().settling()).isZero();
        assertThat(wire.calls("settle")).as("no retry loop").isEqualTo(settles);
        assertThat(bench.logs().warnings())
                .filteredOn(warning -> warning.contains("was lost"))
                .hasSize(1);
    }

    @Test
    void case35_anOutcomeOfADeliveryThatIsOverIsDroppedWithOneWarning() {
        expectLog("was lost before its outcome");
        var gate = hold();
        var first = new ArrayList<JobId>();
        serve(2, (payload, context) -> {
            if (context.delivery() == 1) {
                gate.pass();
                throw new IllegalStateException("too late");
            }
        });
        first.add(enqueue("p"));
        gate.awaitArrived(1);
        var beats = wire.hold("heartbeat");
        beats.awaitArrived(1);
        // Taken back and given out again, by a cancel and a replay.
        applied(admin.cancel(QUEUE, first.get(0), By.of("ann")));
        applied(admin.replay(QUEUE, first.get(0), null, By.of("ann")));
        awaitState(first.get(0), JobState.SUCCEEDED);
        gate.open();
        eventually(() ->
                assertThat(told.of(first.get(0), JobEvent.LeaseLost.class)).hasSize(1));
        var job = job(first.get(0));
        assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(job.counts().failures()).isZero();
        assertThat(effects.of(first.get(0))).hasSize(2);
        assertThat(bench.logs().warnings())
                .filteredOn(warning -> warning.contains("was lost"))
                .hasSize(1);
    }

    @Test
    void G2_allKindsOfLossAtOnce() {
        expectFaults();
        var ids = new ArrayList<JobId>();
        serve(8, (payload, context) -> {
            if (context.attempt() == 1 && payload.endsWith("3")) {
                throw new IllegalStateException("boom");
            }
        });
        for (var round = 0; round < 8; round++) {
            for (var method :
                    List.of("lease", "settle", "heartbeat", "reconcile", "reap", "promote", "prune", "record")) {
                wire.faults().loseReply(method).loseCall(method);
            }
            ids.addAll(enqueueMany(20));
        }
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertNoOverlap();
        assertThat(ids)
                .allSatisfy(id ->
                        assertThat(effects.of(id)).hasSize(job(id).counts().failures() + 1));
        assertThat(events(Event.CRASHED)).isZero();
    }
}
