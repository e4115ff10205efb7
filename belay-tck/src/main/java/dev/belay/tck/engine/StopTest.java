package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.Worker;
import dev.belay.broker.Event;
import dev.belay.event.WorkerHealth;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** G12: a worker that stops lets running jobs end, gives back what it can't, and costs no job anything. */
public class StopTest extends EngineSuite {

    private Thread closeInBackground(Worker worker) {
        var thread = new Thread(worker::close, "tck-close");
        thread.start();
        return thread;
    }

    @Test
    void G12_case129_runningJobsEndAndNothingIsLeasedAnyMore() throws Exception {
        var gate = hold();
        var asked = new CopyOnWriteArrayList<Boolean>();
        var worker = serve(2, (payload, context) -> {
            gate.pass();
            asked.add(context.stopRequested());
        });
        var running = enqueueMany(2);
        gate.awaitArrived(2);
        var closing = closeInBackground(worker);
        eventually(() -> assertThat(worker.health().state()).isEqualTo(WorkerHealth.State.DRAINING));
        var leases = wire.calls("lease");
        var later = enqueueMany(5);
        steadily(Duration.ofMillis(300), () -> assertThat(effects.starts()).isEqualTo(2));
        assertThat(wire.calls("lease")).isLessThanOrEqualTo(leases + 1);
        gate.open();
        closing.join();

        assertThat(states(running)).isEqualTo(Map.of(JobState.SUCCEEDED, 2));
        assertThat(states(later)).isEqualTo(Map.of(JobState.READY, 5));
        assertThat(asked).containsOnly(true);
        assertThat(worker.health()).isEqualTo(new WorkerHealth(WorkerHealth.State.STOPPED, List.of(), 0, 0, 0));
        assertThat(admin.sessions()).isEmpty();
    }

    @Test
    void G12_case129_whatDoesNotEndInTimeIsInterruptedAndRunElsewhereAtOnce() {
        var type = type(b -> b.maxAttempts(1));
        var gate = hold();
        var worker = start(define().drainTimeout(Duration.ofMillis(200))
                .queue(QUEUE, 3)
                .handle(type, effects.count((payload, context) -> {
                    context.progress("half way");
                    gate.passOrBeInterrupted();
                })));
        var ids = enqueueMany(type, 3);
        gate.awaitArrived(3);
        var resumedAt = new CopyOnWriteArrayList<String>();
        start(define(secondNode()).queue(OTHER_QUEUE, 1).handle(type, (payload, context) -> {}));
        worker.close();
        assertThat(gate.interrupted()).isEqualTo(3);
        assertThat(states(ids)).isEqualTo(Map.of(JobState.READY, 3));
        start(define(secondNode())
                .queue(QUEUE, 3)
                .handle(type, effects.count((payload, context) -> resumedAt.add(String.valueOf(context.progress())))));
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(resumedAt).containsExactly("half way", "half way", "half way");
        assertThat(ids).allSatisfy(id -> {
            assertThat(job(id).counts().failures()).isZero();
            assertThat(job(id).counts().crashes()).isZero();
            assertThat(job(id).counts().releases()).isEqualTo(1);
            assertThat(admin.find(QUEUE, id).orElseThrow().history())
                    .extracting(HistoryEntry::kind)
                    .containsExactly(HistoryEntry.Kind.INTERRUPTED);
        });
    }

    @Test
    void G12_whatIgnoresItsInterruptIsGivenBackTwoSecondsLater() {
        expectLog("Some handlers ignore their interrupt");
        var gate = hold();
        var worker = start(define().drainTimeout(Duration.ofMillis(100))
                .queue(QUEUE, 2)
                .handle(WORK, effects.count((payload, context) -> gate.pass())));
        var ids = enqueueMany(2);
        gate.awaitArrived(2);
        var closing = System.nanoTime();
        worker.close();
        assertThat(Duration.ofNanos(System.nanoTime() - closing))
                .isBetween(Duration.ofMillis(2_000), Duration.ofSeconds(20));
        assertThat(states(ids)).isEqualTo(Map.of(JobState.READY, 2));
        var heirs = new Effects();
        start(define(secondNode()).queue(QUEUE, 2).handle(WORK, heirs.count((payload, context) -> {})));
        awaitAll(ids, JobState.SUCCEEDED);
        heirs.assertOnce(ids);
        gate.open();
        eventually(() -> assertThat(effects.running()).isZero());
        // What they said at last changed nothing.
        assertThat(ids).allSatisfy(id -> assertThat(job(id).counts().failures()).isZero());
        assertThat(events(Event.SUCCEEDED)).isEqualTo(2);
    }

    @Test
    void G12_case133_aHandlerThatReturnsAfterItsInterruptHasSucceeded() {
        var gate = hold();
        var worker = start(define().drainTimeout(Duration.ofMillis(100))
                .queue(QUEUE, 1)
                .handle(WORK, effects.count((payload, context) -> {
                    try {
                        gate.passOrBeInterrupted();
                    } catch (InterruptedException e) {
                        context.result("saved what could be saved");
                    }
                })));
        var id = enqueue("p");
        gate.awaitArrived(1);
        worker.close();
        assertThat(job(id).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void G12_prefetchedJobsAreReleasedAtOnce() throws Exception {
        var gate = hold();
        var worker = serve(1, (payload, context) -> {
            if (payload.equals("long")) {
                gate.pass();
            }
        });
        var ids = new ArrayList<JobId>();
        dev.belay.job.By ann = ANN;
        admin.pause(QUEUE, ann);
        ids.addAll(enqueueMany(100));
        var running = enqueue("long");
        var behind = enqueueMany(20);
        admin.resume(QUEUE, ann);
        gate.awaitArrived(1);
        var closing = closeInBackground(worker);
        eventually(() -> assertThat(states(behind)).isEqualTo(Map.of(JobState.READY, 20)));
        assertThat(job(running).state()).isEqualTo(JobState.RUNNING);
        gate.open();
        closing.join();
        assertThat(job(running).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(states(ids)).isEqualTo(Map.of(JobState.SUCCEEDED, 100));
        assertThat(states(behind)).isEqualTo(Map.of(JobState.READY, 20));
        assertThat(behind)
                .allSatisfy(id -> assertThat(job(id).counts().failures()).isZero());
    }

    @Test
    void case130_leasesAreKeptUntilTheLastJobHasEnded() throws Exception {
        quickReaping();
        var gate = hold();
        var worker = start(shortLived(wire.around(broker))
                .queue(QUEUE, 2)
                .handle(WORK, effects.count((payload, context) -> gate.pass())));
        start(shortLived(secondNode())
                .queue(QUEUE, 2)
                .handle(type(b -> b), effects.count((payload, context) -> gate.pass())));
        var ids = enqueueMany(4);
        gate.awaitArrived(4);
        var closing = closeInBackground(worker);
        // Two leases long.
        steadily(Duration.ofSeconds(2), () -> assertThat(effects.starts()).isEqualTo(4));
        gate.open();
        closing.join();
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(events(Event.CRASHED) + events(Event.RELEASED)).isZero();
    }

    @Test
    void case129_manyRollingRestartsCostNoAttempt() {
        var type = type(b -> b.maxAttempts(1));
        var ids = enqueueMany(type, 600);
        for (var round = 0; round < 12; round++) {
            var node = round % 2 == 0 ? broker : secondNode();
            var before = effects.starts();
            var worker = start(define(node)
                    .drainTimeout(Duration.ofMillis(round % 3))
                    .queue(QUEUE, 8)
                    .handle(
                            type,
                            effects.count((payload, context) -> java.util.concurrent.TimeUnit.MILLISECONDS.sleep(3))));
            effects.awaitStarts(Math.min(600, before + 20));
            worker.close();
        }
        start(define().queue(QUEUE, 8).handle(type, effects.count((payload, context) -> {})));
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(events(Event.FAILED) + events(Event.CRASHED)).isZero();
        effects.assertNoOverlap();
    }

    @Test
    void aLeaseCallThatIsUnderWayWhenTheWorkerStopsStrandsNothing() throws Exception {
        var worker = serve(4, (payload, context) -> {});
        var held = wire.holdReplies("lease");
        held.awaitArrived(1);
        wire.release();
        var again = wire.holdReplies("lease");
        var ids = enqueueMany(4);
        eventually(() -> assertThat(states(ids)).isEqualTo(Map.of(JobState.RUNNING, 4)));
        again.awaitArrived(1);
        var closing = closeInBackground(worker);
        eventually(() -> assertThat(worker.health().state()).isEqualTo(WorkerHealth.State.DRAINING));
        wire.release();
        closing.join();
        assertThat(states(ids).keySet()).isSubsetOf(JobState.READY, JobState.SUCCEEDED);
        start(define(secondNode()).queue(QUEUE, 4).handle(WORK, effects.count((payload, context) -> {})));
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(events(Event.CRASHED)).isZero();
    }

    @Test
    void aLeaseCallThatIsAnsweredAfterTheWorkerHasStoppedStrandsNothing() {
        expectFaults();
        var worker = serve(4, (payload, context) -> {});
        var held = wire.hold("lease");
        held.awaitArrived(1);
        // It waits for the call for 5 s, then stops without its answer.
        worker.close();
        assertThat(worker.health().state()).isEqualTo(WorkerHealth.State.STOPPED);
        var ids = enqueueMany(4);
        wire.release();
        steadily(Duration.ofMillis(200), () -> assertThat(states(ids)).isEqualTo(Map.of(JobState.READY, 4)));
        start(define(secondNode()).queue(QUEUE, 4).handle(WORK, effects.count((payload, context) -> {})));
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
    }

    @Test
    void closingTwiceAndFromManyThreadsIsOneStop() throws Exception {
        var gate = hold();
        var worker = serve(1, (payload, context) -> gate.pass());
        var id = enqueue("p");
        gate.awaitArrived(1);
        var closers = List.of(closeInBackground(worker), closeInBackground(worker), closeInBackground(worker));
        worker.drain();
        steadily(Duration.ofMillis(100), () -> assertThat(closers).allMatch(Thread::isAlive));
        gate.open();
        for (var closer : closers) {
            closer.join();
        }
        worker.awaitStop();
        worker.close();
        assertThat(job(id).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void aHandlerMayCloseItsOwnWorker() throws Exception {
        var workers = new CopyOnWriteArrayList<Worker>();
        var worker = start(define().drainTimeout(Duration.ofMillis(200))
                .queue(QUEUE, 2)
                .handle(WORK, effects.count((payload, context) -> {
                    if (context.delivery() == 1) {
                        workers.get(0).drain();
                    }
                })));
        workers.add(worker);
        var id = enqueue("p");
        worker.awaitStop();
        assertThat(job(id).state()).isEqualTo(JobState.SUCCEEDED);
    }
}
