package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.event.JobEvent;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** In which order jobs run, what is prefetched, and what expires. */
public class OrderTest extends EngineSuite {

    private static final JobType<String> OTHER =
            JobType.define("other", String.class).queue(OTHER_QUEUE).build();

    private List<String> payloads() {
        return effects.runs().stream().map(Effects.Run::payload).toList();
    }

    @Test
    void G11_jobsRunByPriorityThenAgeAndOneOfTenIsTheOldest() {
        admin.pause(QUEUE, By.of("ann"));
        for (var i = 0; i < 10; i++) {
            enqueue(WORK.with("last " + i).priority(4));
        }
        for (var i = 0; i < 30; i++) {
            enqueue(WORK.with("first " + i).priority(0));
        }
        serve(1, (payload, context) -> {});
        admin.resume(QUEUE, By.of("ann"));
        effects.awaitStarts(40);
        var order = payloads();
        // Tokens 10, 20 and 30 go to what has waited longest; all else by priority, then by age.
        assertThat(order.get(0)).isEqualTo("first 0");
        assertThat(order.get(9)).isEqualTo("last 0");
        assertThat(order.get(19)).isEqualTo("last 1");
        assertThat(order.get(29)).isEqualTo("last 2");
        assertThat(order.stream().filter(p -> p.startsWith("first")).toList())
                .containsExactlyElementsOf(java.util.stream.IntStream.range(0, 30)
                        .mapToObj(i -> "first " + i)
                        .toList());
        assertThat(order.subList(0, 33)).filteredOn(p -> p.startsWith("first")).hasSize(30);
    }

    @Test
    void queuesAreServedByTheirWeights() {
        // Handlers run in the lease loop's own thread: both queues always have room when it asks.
        start(define().queue(QUEUE, 1, 3)
                .queue(OTHER_QUEUE, 1, 1)
                .executor(Runnable::run)
                .handle(WORK, effects.count((payload, context) -> LockSupport.parkNanos(1_000_000)))
                .handle(OTHER, effects.count((payload, context) -> LockSupport.parkNanos(1_000_000))));
        // Both have shown how short their runs are, so that both prefetch alike.
        awaitAll(enqueueMany(20), JobState.SUCCEEDED);
        awaitAll(enqueueMany(OTHER, 20), JobState.SUCCEEDED);
        admin.pause(QUEUE, By.of("ann"));
        admin.pause(OTHER_QUEUE, By.of("ann"));
        enqueueMany(2_000);
        enqueueMany(OTHER, 2_000);
        admin.resume(QUEUE, By.of("ann"));
        admin.resume(OTHER_QUEUE, By.of("ann"));
        effects.awaitStarts(1_240);
        var first = effects.runs().subList(40, 1_240);
        var heavy = first.stream().filter(run -> run.queue().equals(QUEUE)).count();
        assertThat(heavy).as("three of four, more or less").isBetween(700L, 1_100L);
    }

    @Test
    void G11_aBusyQueueDoesNotStarveAnother() {
        // The busy queue never runs dry: each of its runs brings another job until the other queue is done.
        var otherIsDone = new AtomicBoolean();
        start(define().queue(QUEUE, 2, 1_000)
                .queue(OTHER_QUEUE, 2, 1)
                .handle(WORK, effects.count((payload, context) -> {
                    if (!otherIsDone.get()) {
                        enqueue("more");
                    }
                }))
                .handle(OTHER, effects.count((payload, context) -> {})));
        enqueueMany(1_000);
        effects.awaitStarts(100);
        var other = enqueueMany(OTHER, 50);
        awaitAll(other, JobState.SUCCEEDED);
        assertThat(admin.count(JobQuery.ALL.inQueue(QUEUE).inState(JobState.READY), 10_000))
                .as("there was work for the busy queue all the time")
                .isPositive();
        otherIsDone.set(true);
    }

    @Test
    void aSlotIsRefilledAndNeverOverfilled() {
        serve(3, (payload, context) -> LockSupport.parkNanos(2_000_000));
        awaitAll(enqueueMany(200), JobState.SUCCEEDED);
        assertThat(effects.mostAtOnce()).isEqualTo(3);
    }

    @Test
    void whatWasPrefetchedAndNotStartedInASecondIsGivenBackAndRunElsewhere() {
        var gate = hold();
        serve(1, (payload, context) -> {
            if (payload.equals("long")) {
                gate.pass();
            }
        });
        // Short runs let the worker prefetch; then a long one stands before what it has prefetched.
        admin.pause(QUEUE, By.of("ann"));
        var ids = new ArrayList<JobId>(enqueueMany(50));
        ids.add(enqueue("long"));
        ids.addAll(enqueueMany(20));
        admin.resume(QUEUE, By.of("ann"));
        gate.awaitArrived(1);
        eventually(() -> assertThat(events(Event.RELEASED)).isPositive());
        var elsewhere = new Effects();
        start(define(secondNode()).queue(QUEUE, 4).handle(WORK, elsewhere.count((payload, context) -> {})));
        eventually(() -> assertThat(states(ids)).containsEntry(JobState.SUCCEEDED, 70));
        assertThat(elsewhere.starts()).isPositive();
        assertThat(events(Event.FAILED) + events(Event.CRASHED)).isZero();
        gate.open();
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(effects.starts() + elsewhere.starts()).isEqualTo(71);
    }

    @Test
    void longRunsAreNotPrefetched() {
        var gate = hold();
        var worker = serve(2, (payload, context) -> gate.pass());
        var ids = enqueueMany(10);
        gate.awaitArrived(2);
        steadily(
                Duration.ofMillis(300),
                () -> assertThat(worker.health().prefetched()).isZero());
        assertThat(states(ids)).isEqualTo(java.util.Map.of(JobState.RUNNING, 2, JobState.READY, 8));
        gate.open();
        awaitAll(ids, JobState.SUCCEEDED);
    }

    @Test
    void jobsWithOneCrashLeftAreNeverPrefetchedAndDoNotMakeAWorkerSpin() {
        var once = type(b -> b.maxCrashes(1));
        start(define().queue(QUEUE, 1).handle(once, effects.count((payload, context) -> {
            if (payload.startsWith("slow")) {
                LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            }
        })));
        // Short runs, so that it would like to prefetch.
        awaitAll(enqueueMany(once, 30), JobState.SUCCEEDED);
        var before = wire.calls("lease");
        var ids = new ArrayList<JobId>();
        for (var i = 0; i < 8; i++) {
            ids.add(enqueue(once.with("slow " + i)));
        }
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(wire.calls("lease") - before)
                .as("lease calls for 8 jobs of 100 ms")
                .isLessThan(150);
        assertThat(events(Event.RELEASED)).isZero();
    }

    @Test
    void whatHasExpiredIsNotStarted() {
        var gate = hold();
        serve(1, (payload, context) -> {
            if (payload.equals("long")) {
                gate.pass();
            }
        });
        enqueue("long");
        gate.awaitArrived(1);
        var expires = enqueue(WORK.with("expires").expiresAfter(Duration.ofSeconds(30)));
        var lasts = enqueue(WORK.with("lasts").expiresAfter(Duration.ofHours(30)));
        advance(Duration.ofMinutes(1));
        gate.open();
        awaitState(lasts, JobState.SUCCEEDED);
        awaitState(expires, JobState.DEAD);
        assertThat(job(expires).reason()).isEqualTo(DeadReason.EXPIRED.name());
        assertThat(effects.of(expires)).isEmpty();
        eventually(() -> assertThat(told.of(expires, JobEvent.Died.class)).hasSize(1));
    }

    @Test
    void aJobThatExpiresBetweenItsTriesIsBuried() {
        var gate = hold();
        serve(1, (payload, context) -> {
            gate.pass();
            throw new IllegalStateException("boom");
        });
        var id = enqueue(WORK.with("p").expiresAfter(Duration.ofSeconds(30)));
        gate.awaitArrived(1);
        advance(Duration.ofMinutes(1));
        gate.open();
        awaitState(id, JobState.DEAD);
        assertThat(job(id).reason()).isEqualTo(DeadReason.EXPIRED.name());
        assertThat(effects.of(id)).hasSize(1);
    }

    @Test
    void aDelayedJobStartsWhenItIsDueWithoutAPoll() {
        var due = new ArrayList<JobId>();
        for (var i = 0; i < 20; i++) {
            due.add(enqueue(WORK.with("p").delay(Duration.ofMillis(300 + 10L * i))));
        }
        var started = System.nanoTime();
        start(define().poll(Duration.ofSeconds(60))
                .queue(QUEUE, 2)
                .handle(WORK, effects.count((payload, context) -> {})));
        awaitAll(due, JobState.SUCCEEDED);
        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(25));
        effects.assertOnce(due);
        assertThat(due).allSatisfy(id -> {
            var times = job(id).times();
            assertThat(java.util.Objects.requireNonNull(times.finishedAt())).isGreaterThanOrEqualTo(times.runAt());
        });
    }

    @Test
    void case8_case9_aDelayedJobThatComesWhileAWorkerIdlesStartsByTheNextPoll() {
        start(define().poll(Duration.ofMillis(200))
                .queue(QUEUE, 2)
                .handle(WORK, effects.count((payload, context) -> {})));
        var due = new ArrayList<JobId>();
        for (var i = 0; i < 20; i++) {
            due.add(enqueue(WORK.with("p").delay(Duration.ofMillis(100 + 10L * i))));
        }
        awaitAll(due, JobState.SUCCEEDED);
        effects.assertOnce(due);
    }
}
