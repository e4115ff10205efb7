package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.event.JobEvent;
import dev.belay.event.WorkerHealth;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The broker is away, for any length of time: workers wait, their handlers go on, and nothing is lost or run twice. */
public class OutageTest extends EngineSuite {

    private void outage(long clockHours, Runnable meanwhile) {
        wire.cut();
        eventually(() -> assertThat(bench.logs().warnings()).anyMatch(w -> w.contains("does not answer")));
        advance(Duration.ofHours(clockHours));
        bench.store().breakConnection();
        meanwhile.run();
        bench.store().breakConnection();
        wire.heal();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 100})
    void G4_anOutageCostsLivingWorkersNothing(long hours) {
        expectFaults();
        quickReaping();
        var gate = hold();
        var worker = start(shortLived(wire.around(broker))
                .queue(QUEUE, 10)
                .handle(WORK, effects.count((payload, context) -> {
                    if (payload.startsWith("long")) {
                        gate.pass();
                    }
                })));
        var ids = new ArrayList<JobId>();
        for (var i = 0; i < 5; i++) {
            ids.add(enqueue("long " + i));
        }
        gate.awaitArrived(5);
        outage(hours, () -> {
            eventually(() -> assertThat(worker.health().problems()).anyMatch(p -> p.contains("does not answer")));
            assertThat(worker.health().isHealthy()).isFalse();
            assertThat(worker.health().state()).isEqualTo(WorkerHealth.State.RUNNING);
            // Handlers end in the middle of it: their outcomes wait.
            gate.open();
            eventually(() -> assertThat(worker.health().settling()).isEqualTo(5));
            ids.addAll(enqueueMany(20));
        });
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(events(Event.CRASHED) + events(Event.RETURNED)).isZero();
        assertThat(told.all(JobEvent.LeaseLost.class)).isEmpty();
        eventually(() -> assertThat(worker.health().isHealthy()).isTrue());
        assertThat(worker.health().settling()).isZero();
    }

    @Test
    void G4_manyOutagesInARowCostLivingWorkersNothing() {
        expectFaults();
        quickReaping();
        var gate = hold();
        start(shortLived(wire.around(broker)).queue(QUEUE, 10).handle(WORK, effects.count((payload, context) -> {
            if (payload.equals("long")) {
                gate.pass();
            }
        })));
        var ids = new ArrayList<JobId>();
        ids.add(enqueue("long"));
        gate.awaitArrived(1);
        for (var round = 0; round < 6; round++) {
            outage(round % 2, () -> ids.addAll(enqueueMany(5)));
            awaitAll(ids.subList(1, ids.size()), JobState.SUCCEEDED);
        }
        gate.open();
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(events(Event.CRASHED) + events(Event.RETURNED)).isZero();
    }

    @Test
    void aWorkerCanBeStartedWhileTheBrokerIsAway() {
        expectFaults();
        wire.cut();
        var ids = enqueueMany(10);
        var worker = closing(define().queue(QUEUE, 4)
                .handle(WORK, effects.count((payload, context) -> {}))
                .start());
        eventually(() -> assertThat(wire.calls("register")).isGreaterThan(3));
        assertThat(worker.health().problems())
                .anyMatch(problem -> problem.contains("does not answer"))
                .anyMatch(problem -> problem.contains("not registered yet"));
        wire.heal();
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        eventually(() -> assertThat(worker.health().isHealthy()).isTrue());
    }

    @Test
    void aRegistrationWhoseReplyWasLostLeavesNothingBehind() {
        expectFaults();
        quickReaping();
        wire.faults().loseReply("register").loseReply("register");
        start(shortLived(wire.around(broker)).queue(QUEUE, 4).handle(WORK, effects.count((payload, context) -> {})));
        var ids = enqueueMany(10);
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        eventually(() -> assertThat(admin.sessions()).hasSize(1));
    }

    @Test
    void aWorkerCanBeStoppedWhileTheBrokerIsAway() {
        expectFaults();
        expectLog("could not be ended");
        expectLog("that the broker has not answered");
        quickReaping();
        var gate = hold();
        var worker =
                start(shortLived(wire.around(broker)).queue(QUEUE, 4).handle(WORK, effects.count((payload, context) -> {
                    if (context.delivery() == 1) {
                        gate.pass();
                    }
                })));
        var ids = enqueueMany(4);
        gate.awaitArrived(4);
        wire.cut();
        gate.open();
        worker.close();
        assertThat(worker.health().state()).isEqualTo(WorkerHealth.State.STOPPED);
        wire.heal();
        // Outcomes that it gave up on are gone with it: those jobs run again.
        start(shortLived(secondNode()).queue(QUEUE, 4).handle(WORK, effects.count((payload, context) -> {})));
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(ids).allSatisfy(id -> assertThat(effects.of(id)).hasSizeBetween(1, 2));
        effects.assertNoOverlap();
    }
}
