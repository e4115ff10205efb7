package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.Worker;
import dev.belay.broker.Event;
import dev.belay.event.JobEvent;
import dev.belay.handler.Codecs;
import dev.belay.handler.GzipTransform;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers come, go, are cut off and come back; jobs are taken back from those that are lost, and from no other. */
public class SessionTest extends EngineSuite {

    /** A worker that is cut off learns late that its session has ended. */
    private void expectLostSession() {
        expectFaults();
        expectLog("has ended while this worker was away");
        expectLog("was lost before its outcome");
    }

    @Test
    void G4_case28_theJobsOfAWorkerThatIsGoneRunElsewhere() {
        expectLostSession();
        quickReaping();
        var gate = hold();
        var lost = wire.around(broker);
        start(shortLived(lost).queue(QUEUE, 10).handle(WORK, effects.count((payload, context) -> gate.pass())));
        var ids = enqueueMany(10);
        gate.awaitArrived(10);
        wire.cut();
        var heirs = new Effects();
        start(shortLived(secondNode()).queue(QUEUE, 10).handle(WORK, heirs.count((payload, context) -> {})));
        awaitAll(ids, JobState.SUCCEEDED);
        heirs.assertOnce(ids);
        assertThat(ids).allSatisfy(id -> {
            assertThat(job(id).counts().crashes()).isEqualTo(1);
            assertThat(job(id).counts().failures()).isZero();
            assertThat(admin.find(QUEUE, id).orElseThrow().history())
                    .extracting(HistoryEntry::kind)
                    .containsExactly(HistoryEntry.Kind.CRASHED);
        });
        assertThat(told.all(JobEvent.Reclaimed.class)).hasSize(10).allMatch(JobEvent.Reclaimed::counted);
        assertThat(events(Event.CRASHED)).isEqualTo(10);
        gate.open();
    }

    @ParameterizedTest
    @ValueSource(strings = {"succeeds", "fails", "snoozes", "buries", "tells progress"})
    void G3_case17_whatAZombieSaysChangesNothing(String how) {
        expectLostSession();
        quickReaping();
        var gate = hold();
        var lostTold = new CopyOnWriteArrayList<String>();
        var zombie = start(shortLived(wire.around(broker)).queue(QUEUE, 1).handle(WORK, (payload, context) -> {
            context.onLeaseLost(() -> lostTold.add("callback"));
            gate.pass();
            eventually(() -> assertThat(context.leaseLost()).isTrue());
            lostTold.add("flag");
            assertThat(Thread.interrupted()).isTrue();
            switch (how) {
                case "succeeds" -> context.result("the zombie's");
                case "fails" -> throw new IllegalStateException("the zombie's");
                case "snoozes" -> throw context.snooze(Duration.ofHours(1));
                case "buries" -> throw context.bury("the zombie's");
                default -> context.progress("the zombie's");
            }
        }));
        var id = enqueue("p");
        gate.awaitArrived(1);
        wire.cut();
        start(shortLived(secondNode()).queue(QUEUE, 1).handle(WORK, effects.count((payload, context) -> {
            context.progress("the heir's");
            context.result("the heir's");
        })));
        awaitState(id, JobState.SUCCEEDED);
        var before = admin.find(QUEUE, id).orElseThrow();
        wire.heal();
        gate.open();
        eventually(() -> assertThat(lostTold).containsExactlyInAnyOrder("callback", "flag"));
        eventually(() -> assertThat(zombie.health().problems()).isEmpty());
        eventually(() -> assertThat(zombie.health().running()).isZero());

        var after = admin.find(QUEUE, id).orElseThrow();
        assertThat(after.job()).isEqualTo(before.job());
        assertThat(after.job().progress()).isEqualTo("the heir's");
        assertThat(after.result()).isEqualTo("the heir's".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(after.history()).isEqualTo(before.history());
        assertThat(after.job().counts().failures()).isZero();
        eventually(() -> assertThat(told.of(id, JobEvent.LeaseLost.class)).hasSize(1));
        effects.assertOnce(List.of(id));
        // The zombie's worker has registered anew and works.
        assertThat(admin.sessions()).filteredOn(session -> !session.ended()).hasSize(2);
    }

    @Test
    void case17_aZombieThatCameBackWorksOn() {
        expectLostSession();
        quickReaping();
        start(shortLived(wire.around(broker)).queue(QUEUE, 4).handle(WORK, effects.count((payload, context) -> {})));
        start(shortLived(secondNode()).queue(OTHER_QUEUE, 1).handle(WORK, (payload, context) -> {}));
        wire.cut();
        eventually(() -> assertThat(admin.sessions())
                .filteredOn(session -> session.spec().queue().equals(QUEUE) && !session.ended())
                .isEmpty());
        var ids = enqueueMany(20);
        wire.heal();
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
    }

    @Test
    void case19_workersComeAndGoAndNothingRunsTwice() {
        quickReaping();
        // Reapers run in all of them, also in those that have just started.
        var release = hold();
        start(shortLived(broker).queue(QUEUE, 8).handle(WORK, effects.count((payload, context) -> {
            if (payload.equals("long")) {
                release.pass();
            }
        })));
        var ids = new ArrayList<JobId>();
        for (var i = 0; i < 8; i++) {
            ids.add(enqueue("long"));
        }
        release.awaitArrived(8);
        Worker last = null;
        for (var round = 0; round < 12; round++) {
            var extra = start(shortLived(round % 2 == 0 ? broker : secondNode())
                    .queue(QUEUE, 4)
                    .handle(WORK, effects.count((payload, context) -> {})));
            ids.addAll(enqueueMany(20));
            if (last != null) {
                last.close();
            }
            last = extra;
        }
        awaitAll(ids.subList(8, ids.size()), JobState.SUCCEEDED);
        release.open();
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(events(Event.CRASHED) + events(Event.RETURNED)).isZero();
    }

    @Test
    void case27_clientsAndWorkersThatAreSetUpDifferentlyWorkTogether() {
        quickReaping();
        var zipped = closing(dev.belay.Belay.builder(secondNode())
                .codecs(Codecs.of(new TextCodec(), new GzipTransform()))
                .build());
        // What must agree travels with the job: encoding, attempts, backoff, timeout, retention.
        var theirs = JobType.define(TYPE, String.class)
                .queue(QUEUE)
                .maxAttempts(2)
                .retention(Duration.ofHours(1))
                .build();
        var ids = new ArrayList<JobId>();
        for (var i = 0; i < 50; i++) {
            ids.add(zipped.enqueue(theirs.with("payload " + i)).id());
        }
        start(shortLived(broker).queue(QUEUE, 10).handle(WORK, effects.count((payload, context) -> {})));
        awaitAll(ids, JobState.SUCCEEDED);
        // Two leases long.
        steadily(Duration.ofSeconds(2), () -> assertThat(effects.starts()).isEqualTo(50));
        effects.assertOnce(ids);
        assertThat(effects.runs()).extracting(Effects.Run::payload).contains("payload 0", "payload 49");
        assertThat(job(ids.get(0)).encoding()).isEqualTo("text+gzip");
        assertThat(job(ids.get(0)).options().maxAttempts()).isEqualTo(2);
    }

    private void removeWhileItLeases(Consumer<Worker> end) {
        expectLostSession();
        quickReaping();
        var worker = start(
                shortLived(wire.around(broker)).queue(QUEUE, 4).handle(WORK, effects.count((payload, context) -> {})));
        var ids = new ArrayList<JobId>();
        for (var round = 0; round < 20; round++) {
            ids.addAll(enqueueMany(50));
            end.accept(worker);
        }
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(ids).allSatisfy(id -> assertThat(effects.of(id)).isNotEmpty());
        assertThat(events(Event.DEAD)).isZero();
        eventually(() -> assertThat(admin.sessions())
                .filteredOn(session -> !session.ended())
                .singleElement()
                .satisfies(session -> assertThat(session.inFlight()).isZero()));
    }

    @Test
    void case30_aWorkerWhoseRegistrationIsRemovedWhileItLeasesRegistersAnew() {
        removeWhileItLeases(worker -> {
            var sessions = admin.sessions().stream()
                    .filter(session -> !session.ended())
                    .map(session -> session.spec().id())
                    .toList();
            broker.endSessions(sessions);
        });
    }

    @Test
    void case30_aWorkerThatWasGivenUpGoesOnUnderANewSession() {
        expectLostSession();
        quickReaping();
        var worker = start(
                shortLived(wire.around(broker)).queue(QUEUE, 4).handle(WORK, effects.count((payload, context) -> {})));
        start(shortLived(secondNode()).queue(OTHER_QUEUE, 1).handle(WORK, (payload, context) -> {}));
        var first = admin.sessions().stream()
                .filter(session -> session.spec().queue().equals(QUEUE))
                .map(session -> session.spec().id())
                .toList();
        // Only heartbeats do not come through: it goes on leasing until its session is ended, and not beyond.
        wire.cut("heartbeat");
        var ids = new ArrayList<JobId>();
        eventually(() -> {
            ids.addAll(enqueueMany(5));
            assertThat(admin.sessions())
                    .extracting(session -> session.spec().id())
                    .doesNotContainAnyElementsOf(first);
        });
        wire.heal();
        ids.addAll(enqueueMany(20));
        awaitAll(ids, JobState.SUCCEEDED);
        eventually(() -> assertThat(worker.health().problems()).isEmpty());
        assertThat(ids).allSatisfy(id -> assertThat(effects.of(id)).isNotEmpty());
    }
}
