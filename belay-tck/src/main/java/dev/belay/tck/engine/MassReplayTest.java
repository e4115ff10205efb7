package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.JobQuery;
import dev.belay.handler.JobHandler;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.operation.MassOperation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Case 64, small: many dead letters are put back to work at a rate, whoever does it, each once. */
public class MassReplayTest extends EngineSuite {

    private static final int DEAD = 300;

    private final JobHandler<String> buriedOnce = effects.count((payload, context) -> {
        if (context.job().counts().replays() == 0) {
            throw context.bury("hopeless");
        }
    });

    private List<JobId> dead() {
        var worker = start(define().queue(QUEUE, 20).handle(WORK, buriedOnce));
        var ids = enqueueMany(DEAD);
        awaitAll(ids, JobState.DEAD);
        worker.close();
        return ids;
    }

    private void awaitDone(MassOperation operation) {
        eventually(() -> assertThat(belay.deadLetters()
                        .operation(operation.id())
                        .orElseThrow()
                        .state())
                .isEqualTo(MassOperation.State.DONE));
    }

    private void assertReplayedOnce(List<JobId> ids) {
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(ids).allSatisfy(id -> {
            assertThat(job(id).counts().replays()).isEqualTo(1);
            assertThat(effects.of(id)).hasSize(2);
        });
    }

    @Test
    void case64_allAreReplayedOnceHoweverOftenItIsAskedFor() {
        var ids = dead();
        // The button twice, and another instance at once.
        var first = belay.deadLetters().replayAll(JobQuery.DEAD.inQueue(QUEUE), null, ANN);
        var second = belay.deadLetters().replayAll(JobQuery.DEAD.inQueue(QUEUE), null, ANN);
        var third = client(secondNode()).deadLetters().replayAll(JobQuery.DEAD, null, ANN);
        assertThat(first.expected()).isEqualTo(DEAD);
        start(define().queue(QUEUE, 8).handle(WORK, buriedOnce));
        start(define(secondNode()).queue(QUEUE, 8).handle(WORK, buriedOnce));
        List.of(first, second, third).forEach(this::awaitDone);
        assertReplayedOnce(ids);
        var done = List.of(first, second, third).stream()
                .mapToLong(operation -> belay.deadLetters()
                        .operation(operation.id())
                        .orElseThrow()
                        .done())
                .sum();
        assertThat(done).isEqualTo(DEAD);
    }

    @Test
    void case64_theRateIsHeldAndAnotherWorkerGoesOnWhereOneStopped() {
        var ids = dead();
        var began = System.nanoTime();
        var operation = belay.deadLetters().replayAll(JobQuery.DEAD, 100, ANN);
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .as("answers at once")
                .isLessThan(Duration.ofSeconds(2));
        var first = start(define().queue(QUEUE, 8).handle(WORK, buriedOnce));
        eventually(() -> assertThat(states(ids)).containsKey(JobState.SUCCEEDED));
        // Cut off in the middle, not even stopped.
        wire.cut();
        expectFaults();
        expectLog("could not be ended");
        expectLog("has not answered");
        expectLog("was lost before its outcome");
        start(define(secondNode()).queue(QUEUE, 8).handle(WORK, buriedOnce));
        awaitDone(operation);
        var took = Duration.ofNanos(System.nanoTime() - began);
        assertThat(took).as("300 at 100 a second").isGreaterThan(Duration.ofMillis(2_000));
        wire.heal();
        first.close();
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(ids).allSatisfy(id -> assertThat(job(id).counts().replays()).isEqualTo(1));
        assertThat(belay.deadLetters().operation(operation.id()).orElseThrow())
                .satisfies(over -> assertThat(over.done() + over.skipped()).isEqualTo(DEAD));
    }

    @Test
    void case64_anOperationCanBeCalledOff() {
        var ids = dead();
        var operation = belay.deadLetters().replayAll(JobQuery.DEAD, 20, ANN);
        start(define().queue(QUEUE, 8).handle(WORK, buriedOnce));
        eventually(() -> assertThat(states(ids)).containsKey(JobState.SUCCEEDED));
        belay.deadLetters().stop(operation.id(), ANN);
        var replayed = states(ids);
        steadily(
                Duration.ofSeconds(1),
                () -> assertThat(states(ids).getOrDefault(JobState.DEAD, 0)).isGreaterThan(DEAD - 200));
        assertThat(replayed).containsKey(JobState.DEAD);
        assertThat(belay.deadLetters().operation(operation.id()).orElseThrow().state())
                .isEqualTo(MassOperation.State.STOPPED);
    }

    @Test
    void case64_whatDiesAfterTheStartIsLeftAlone() {
        var always = effects.count((String payload, dev.belay.handler.JobContext context) -> {
            throw context.bury("hopeless for ever");
        });
        var worker = start(define().queue(QUEUE, 20).handle(WORK, always));
        var ids = enqueueMany(50);
        awaitAll(ids, JobState.DEAD);
        worker.close();
        advance(Duration.ofMillis(10));
        var operation = belay.deadLetters().replayAll(JobQuery.DEAD, null, ANN);
        advance(Duration.ofMillis(10));
        start(define().queue(QUEUE, 8).handle(WORK, always));
        awaitDone(operation);
        awaitAll(ids, JobState.DEAD);
        assertThat(ids).allSatisfy(id -> assertThat(job(id).counts().replays()).isEqualTo(1));
    }
}
