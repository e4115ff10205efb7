package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.QueueSettings;
import dev.belay.event.JobEvent;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.job.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How jobs die, what is told of it, and what can be done with the dead. */
public class DeathTest extends EngineSuite {

    private static final int EACH = 10;

    private void expectLostWorker() {
        expectFaults();
        expectLog("has ended while this worker was away");
        expectLog("was lost before its outcome");
    }

    @Test
    void case68_everyKindOfDeathIsToldOnceWithItsCause() {
        expectLostWorker();
        expectLog("that this worker does not know");
        quickReaping();
        var gate = hold();
        var never = hold();
        var work = type(b -> b.maxAttempts(1)
                .retry(RetryPolicy.with(dev.belay.job.Backoff.NONE).never(IllegalArgumentException.class)));
        var slow = JobType.define("slow", String.class)
                .queue(QUEUE)
                .maxAttempts(1)
                .timeout(Duration.ofMillis(50))
                .build();
        var number = JobType.define("number", Integer.class).queue(QUEUE).build();
        var text = JobType.define("number", String.class).queue(QUEUE).build();
        var once = JobType.define("once", String.class)
                .queue(OTHER_QUEUE)
                .maxCrashes(1)
                .build();

        start(shortLived(broker)
                .queue(QUEUE, 20)
                .handle(work, (payload, context) -> {
                    switch (payload) {
                        case "bury" -> throw context.bury("hopeless");
                        case "never" -> throw new IllegalArgumentException("never");
                        default -> throw new IllegalStateException("boom");
                    }
                })
                .handle(slow, (payload, context) -> never.passOrBeInterrupted())
                .handle(number, (payload, context) -> {}));
        start(shortLived(wire.around(broker)).queue(OTHER_QUEUE, EACH).handle(once, (payload, context) -> gate.pass()));

        var expected = new LinkedHashMap<JobId, DeadReason>();
        for (var i = 0; i < EACH; i++) {
            expected.put(enqueue(work.with("fail")), DeadReason.ATTEMPTS_EXHAUSTED);
            expected.put(enqueue(work.with("bury")), DeadReason.BY_HANDLER);
            expected.put(enqueue(work.with("never")), DeadReason.NOT_RETRYABLE);
            expected.put(enqueue(slow.with("slow")), DeadReason.ATTEMPTS_EXHAUSTED);
            expected.put(enqueue(text.with("no number")), DeadReason.UNDECODABLE);
            expected.put(
                    enqueue(work.with("expires").delay(Duration.ofMinutes(2)).expiresAfter(Duration.ofMinutes(1))),
                    DeadReason.EXPIRED);
            expected.put(enqueue(once.with("crash")), DeadReason.WORKER_LOST);
        }
        gate.awaitArrived(EACH);
        wire.cut();
        eventually(() -> assertThat(told.all(JobEvent.Died.class))
                .filteredOn(died -> died.reason() == DeadReason.WORKER_LOST)
                .hasSize(EACH));
        advance(Duration.ofMinutes(3));
        awaitAll(expected.keySet(), JobState.DEAD);
        gate.open();

        expected.forEach((id, reason) -> {
            assertThat(job(id).reason()).isEqualTo(reason.name());
            eventually(() -> assertThat(told.of(id, JobEvent.Died.class))
                    .as("told of %s", job(id))
                    .singleElement()
                    .extracting(JobEvent.Died::reason)
                    .isEqualTo(reason));
        });
        wire.heal();
        steadily(
                Duration.ofMillis(300),
                () -> assertThat(told.all(JobEvent.Died.class)).hasSize(7 * EACH));
        assertThat(events(Event.DEAD)).isEqualTo(7 * EACH);
    }

    @Test
    void G5_case7_aJobWhoseWorkersDieAgainAndAgainIsADeadLetterThatSaysSo() {
        expectLostWorker();
        quickReaping();
        // Somebody else, whose reaper takes back.
        start(shortLived(secondNode()).queue(OTHER_QUEUE, 1).handle(WORK, (payload, context) -> {}));
        var type = type(b -> b.maxCrashes(3));
        var id = enqueue(type.with("precious"));
        for (var crash = 1; crash <= 3; crash++) {
            loseWorkerWith(type, id, crash);
        }
        var detail = admin.find(QUEUE, id).orElseThrow();
        assertThat(detail.job().state()).isEqualTo(JobState.DEAD);
        assertThat(detail.job().reason()).isEqualTo(DeadReason.WORKER_LOST.name());
        assertThat(detail.job().counts().failures()).isZero();
        assertThat(detail.history())
                .extracting(HistoryEntry::kind)
                .containsExactly(
                        HistoryEntry.Kind.CRASHED,
                        HistoryEntry.Kind.CRASHED,
                        HistoryEntry.Kind.CRASHED,
                        HistoryEntry.Kind.BURIED);
        assertThat(CODECS.show(java.util.Objects.requireNonNull(detail.payload())))
                .isEqualTo("precious");
        assertThat(told.of(id, JobEvent.Died.class)).hasSize(1);
        effects.assertNoOverlap();

        applied(admin.replay(QUEUE, id, null, By.of("ann", "fixed")));
        start(define().queue(QUEUE, 1).handle(type, effects.count((payload, context) -> {})));
        awaitState(id, JobState.SUCCEEDED);
        assertThat(job(id).counts().crashes()).isZero();
    }

    private void loseWorkerWith(JobType<String> type, JobId id, int crash) {
        var gate = hold();
        var mine = new Wire();
        var worker = start(shortLived(mine.around(broker))
                .queue(QUEUE, 1)
                .handle(type, effects.count((payload, context) -> gate.pass())));
        gate.awaitArrived(1);
        mine.cut();
        eventually(() -> assertThat(job(id).counts().crashes()).isEqualTo(crash));
        mine.heal();
        gate.open();
        worker.close();
    }

    @Test
    void case55_case56_aLostWorkerIsNoFailure() {
        expectLostWorker();
        quickReaping();
        var gate = hold();
        var one = type(b -> b.maxAttempts(1));
        var five = JobType.define("five", String.class)
                .queue(QUEUE)
                .retry(RetryPolicy.with(dev.belay.job.Backoff.NONE))
                .maxAttempts(5)
                .build();
        start(shortLived(wire.around(broker))
                .queue(QUEUE, 2)
                .handle(one, (payload, context) -> gate.pass())
                .handle(five, (payload, context) -> gate.pass()));
        var ids = List.of(enqueue(one.with("p")), enqueue(five.with("p")));
        gate.awaitArrived(2);
        wire.cut();
        start(shortLived(secondNode())
                .queue(QUEUE, 2)
                .handle(one, effects.count((payload, context) -> {}))
                .handle(five, effects.count((payload, context) -> {})));
        awaitAll(ids, JobState.SUCCEEDED);
        gate.open();
        assertThat(ids).allSatisfy(id -> {
            assertThat(job(id).counts().failures()).isZero();
            assertThat(job(id).counts().crashes()).isEqualTo(1);
            assertThat(effects.of(id))
                    .singleElement()
                    .extracting(Effects.Run::attempt)
                    .isEqualTo(1);
        });
        assertThat(events(Event.CRASHED)).isEqualTo(2);
        assertThat(events(Event.FAILED)).isZero();
    }

    @Test
    void case39_budgetsThatAreLoweredMeanwhileHoldUpNobody() {
        // The budget travels with the job: what a newer definition says holds for newer jobs.
        var many = type(b -> b.maxAttempts(5));
        var gate = hold();
        var first = start(define().queue(QUEUE, 4).handle(many, (payload, context) -> {
            if (context.attempt() < 4) {
                throw new IllegalStateException("boom");
            }
            throw context.snooze(Duration.ofMinutes(1));
        }));
        var old = enqueueMany(many, 10);
        eventually(() -> assertThat(old).allSatisfy(id -> {
            assertThat(job(id).counts().failures()).isEqualTo(3);
            assertThat(job(id).state()).isEqualTo(JobState.SCHEDULED);
        }));
        first.close();
        var few = type(b -> b.maxAttempts(2));
        start(define().queue(QUEUE, 4).handle(few, effects.count((payload, context) -> {
            if (!payload.equals("good")) {
                throw new IllegalStateException("boom");
            }
        })));
        var good = new ArrayList<JobId>();
        for (var i = 0; i < 20; i++) {
            good.add(enqueue(few.with("good")));
        }
        awaitAll(good, JobState.SUCCEEDED);
        advance(Duration.ofMinutes(2));
        awaitAll(old, JobState.DEAD);
        assertThat(old).allSatisfy(id -> assertThat(job(id).counts().failures()).isEqualTo(5));
        // A replay begins anew.
        old.forEach(id -> applied(admin.replay(QUEUE, id, null, By.of("ann"))));
        eventually(() -> assertThat(old).allSatisfy(id -> {
            assertThat(job(id).state()).isEqualTo(JobState.DEAD);
            assertThat(job(id).counts().failures()).isEqualTo(5);
            assertThat(job(id).counts().replays()).isEqualTo(1);
        }));
        gate.open();
    }

    @Test
    void case60_replayedJobsGoBackToTheirOwnQueues() {
        var queues = List.of("one", "two", "three");
        var builder = define();
        for (var queue : queues) {
            builder.queue(queue, 4);
        }
        start(builder.handle(WORK, effects.count((payload, context) -> {
            if (context.job().counts().replays() == 0) {
                throw context.bury("hopeless");
            }
        })));
        var ids = new ArrayList<JobId>();
        for (var queue : queues) {
            for (var i = 0; i < 30; i++) {
                ids.add(enqueue(WORK.with(queue).queue(queue).header("trace", "t" + i)));
            }
        }
        awaitAll(ids, JobState.DEAD);
        var gone = JobId.next();
        assertThat(belay.deadLetters().replay(gone, By.of("ann")).isApplied()).isFalse();
        ids.forEach(id -> applied(belay.deadLetters().replay(id, By.of("ann"))));
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(ids).allSatisfy(id -> {
            assertThat(effects.of(id))
                    .hasSize(2)
                    .allSatisfy(run -> assertThat(run.queue()).isEqualTo(run.payload()));
            assertThat(job(id).options().headers()).containsKey("trace");
        });
    }

    @Test
    void case61_aBuryThatCantBeWrittenIsTriedAgain() {
        expectLog("could not be told");
        var worker = serve(2, (payload, context) -> {
            if (payload.equals("bad")) {
                throw context.bury("hopeless");
            }
        });
        wire.cut("settle");
        var id = enqueue("bad");
        eventually(() -> assertThat(wire.calls("settle")).isGreaterThan(2));
        assertThat(job(id).state()).as("where it was").isEqualTo(JobState.RUNNING);
        assertThat(worker.health().settling()).isEqualTo(1);
        eventually(() -> assertThat(worker.health().problems()).anyMatch(p -> p.contains("does not answer")));
        assertThat(bench.logs().warnings()).as("visible").anyMatch(w -> w.contains("could not be told"));
        assertThat(states(List.of(id))).isEqualTo(Map.of(JobState.RUNNING, 1));
        wire.heal();
        awaitState(id, JobState.DEAD);
        assertThat(effects.of(id)).hasSize(1);
        assertThat(events(Event.DEAD)).isEqualTo(1);
        eventually(() -> assertThat(told.of(id, JobEvent.Died.class)).hasSize(1));
    }

    @Test
    void case61_aBuryWhoseReplyIsLostIsOneDeath() {
        wire.loseFirst("settle", Wire.Loss.REPLY);
        serve(2, (payload, context) -> {
            throw context.bury("hopeless");
        });
        var ids = enqueueMany(30);
        awaitAll(ids, JobState.DEAD);
        assertThat(events(Event.DEAD)).isEqualTo(30);
        eventually(() -> assertThat(told.all(JobEvent.Died.class)).hasSize(30));
        assertThat(effects.starts()).isEqualTo(30);
    }

    @Test
    void case62_deadLettersAreDroppedOnlyByALimitThatIsSetAndEachDropIsCounted() {
        expectLog("dead letters by the limits");
        serve(8, (payload, context) -> {
            throw context.bury("hopeless");
        });
        var ids = enqueueMany(150);
        awaitAll(ids, JobState.DEAD);
        advance(Duration.ofDays(400));
        prune();
        assertThat(states(ids)).as("kept for ever by default").isEqualTo(Map.of(JobState.DEAD, 150));

        admin.configure(QUEUE, QueueSettings.DEFAULT.withDead(null, 100, null), By.of("ann"));
        eventually(() -> {
            prune();
            assertThat(list(dev.belay.broker.JobQuery.DEAD)).hasSize(100);
        });
        assertThat(events(Event.DEAD_DROPPED)).isEqualTo(50);
        assertThat(admin.audit(null, null, 1_000).entries())
                .filteredOn(entry -> entry.job() != null && ids.contains(entry.job()))
                .hasSize(50);
    }

    @Test
    void aReplayStartsTheBudgetAnewAndKeepsTheHistory() {
        var type = type(b -> b.maxAttempts(2));
        start(define().queue(QUEUE, 1).handle(type, effects.count((payload, context) -> {
            if (context.job().counts().replays() == 0) {
                throw new IllegalStateException("boom");
            }
        })));
        var id = enqueue(type.with("p"));
        awaitState(id, JobState.DEAD);
        applied(belay.deadLetters().replay(id, By.of("ann", "fixed")));
        awaitState(id, JobState.SUCCEEDED);
        assertThat(effects.of(id)).extracting(Effects.Run::attempt).containsExactly(1, 2, 1);
        assertThat(admin.find(QUEUE, id).orElseThrow().history())
                .extracting(HistoryEntry::kind)
                .contains(HistoryEntry.Kind.FAILED, HistoryEntry.Kind.REPLAYED);
    }
}
