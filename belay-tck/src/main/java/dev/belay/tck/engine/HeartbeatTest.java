package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.JobEdit;
import dev.belay.event.JobEvent;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Heartbeats keep leases, however long a handler runs, and nothing but a lost lease ends one. */
public class HeartbeatTest extends EngineSuite {

    @Test
    void case16_aLongJobWithHeartbeatsIsStartedOnce() {
        quickReaping();
        var gate = hold();
        var ids = enqueueMany(20);
        for (var i = 0; i < 3; i++) {
            start(shortLived(i == 0 ? broker : secondNode())
                    .queue(QUEUE, 20)
                    .handle(WORK, effects.count((payload, context) -> gate.pass())));
        }
        gate.awaitArrived(20);
        // Three leases long.
        steadily(Duration.ofSeconds(3), () -> assertThat(effects.starts()).isEqualTo(20));
        gate.open();
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(events(Event.CRASHED) + events(Event.RETURNED)).isZero();
    }

    @Test
    void G10_case18_nothingDependsOnTheWorkersClock() {
        quickReaping();
        // The broker's clock is seven hours ahead of this host's; and then, while jobs run, another three.
        advance(Duration.ofHours(7));
        var gate = hold();
        start(shortLived(broker).queue(QUEUE, 10).handle(WORK, effects.count((payload, context) -> {
            if (payload.equals("long")) {
                gate.pass();
            }
        })));
        var ids = new ArrayList<JobId>();
        for (var i = 0; i < 5; i++) {
            ids.add(enqueue("long"));
        }
        gate.awaitArrived(5);
        advance(Duration.ofHours(3));
        var before = now();
        var scheduled = WORK.with("scheduled").delay(Duration.ofMillis(1_500));
        ids.add(enqueue(scheduled));
        var at = WORK.with("at").runAt(Instant.ofEpochMilli(now() + 1_500));
        ids.add(enqueue(at));
        assertThat(job(at.id()).state()).isEqualTo(JobState.SCHEDULED);
        awaitState(scheduled.id(), JobState.SUCCEEDED);
        awaitState(at.id(), JobState.SUCCEEDED);
        assertThat(now() - before).as("not before it was due").isGreaterThanOrEqualTo(1_500);

        steadily(Duration.ofSeconds(2), () -> assertThat(effects.starts()).isEqualTo(7));
        gate.open();
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(events(Event.CRASHED) + events(Event.RETURNED))
                .as("no false recovery")
                .isZero();
        assertThat(bench.logs().warnings())
                .filteredOn(w -> w.contains("clock differs"))
                .hasSize(1);
    }

    @Test
    void G10_case18_aBrokersClockThatJumpsBackCostsNothing() {
        quickReaping();
        var gate = hold();
        start(shortLived(broker).queue(QUEUE, 5).handle(WORK, effects.count((payload, context) -> gate.pass())));
        var ids = enqueueMany(5);
        gate.awaitArrived(5);
        advance(Duration.ofHours(-2));
        steadily(Duration.ofSeconds(2), () -> assertThat(effects.starts()).isEqualTo(5));
        gate.open();
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(told.all(JobEvent.LeaseLost.class)).isEmpty();
    }

    @Test
    void case20_aWorkerWhoseHeartbeatsAreBlockedEndsEachJobOnce() {
        expectLog("A heartbeat failed");
        expectLog("was lost before its outcome");
        expectLog("has ended while this worker was away");
        quickReaping();
        var patient = type(b -> b.maxCrashes(100));
        var ids = new ArrayList<JobId>();
        start(shortLived(wire.around(broker))
                .queue(QUEUE, 20)
                .handle(
                        WORK,
                        effects.count((payload, context) ->
                                // Ends around the time at which its session does, if heartbeats do not come through.
                                LockSupport.parkNanos(Duration.ofMillis(900 + Integer.parseInt(payload))
                                        .toNanos()))));
        start(shortLived(secondNode()).queue(QUEUE, 20).handle(WORK, effects.count((payload, context) -> {})));
        wire.cut("heartbeat");
        for (var i = 0; i < 200; i++) {
            // However often the one that is cut off gets it: what is asked here is who ends it.
            ids.add(enqueue(patient.with(String.valueOf(i * 7))));
        }
        awaitAllFinal(ids);
        wire.heal();
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(events(Event.SUCCEEDED)).as("one terminal transition each").isEqualTo(200);
        assertThat(events(Event.DEAD)).isZero();
    }

    @Test
    void case33_progressAndEditsOfARunningJobHarmNothing() {
        quickReaping();
        var told50 = new AtomicInteger();
        var done = hold();
        start(shortLived(wire.around(broker)).queue(QUEUE, 2).handle(WORK, effects.count((payload, context) -> {
            var until = System.nanoTime() + Duration.ofMillis(2_000).toNanos();
            while (System.nanoTime() - until < 0) {
                context.progress("step " + told50.incrementAndGet());
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
            done.pass();
        })));
        var id = enqueue("p");
        var edits = 0;
        while (done.arrived() == 0) {
            var edit = new JobEdit(edits % 5, null, List.of("tag-" + edits));
            applied(admin.edit(QUEUE, id, edit, By.of("ann")));
            edits++;
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        done.open();
        awaitState(id, JobState.SUCCEEDED);
        effects.assertOnce(List.of(id));
        assertThat(told50.get()).isGreaterThan(20);
        var job = job(id);
        assertThat(job.progress()).isEqualTo("step " + told50.get());
        assertThat(job.options().tags()).containsExactly("tag-" + (edits - 1));
        assertThat(events(Event.LEASED)).isEqualTo(1);
        assertThat(told.all(JobEvent.LeaseLost.class)).isEmpty();
    }

    @Test
    void aLostHeartbeatIsTriedAgainAtOnceAndTheWorkerIsWellAgain() {
        expectLog("A heartbeat failed");
        var worker = serve(1, (payload, context) -> {});
        wire.faults().loseReply("heartbeat");
        eventually(() -> assertThat(bench.logs().warnings()).anyMatch(w -> w.contains("A heartbeat failed")));
        eventually(() -> assertThat(worker.health().problems()).isEmpty());
        wire.faults().loseCall("settle");
        awaitState(enqueue("p"), JobState.SUCCEEDED);
        eventually(() -> assertThat(worker.health().problems()).isEmpty());
    }

    @Test
    void aHandlerIsToldThatItsLeaseIsUncertainAndGoesOn() {
        expectFaults();
        var gate = hold();
        var uncertain = new AtomicInteger();
        var type = JobType.define(TYPE, String.class).queue(QUEUE).build();
        start(shortLived(wire.around(broker)).queue(QUEUE, 1).handle(type, effects.count((payload, context) -> {
            assertThat(context.leaseUncertain()).isFalse();
            gate.awaitArrived(1);
            eventually(() -> assertThat(context.leaseUncertain()).isTrue());
            uncertain.incrementAndGet();
            eventually(() -> assertThat(context.leaseUncertain()).isFalse());
            assertThat(context.leaseLost()).isFalse();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        })));
        var id = enqueue(type.with("p"));
        effects.awaitStarts(1);
        wire.cut();
        new Thread(gate::pass).start();
        eventually(() -> assertThat(uncertain.get()).isEqualTo(1));
        wire.heal();
        awaitState(id, JobState.SUCCEEDED);
        effects.assertOnce(List.of(id));
    }

    @Test
    void aWorkerCanBeToldToInterruptHandlersWhoseLeaseIsUncertain() {
        expectFaults();
        var gate = hold();
        start(shortLived(wire.around(broker))
                .interruptUncertain()
                .queue(QUEUE, 1)
                .handle(WORK, effects.count((payload, context) -> {
                    if (context.attempt() == 1) {
                        gate.passOrBeInterrupted();
                    }
                })));
        var id = enqueue("p");
        gate.awaitArrived(1);
        wire.cut();
        gate.awaitInterrupted(1);
        wire.heal();
        awaitState(id, JobState.SUCCEEDED);
    }
}
