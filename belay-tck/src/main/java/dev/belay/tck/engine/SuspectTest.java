package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.Worker;
import dev.belay.broker.Event;
import dev.belay.job.DeadReason;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.tck.Skip;
import dev.belay.tck.TestWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** G5: jobs with one crash left run alone, so that no crash is another job's fault. */
public class SuspectTest extends EngineSuite {

    private static final JobType<String> TWICE = type(b -> b.maxCrashes(2));
    private static final JobType<String> ONCE = type(b -> b.maxCrashes(1));
    private static final JobType<String> OTHER =
            JobType.define("other", String.class).queue(OTHER_QUEUE).build();

    /** A job that has crashed once and has one crash left, ready to be run; no worker is left. */
    private JobId suspect(String payload) {
        var id = enqueue(TWICE.with(payload));
        quickReaping();
        var dying = TestWorker.register(secondNode(), TestWorker.spec(QUEUE, Duration.ofMillis(300), Map.of(TYPE, 1)));
        assertThat(dying.lease(1)).hasSize(1);
        eventually(() -> {
            secondNode().reap();
            assertThat(job(id).counts().crashes()).isEqualTo(1);
        });
        assertThat(job(id).isSuspect()).isTrue();
        return id;
    }

    @Test
    void G5_aSuspectRunsAlone() {
        var suspect = suspect("suspect");
        var atOnce = new AtomicInteger();
        var beside = new AtomicBoolean();
        var gate = hold();
        start(define().queue(QUEUE, 4)
                .queue(OTHER_QUEUE, 4)
                .handle(TWICE, effects.count((payload, context) -> {
                    if (payload.equals("suspect")) {
                        beside.set(atOnce.get() > 0);
                        gate.pass();
                        beside.compareAndSet(false, atOnce.get() > 0);
                    } else {
                        atOnce.incrementAndGet();
                        java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
                        atOnce.decrementAndGet();
                    }
                }))
                .handle(OTHER, effects.count((payload, context) -> {
                    atOnce.incrementAndGet();
                    java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
                    atOnce.decrementAndGet();
                })));
        // Another worker of this JVM, on another node: the same gate.
        start(define(secondNode()).queue(OTHER_QUEUE, 4).handle(OTHER, effects.count((payload, context) -> {
            atOnce.incrementAndGet();
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            atOnce.decrementAndGet();
        })));
        var ids = new ArrayList<JobId>(enqueueMany(TWICE, 100));
        ids.addAll(enqueueMany(OTHER, 100));
        gate.awaitArrived(1);
        var before = effects.starts();
        ids.addAll(enqueueMany(TWICE, 20));
        ids.addAll(enqueueMany(OTHER, 20));
        steadily(Duration.ofMillis(500), () -> assertThat(effects.starts()).isEqualTo(before));
        assertThat(job(suspect).times().begunAt()).as("begun").isNotNull();
        gate.open();
        ids.add(suspect);
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(beside).isFalse();
        effects.assertOnce(ids);
    }

    @Test
    void G5_aSuspectWaitsForHandlersWhoseLeaseIsLost() {
        var suspect = suspect("suspect");
        var gate = hold();
        var zombie = enqueue(OTHER.with("zombie"));
        start(define().queue(OTHER_QUEUE, 1).handle(OTHER, effects.count((payload, context) -> gate.pass())));
        gate.awaitArrived(1);
        applied(admin.cancel(OTHER_QUEUE, zombie, ANN));
        gate.awaitInterrupted(1);
        start(define(secondNode()).queue(QUEUE, 1).handle(TWICE, effects.count((payload, context) -> {})));
        steadily(Duration.ofMillis(500), () -> assertThat(effects.of(suspect)).isEmpty());
        gate.open();
        awaitState(suspect, JobState.SUCCEEDED);
    }

    @Test
    void G5_nothingStartsUntilTheSuspectsOutcomeIsAnswered() {
        var suspect = suspect("suspect");
        var settles = wire.hold("settle");
        start(define().queue(QUEUE, 2).handle(TWICE, effects.count((payload, context) -> {})));
        settles.awaitArrived(1);
        var ids = enqueueMany(TWICE, 10);
        steadily(Duration.ofMillis(400), () -> assertThat(effects.starts()).isEqualTo(1));
        wire.release();
        awaitState(suspect, JobState.SUCCEEDED);
        awaitAll(ids, JobState.SUCCEEDED);
    }

    @Test
    void G5_aBeginWhoseReplyIsLostIsGivenBackAtNoCost() {
        expectFaults();
        var suspect = suspect("suspect");
        wire.faults().loseReply("begin");
        start(define().queue(QUEUE, 2).handle(TWICE, effects.count((payload, context) -> {})));
        var ids = enqueueMany(TWICE, 10);
        awaitAll(ids, JobState.SUCCEEDED);
        awaitState(suspect, JobState.SUCCEEDED);
        effects.assertOnce(List.of(suspect));
        assertThat(job(suspect).counts().crashes()).isEqualTo(1);
    }

    @Test
    void G5_callsThatGetLostOnTheWayToASuspectStrandNothing() {
        expectFaults();
        for (var method : List.of("lease", "reconcile", "begin", "settle")) {
            var suspect = suspect("suspect " + method);
            var worker = start(define().queue(QUEUE, 2)
                    .queue(OTHER_QUEUE, 2)
                    .handle(TWICE, effects.count((payload, context) -> {}))
                    .handle(OTHER, effects.count((payload, context) -> {})));
            for (var i = 0; i < 3; i++) {
                wire.faults().loseReply(method).loseCall(method);
            }
            var ids = new ArrayList<JobId>(enqueueMany(TWICE, 5));
            ids.addAll(enqueueMany(OTHER, 5));
            ids.add(suspect);
            awaitAll(ids, JobState.SUCCEEDED);
            effects.assertOnce(ids);
            assertThat(job(suspect).counts().crashes()).isEqualTo(1);
            worker.close();
            wire.heal();
        }
    }

    @Test
    void G5_aReconcileThatFailsWhileASuspectIsHeldStrandsNothing() {
        expectFaults();
        var suspect = suspect("suspect");
        var reconciles = wire.hold("reconcile");
        start(define().queue(QUEUE, 2).handle(TWICE, effects.count((payload, context) -> {})));
        // The suspect is leased, and the worker asks what else it holds: that call is lost.
        reconciles.awaitArrived(1);
        assertThat(job(suspect).state()).isEqualTo(JobState.RUNNING);
        wire.faults().loseCall("reconcile");
        wire.release();
        awaitState(suspect, JobState.SUCCEEDED);
        awaitAll(enqueueMany(TWICE, 10), JobState.SUCCEEDED);
        assertThat(job(suspect).counts().crashes()).isEqualTo(1);
    }

    @Test
    void G5_aSuspectWhoseWorkerDiesIsBuriedAndNothingElseIs() {
        expectFaults();
        expectLog("has ended while this worker was away");
        expectLog("was lost before its outcome");
        var suspect = suspect("suspect");
        var gate = hold();
        start(shortLived(wire.around(broker)).queue(QUEUE, 2).handle(TWICE, effects.count((payload, context) -> {
            if (payload.equals("suspect")) {
                gate.pass();
            }
        })));
        gate.awaitArrived(1);
        var innocent = enqueueMany(TWICE, 10);
        wire.cut();
        eventually(() -> {
            secondNode().reap();
            assertThat(job(suspect).state()).isEqualTo(JobState.DEAD);
        });
        assertThat(job(suspect).reason()).isEqualTo(DeadReason.WORKER_LOST.name());
        wire.heal();
        gate.open();
        awaitAll(innocent, JobState.SUCCEEDED);
        assertThat(events(Event.DEAD)).isEqualTo(1);
        assertThat(innocent)
                .allSatisfy(id -> assertThat(job(id).counts().crashes()).isZero());
    }

    @Test
    void G5_theGateOpensWhenASuspectsWorkerStopsWithoutItsBroker() {
        expectFaults();
        expectLog("could not be ended");
        expectLog("that the broker has not answered");
        var suspect = suspect("suspect");
        var gate = hold();
        var worker = start(shortLived(wire.around(broker))
                .queue(QUEUE, 1)
                .handle(TWICE, effects.count((payload, context) -> gate.pass())));
        gate.awaitArrived(1);
        wire.cut();
        gate.open();
        worker.close();
        // Another worker of this JVM, whose broker is there.
        start(define(secondNode()).queue(OTHER_QUEUE, 2).handle(OTHER, effects.count((payload, context) -> {})));
        var ids = enqueueMany(OTHER, 10);
        awaitAll(ids, JobState.SUCCEEDED);
        wire.heal();
        eventually(() -> assertThat(job(suspect).state().isFinal()).isTrue());
    }

    @Test
    void G5_aSuspectThatIsCancelledWhileItRunsLetsTheOthersGoOn() {
        var suspect = suspect("suspect");
        var gate = hold();
        start(define().queue(QUEUE, 2).handle(TWICE, effects.count((payload, context) -> {
            if (payload.equals("suspect")) {
                gate.passOrBeInterrupted();
            }
        })));
        gate.awaitArrived(1);
        var ids = enqueueMany(TWICE, 10);
        applied(admin.cancel(QUEUE, suspect, ANN));
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(job(suspect).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void G5_aSuspectThatFailsIsTriedAgainAlone() {
        var suspect = suspect("suspect");
        start(define().queue(QUEUE, 2).handle(TWICE, effects.count((payload, context) -> {
            if (payload.equals("suspect") && context.attempt() == 1) {
                throw new IllegalStateException("boom");
            }
        })));
        awaitState(suspect, JobState.SUCCEEDED);
        assertThat(effects.of(suspect)).hasSize(2);
        assertThat(job(suspect).counts().crashes()).isEqualTo(1);
        assertThat(job(suspect).counts().failures()).isEqualTo(1);
    }

    @Test
    void aJobThatMayCrashOnceIsBegunAndNotRunAgainAfterACrash() {
        expectFaults();
        expectLog("has ended while this worker was away");
        expectLog("was lost before its outcome");
        quickReaping();
        var gate = hold();
        start(shortLived(wire.around(broker)).queue(QUEUE, 4).handle(ONCE, effects.count((payload, context) -> {
            if (payload.startsWith("crash")) {
                gate.pass();
            }
        })));
        // Not alone: such jobs run beside others.
        var lost = List.of(enqueue(ONCE.with("crash 1")), enqueue(ONCE.with("crash 2")));
        gate.awaitArrived(2);
        assertThat(lost).allSatisfy(id -> assertThat(job(id).times().begunAt()).isNotNull());
        awaitAll(enqueueMany(ONCE, 10), JobState.SUCCEEDED);
        wire.cut();
        start(shortLived(secondNode()).queue(QUEUE, 4).handle(ONCE, effects.count((payload, context) -> {})));
        awaitAll(lost, JobState.DEAD);
        assertThat(lost).allSatisfy(id -> assertThat(job(id).reason()).isEqualTo(DeadReason.WORKER_LOST.name()));
        gate.open();
        effects.assertOnce(lost);
    }

    @Test
    void aBeginThatDidNotArriveIsSentAgain() {
        expectFaults();
        quickReaping();
        wire.faults().loseCall("begin");
        start(define().queue(QUEUE, 1).handle(ONCE, effects.count((payload, context) -> {})));
        var id = enqueue(ONCE.with("p"));
        awaitState(id, JobState.SUCCEEDED);
        effects.assertOnce(List.of(id));
        assertThat(job(id).counts().releases()).isZero();
    }

    @Test
    void G5_aSuspectIsGivenUpWhereOthersDoNotEnd() {
        Skip.unless(Boolean.getBoolean("belay.tck.nightly"), "takes more than a minute: runs nightly");
        var suspect = suspect("suspect");
        var gate = hold();
        Worker worker = start(define().queue(QUEUE, 2)
                .queue(OTHER_QUEUE, 2)
                .handle(TWICE, effects.count((payload, context) -> {}))
                .handle(OTHER, effects.count((payload, context) -> {
                    if (payload.equals("long")) {
                        gate.pass();
                    }
                })));
        enqueue(OTHER.with("long"));
        gate.awaitArrived(1);
        var ids = enqueueMany(OTHER, 10);
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(states(ids)).isEqualTo(Map.of(JobState.SUCCEEDED, 10)));
        assertThat(effects.of(suspect)).isEmpty();
        assertThat(job(suspect).state()).isEqualTo(JobState.READY);
        assertThat(worker.health().problems()).isEmpty();
    }
}
