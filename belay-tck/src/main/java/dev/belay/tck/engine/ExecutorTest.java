package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Case 42: executors of the user's own that refuse, break, are shut down, or run in the caller's thread. */
public class ExecutorTest extends EngineSuite {

    private static final int JOBS = 300;

    private final ExecutorService pool = Executors.newCachedThreadPool();

    @AfterEach
    void endPool() throws InterruptedException {
        pool.shutdown();
        assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    private dev.belay.Worker serveOn(Executor executor, int slots) {
        expectLog("could not be handed to a handler's thread");
        return start(
                define().executor(executor).queue(QUEUE, slots).handle(WORK, effects.count((payload, context) -> {})));
    }

    private void assertAllRunOnceAtNoCost(List<JobId> ids) {
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(ids).allSatisfy(id -> {
            Job job = job(id);
            assertThat(job.counts().failures()).isZero();
            assertThat(job.counts().crashes()).isZero();
        });
        assertThat(events(Event.LEASED)).isEqualTo(events(Event.SUCCEEDED) + events(Event.RELEASED));
    }

    @Test
    void case42_anExecutorThatRefusesOneOfThree() {
        var handed = new AtomicInteger();
        var worker = serveOn(
                task -> {
                    if (handed.incrementAndGet() % 3 == 0) {
                        throw new RejectedExecutionException("queue full");
                    }
                    pool.execute(task);
                },
                10);
        var ids = enqueueMany(JOBS);
        eventually(() -> assertThat(events(Event.RELEASED)).isPositive());
        assertThat(worker.health().problems()).anyMatch(problem -> problem.contains("get no thread"));
        assertAllRunOnceAtNoCost(ids);
    }

    @Test
    void case42_anExecutorThatHasNoThreadsLeft() {
        var broken = new AtomicBoolean(true);
        var worker = serveOn(
                task -> {
                    if (broken.get()) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    pool.execute(task);
                },
                4);
        var ids = enqueueMany(20);
        eventually(() ->
                assertThat(worker.health().problems()).anyMatch(p -> p.contains("unable to create native thread")));
        assertThat(worker.health().running()).isZero();
        assertThat(states(ids)).doesNotContainKey(JobState.DEAD);
        broken.set(false);
        assertAllRunOnceAtNoCost(ids);
    }

    @Test
    void case42_aBoundedPoolThatIsSmallerThanTheSlots() {
        var small = new ThreadPoolExecutor(0, 2, 1, TimeUnit.SECONDS, new SynchronousQueue<>());
        try {
            serveOn(small, 10);
            assertAllRunOnceAtNoCost(enqueueMany(100));
            assertThat(effects.mostAtOnce()).isLessThanOrEqualTo(2);
        } finally {
            small.shutdown();
        }
    }

    @Test
    void case42_anExecutorThatIsShutDownHoldsNoJob() {
        var shut = Executors.newCachedThreadPool();
        var worker = serveOn(shut, 4);
        awaitAll(enqueueMany(10), JobState.SUCCEEDED);
        shut.shutdown();
        var ids = enqueueMany(20);
        eventually(() -> assertThat(worker.health().problems()).anyMatch(p -> p.contains("get no thread")));
        eventually(() -> assertThat(states(ids)).isEqualTo(java.util.Map.of(JobState.READY, 20)));
        // It does not spin: refused ones are given some time.
        var before = events(Event.LEASED);
        steadily(
                Duration.ofMillis(500),
                () -> assertThat(events(Event.LEASED) - before).isLessThan(40));
        // Another worker runs them.
        start(define(secondNode()).queue(QUEUE, 4).handle(WORK, effects.count((payload, context) -> {})));
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(ids).allSatisfy(id -> assertThat(job(id).counts().failures()).isZero());
    }

    @Test
    void case42_anExecutorThatRunsInTheCallersThreadDoesNotStopHeartbeats() {
        quickReaping();
        var gate = hold();
        start(shortLived(wire.around(broker))
                .executor(Runnable::run)
                .queue(QUEUE, 2)
                .handle(WORK, effects.count((payload, context) -> {
                    if (payload.equals("long")) {
                        gate.pass();
                    }
                })));
        var id = enqueue("long");
        gate.awaitArrived(1);
        var beats = wire.calls("heartbeat");
        // Two leases long.
        steadily(
                Duration.ofSeconds(2),
                () -> assertThat(job(id).counts().crashes()).isZero());
        assertThat(wire.calls("heartbeat")).isGreaterThan(beats + 5);
        gate.open();
        awaitState(id, JobState.SUCCEEDED);
        var ids = enqueueMany(50);
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
    }
}
