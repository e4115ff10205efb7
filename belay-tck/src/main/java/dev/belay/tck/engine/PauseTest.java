package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Command;
import dev.belay.broker.Event;
import dev.belay.event.WorkerHealth;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pausing queues, and commands to workers. */
public class PauseTest extends EngineSuite {

    @Test
    void case36_nothingRunsWhilePausedWhateverPathItCameBy() {
        expectFaults();
        expectLog("has ended while this worker was away");
        expectLog("was lost before its outcome");
        quickReaping();
        var gate = hold();
        var dead = new ArrayList<JobId>();
        var retry = new ArrayList<JobId>();
        var retried =
                type(b -> b.retry(dev.belay.job.RetryPolicy.with(dev.belay.job.Backoff.fixed(Duration.ofHours(1)))));
        var first = start(shortLived(broker).queue(QUEUE, 10).handle(retried, (payload, context) -> {
            if (payload.equals("dead")) {
                throw context.bury("hopeless");
            }
            throw new IllegalStateException("later");
        }));
        for (var i = 0; i < 5; i++) {
            dead.add(enqueue(retried.with("dead")));
            retry.add(enqueue(retried.with("retry")));
        }
        awaitAll(dead, JobState.DEAD);
        awaitAll(retry, JobState.SCHEDULED);
        first.close();
        start(shortLived(wire.around(broker)).queue(QUEUE, 3).handle(WORK, (payload, context) -> gate.pass()));
        var crashed = enqueueMany(3);
        gate.awaitArrived(3);
        var due = new ArrayList<JobId>();
        due.add(enqueue(WORK.with("due").delay(Duration.ofMinutes(30))));

        admin.pause(QUEUE, By.of("ann"));
        start(shortLived(secondNode()).queue(QUEUE, 10).handle(WORK, effects.count((payload, context) -> {})));
        var fresh = enqueueMany(5);
        dead.forEach(id -> applied(admin.replay(QUEUE, id, null, By.of("ann"))));
        wire.cut();
        eventually(() -> assertThat(events(Event.CRASHED)).isEqualTo(3));
        advance(Duration.ofHours(2));
        wire.heal();
        gate.open();
        var all = Stream.of(dead, retry, crashed, due, fresh)
                .flatMap(List::stream)
                .toList();
        steadily(Duration.ofMillis(700), () -> assertThat(effects.starts()).isZero());
        assertThat(states(all)).doesNotContainKeys(JobState.RUNNING, JobState.DEAD, JobState.SUCCEEDED);

        admin.resume(QUEUE, By.of("ann"));
        awaitAll(all, JobState.SUCCEEDED);
        assertThat(all).hasSize(19);
    }

    @Test
    void case37_aPauseHoldsOnAllNodesAndForNewWorkers() {
        var one = start(define(broker).queue(QUEUE, 2).handle(WORK, effects.count((payload, context) -> {})));
        start(define(secondNode()).queue(QUEUE, 2).handle(WORK, effects.count((payload, context) -> {})));
        awaitAll(enqueueMany(20), JobState.SUCCEEDED);
        admin.pause(QUEUE, By.of("ann"));
        var before = effects.starts();
        var ids = enqueueMany(20);
        one.close();
        start(define(broker).queue(QUEUE, 2).handle(WORK, effects.count((payload, context) -> {})));
        steadily(Duration.ofMillis(500), () -> assertThat(effects.starts()).isEqualTo(before));
        assertThat(admin.queues())
                .singleElement()
                .satisfies(view -> assertThat(view.paused()).isTrue());
        admin.resume(QUEUE, By.of("ann"));
        awaitAll(ids, JobState.SUCCEEDED);
    }

    @Test
    void case37_whatWasPrefetchedGoesBackAndWhatRunsGoesOn() {
        var gate = hold();
        serve(1, (payload, context) -> {
            if (payload.equals("long")) {
                gate.pass();
            }
        });
        // Short runs let the worker prefetch.
        awaitAll(enqueueMany(50), JobState.SUCCEEDED);
        var running = enqueue("long");
        gate.awaitArrived(1);
        var behind = enqueueMany(20);
        var before = effects.starts();
        admin.pause(QUEUE, By.of("ann"));
        eventually(() -> assertThat(states(behind)).isEqualTo(java.util.Map.of(JobState.READY, 20)));
        assertThat(job(running).state()).isEqualTo(JobState.RUNNING);
        gate.open();
        awaitState(running, JobState.SUCCEEDED);
        steadily(Duration.ofMillis(300), () -> assertThat(effects.starts()).isEqualTo(before));
        admin.resume(QUEUE, By.of("ann"));
        awaitAll(behind, JobState.SUCCEEDED);
    }

    @Test
    void afterAResumeAQueueIsServedAtFullSpeedAtOnce() {
        // Neither the next heartbeat nor the next poll has to be waited for.
        start(define().heartbeat(Duration.ofSeconds(10))
                .poll(Duration.ofSeconds(30))
                .queue(QUEUE, 2)
                .handle(WORK, effects.count((payload, context) -> {})));
        admin.pause(QUEUE, By.of("ann"));
        var ids = enqueueMany(300);
        steadily(Duration.ofMillis(200), () -> assertThat(effects.starts()).isZero());
        admin.resume(QUEUE, By.of("ann"));
        var resumed = System.nanoTime();
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(Duration.ofNanos(System.nanoTime() - resumed)).isLessThan(Duration.ofSeconds(9));
    }

    @Test
    void aPausedQueueDoesNotHoldUpAnother() {
        var other = JobType.define(TYPE, String.class).queue(OTHER_QUEUE).build();
        start(define().queue(QUEUE, 2).queue(OTHER_QUEUE, 2).handle(other, effects.count((payload, context) -> {})));
        admin.pause(QUEUE, By.of("ann"));
        enqueueMany(5);
        awaitAll(enqueueMany(other, 50), JobState.SUCCEEDED);
        assertThat(effects.starts()).isEqualTo(50);
    }

    @Test
    void aWorkerCanBeToldToGoQuietAndToResume() {
        var gate = hold();
        var worker = serve(2, (payload, context) -> {
            if (payload.equals("long")) {
                gate.pass();
            }
        });
        var running = enqueue("long");
        gate.awaitArrived(1);
        var session = admin.sessions().get(0).spec().id();
        applied(admin.tell(session, Command.Kind.GO_QUIET, By.of("ann")));
        var beats = wire.calls("heartbeat");
        eventually(() -> assertThat(wire.calls("heartbeat")).isGreaterThan(beats + 3));
        var ids = enqueueMany(5);
        steadily(Duration.ofMillis(400), () -> assertThat(effects.starts()).isEqualTo(1));
        gate.open();
        awaitState(running, JobState.SUCCEEDED);
        assertThat(worker.health().state()).isEqualTo(WorkerHealth.State.RUNNING);

        applied(admin.tell(session, Command.Kind.RESUME, By.of("ann")));
        awaitAll(ids, JobState.SUCCEEDED);
    }

    @Test
    void aWorkerCanBeToldToDrain() throws Exception {
        var gate = hold();
        var worker = serve(2, (payload, context) -> gate.pass());
        var running = enqueueMany(2);
        gate.awaitArrived(2);
        var session = admin.sessions().get(0).spec().id();
        applied(admin.tell(session, Command.Kind.DRAIN, By.of("ann")));
        eventually(() -> assertThat(worker.health().state()).isEqualTo(WorkerHealth.State.DRAINING));
        var left = enqueue("left");
        gate.open();
        worker.awaitStop();
        assertThat(worker.health().state()).isEqualTo(WorkerHealth.State.STOPPED);
        assertThat(states(running)).isEqualTo(java.util.Map.of(JobState.SUCCEEDED, 2));
        assertThat(job(left).state()).isEqualTo(JobState.READY);
        assertThat(admin.sessions()).filteredOn(s -> !s.ended()).isEmpty();
    }
}
