package dev.belay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.Belay;
import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import dev.belay.broker.JobQuery;
import dev.belay.job.By;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.memory.MemoryBroker;
import dev.belay.operation.MassOperation;
import dev.belay.operation.MassOperation.Kind;
import dev.belay.operation.MassOperation.State;
import dev.belay.operation.MassOperations;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mass operation takes only what was final when it began, each once; it is durable, and can be watched and stopped. */
class MassOperationsTest {

    private static final JobType<String> MAIL = JobType.of("mail", String.class);
    private static final By ANN = By.of("ann", "the server is back");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final InstantSource clock = now::get;
    private final MemoryBroker broker = MemoryBroker.builder().clock(clock).build();
    private final Belay belay = Belay.on(broker);

    @Test
    void case64_eachIsReplayedOnceWhoeverStepsAndPressesTwice() throws Exception {
        var ids = cancelled(600);
        tick(1);
        var query = JobQuery.ALL.inState(JobState.CANCELLED);
        var first = new MassOperations(broker).start(Kind.REPLAY, query, null, ANN);
        var second = new MassOperations(broker).start(Kind.REPLAY, query, null, ANN);
        tick(1);

        var gate = new CountDownLatch(1);
        var threads = IntStream.range(0, 4)
                .mapToObj(i -> new Thread(() -> {
                    var operations = new MassOperations(broker.node());
                    await(gate);
                    while (operations.list().stream().anyMatch(o -> o.state() == State.RUNNING)) {
                        operations.step();
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        gate.countDown();
        for (var thread : threads) {
            thread.join();
        }

        var a = new MassOperations(broker).find(first.id()).orElseThrow();
        var b = new MassOperations(broker).find(second.id()).orElseThrow();
        assertThat(a.expected()).isEqualTo(600);
        assertThat(a.state()).isEqualTo(State.DONE);
        assertThat(b.state()).isEqualTo(State.DONE);
        assertThat(a.done() + b.done()).isEqualTo(600);
        assertEachReplayedOnce(ids);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void case64_aCrashAnywhereDoesNoneTwiceAndSkipsNone(int seed) {
        var ids = cancelled(500);
        tick(1);
        var operation =
                new MassOperations(broker).start(Kind.REPLAY, JobQuery.ALL.inState(JobState.CANCELLED), null, ANN);
        tick(1);
        var random = new Random(seed);
        var crashes = 0;

        while (running(operation)) {
            var faulty = new Faulty(broker.node());
            var calls = new AtomicInteger();
            var crashAt = random.nextInt(150);
            var late = random.nextBoolean();
            Runnable crash = () -> {
                throw new BrokerException.Unknown("killed", null);
            };
            if (late) {
                faulty.after(method -> runAt(calls, crashAt, crash));
            } else {
                faulty.before(method -> runAt(calls, crashAt, crash));
            }
            try {
                var dying = new MassOperations(faulty.broker());
                while (running(operation)) {
                    dying.step();
                }
            } catch (BrokerException.Unknown e) {
                crashes++;
                // Nobody gives the turn back: it is taken over once its lease is over.
                tick(10_001);
            }
        }

        assertThat(crashes).isGreaterThan(3);
        var end = new MassOperations(broker).find(operation.id()).orElseThrow();
        assertThat(end.done()).isEqualTo(500);
        assertThat(end.skipped()).isZero();
        assertEachReplayedOnce(ids);
    }

    @Test
    void case64_theRateIsHeldHoweverManyStep() {
        cancelled(100);
        tick(1);
        var operation =
                new MassOperations(broker).start(Kind.REPLAY, JobQuery.ALL.inState(JobState.CANCELLED), 20, ANN);
        var started = now.get();
        var one = new MassOperations(broker);
        var other = new MassOperations(broker.node());

        while (running(operation)) {
            var wait = one.step();
            other.step();
            var done = one.find(operation.id()).orElseThrow().done();
            var elapsed = Duration.between(started, now.get()).toMillis();
            assertThat(done).isLessThanOrEqualTo(2 + elapsed * 20 / 1_000);
            tick(Math.max(1, wait.toMillis()));
        }

        assertThat(Duration.between(started, now.get())).isBetween(Duration.ofMillis(4_800), Duration.ofSeconds(6));
    }

    @Test
    void onlyWhatWasFinalWhenItBeganIsTaken() {
        var ids = cancelled(10);
        tick(1);
        var operations = new MassOperations(broker);
        var operation = operations.start(Kind.REPLAY, JobQuery.ALL.inState(JobState.CANCELLED), 10, ANN);
        tick(1);
        var later = cancelled(5);

        var steps = 0;
        while (running(operation)) {
            operations.step();
            // What was replayed dies again at once: it was not final when the operation began.
            ids.forEach(id -> broker.admin().cancel(null, id, ANN));
            tick(100);
            assertThat(++steps).isLessThan(1_000);
        }

        assertThat(operations.find(operation.id()).orElseThrow().done()).isEqualTo(10);
        assertEachReplayedOnce(ids);
        later.forEach(id -> assertThat(state(id)).isEqualTo(JobState.CANCELLED));
    }

    @Test
    void aBrokerClockThatWentBackTakesNothing() {
        cancelled(1);
        var operations = new MassOperations(broker);
        var operation = operations.start(Kind.REPLAY, JobQuery.ALL.inState(JobState.CANCELLED), null, ANN);
        tick(-3_600_000);

        assertThat(operations.step()).isPositive();
        assertThat(operations.find(operation.id()).orElseThrow().done()).isZero();
    }

    @Test
    void aStoppedOneStopsAndSaysWhatItDid() {
        cancelled(50);
        tick(1);
        var operations = new MassOperations(broker);
        var operation = operations.start(Kind.REPLAY, JobQuery.ALL.inState(JobState.CANCELLED), 10, ANN);
        tick(1);
        operations.step();

        var stopped = operations.stop(operation.id(), By.of("bob", "too early")).orElseThrow();
        for (var i = 0; i < 20; i++) {
            operations.step();
            tick(1_000);
        }

        assertThat(stopped.state()).isEqualTo(State.STOPPED);
        var end = operations.find(operation.id()).orElseThrow();
        assertThat(end.state()).isEqualTo(State.STOPPED);
        assertThat(end.done()).isEqualTo(1);
        assertThat(count(JobState.CANCELLED)).isEqualTo(49);
        assertThat(operations.stop(operation.id(), ANN)).contains(end);
        assertThat(broker.admin().audit(null, null, 1_000).entries())
                .filteredOn(entry -> entry.action().startsWith("operation-"))
                .extracting(entry -> entry.action() + " " + entry.by().who())
                .containsExactly("operation-stop bob", "operation-start ann");
    }

    @Test
    void oneStoppedWhileItsWorkerDiedIsStillCounted() {
        cancelled(10);
        tick(1);
        var operation =
                new MassOperations(broker).start(Kind.DISCARD, JobQuery.ALL.inState(JobState.CANCELLED), null, ANN);
        tick(1);
        var faulty = new Faulty(broker.node());
        var discards = new AtomicInteger();
        faulty.after(method -> {
            if (method.equals("discard") && discards.incrementAndGet() == 4) {
                throw new BrokerException.Unknown("killed", null);
            }
        });
        assertThatThrownBy(() -> new MassOperations(faulty.broker()).step()).isInstanceOf(BrokerException.class);

        var operations = new MassOperations(broker);
        operations.stop(operation.id(), ANN);
        tick(10_001);
        operations.step();
        operations.step();

        var end = operations.find(operation.id()).orElseThrow();
        assertThat(end.state()).isEqualTo(State.STOPPED);
        assertThat(end.done()).isEqualTo(4);
        assertThat(count(JobState.CANCELLED)).isEqualTo(6);
    }

    @Test
    void oneThatIsStoppedWhileATurnRunsKeepsTheTurnsCount() {
        cancelled(10);
        tick(1);
        var operation =
                new MassOperations(broker).start(Kind.DISCARD, JobQuery.ALL.inState(JobState.CANCELLED), null, ANN);
        tick(1);
        var faulty = new Faulty(broker.node());
        faulty.before(method -> {
            if (method.equals("discard")) {
                new MassOperations(broker).stop(operation.id(), ANN);
            }
        });

        var operations = new MassOperations(faulty.broker());
        operations.step();
        operations.step();

        var end = operations.find(operation.id()).orElseThrow();
        assertThat(end.state()).isEqualTo(State.STOPPED);
        assertThat(end.done()).isEqualTo(10);
    }

    @Test
    void aReplayWhoseKeyIsTakenIsRefusedAndCounted() {
        var key = MAIL.with("a").key("k");
        var holder = belay.enqueue(key).id();
        broker.admin().cancel(null, holder, ANN);
        belay.enqueue(MAIL.with("b").key("k"));
        tick(1);
        var operations = new MassOperations(broker);
        var operation = operations.start(Kind.REPLAY, JobQuery.ALL.inState(JobState.CANCELLED), null, ANN);
        tick(1);

        run(operations, operation);

        assertThat(operations.find(operation.id()).orElseThrow())
                .extracting(MassOperation::done, MassOperation::refused, MassOperation::skipped)
                .containsExactly(0L, 1L, 0L);
    }

    @Test
    void whatOthersDidMeanwhileIsSkipped() {
        var ids = cancelled(3);
        tick(1);
        var faulty = new Faulty(broker.node());
        var first = new AtomicInteger();
        faulty.before(method -> {
            if (method.equals("replay") && first.incrementAndGet() == 1) {
                broker.admin().replay(null, ids.get(0), null, By.of("bob"));
            }
        });
        var operations = new MassOperations(faulty.broker());
        var operation = operations.start(Kind.REPLAY, JobQuery.ALL.inState(JobState.CANCELLED), null, ANN);
        tick(1);

        run(operations, operation);

        assertThat(operations.find(operation.id()).orElseThrow())
                .extracting(MassOperation::done, MassOperation::skipped)
                .containsExactly(2L, 1L);
    }

    @Test
    void severalShare() {
        cancelled(300);
        tick(1);
        var operations = new MassOperations(broker);
        var fast = operations.start(Kind.REPLAY, JobQuery.ALL.inState(JobState.CANCELLED), null, ANN);
        var slow = operations.start(Kind.REPLAY, JobQuery.ALL.inState(JobState.CANCELLED), 10, ANN);
        tick(1);
        operations.step();
        tick(1);
        operations.step();

        assertThat(operations.find(fast.id()).orElseThrow().done()).isEqualTo(100);
        assertThat(operations.find(slow.id()).orElseThrow().done()).isEqualTo(1);
        assertThat(operations.list()).hasSize(2);
    }

    @Test
    void oneThatEndedIsRememberedForAWeek() {
        cancelled(1);
        tick(1);
        var operations = new MassOperations(broker);
        var operation = operations.start(Kind.REPLAY, JobQuery.ALL.inState(JobState.CANCELLED), null, ANN);
        tick(1);
        run(operations, operation);
        operations.step();

        assertThat(operations.find(operation.id()).orElseThrow().state()).isEqualTo(State.DONE);
        assertThat(operations.step()).isEqualTo(Duration.ofSeconds(1));
        tick(Duration.ofDays(6).toMillis());
        assertThat(operations.list()).hasSize(1);
        tick(Duration.ofDays(2).toMillis());
        assertThat(operations.list()).isEmpty();
    }

    @Test
    void cellsThatCannotBeReadAreLeftAloneAndStopNothing() {
        cancelled(1);
        tick(1);
        var junk = "operation/active/" + new UUID(0, 0);
        broker.cells().compareAndSet(junk, 0, "junk".getBytes(StandardCharsets.UTF_8), null);
        var operations = new MassOperations(broker);
        var operation = operations.start(Kind.REPLAY, JobQuery.ALL.inState(JobState.CANCELLED), null, ANN);
        tick(1);

        run(operations, operation);

        assertThat(operations.find(operation.id()).orElseThrow().done()).isEqualTo(1);
        assertThat(broker.cells().get(junk)).isPresent();
    }

    @Test
    void whatCannotBeDoneIsRefusedAtTheStart() {
        var operations = new MassOperations(broker);
        assertThatThrownBy(() -> operations.start(Kind.REPLAY, JobQuery.ALL.inState(JobState.SUCCEEDED), null, ANN))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("SUCCEEDED");
        assertThatThrownBy(() -> operations.start(Kind.DISCARD, JobQuery.ALL.inState(JobState.READY), null, ANN))
                .isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> operations.start(Kind.REPLAY, JobQuery.DEAD, 0, ANN))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("rate");
        assertThat(operations.list()).isEmpty();
    }

    private List<JobId> cancelled(int count) {
        var ids = new ArrayList<JobId>();
        for (var answer : belay.enqueueAll(
                IntStream.range(0, count).mapToObj(i -> MAIL.with("m" + i)).toList())) {
            ids.add(answer.id());
            broker.admin().cancel(null, answer.id(), ANN);
        }
        return ids;
    }

    private void run(MassOperations operations, MassOperation operation) {
        while (running(operation)) {
            operations.step();
        }
    }

    private boolean running(MassOperation operation) {
        return new MassOperations(broker).find(operation.id()).orElseThrow().state() == State.RUNNING;
    }

    private void assertEachReplayedOnce(List<JobId> ids) {
        for (var id : ids) {
            assertThat(broker.admin()
                            .find(null, id)
                            .orElseThrow()
                            .job()
                            .counts()
                            .replays())
                    .isEqualTo(1);
        }
    }

    private long count(JobState state) {
        return broker.admin().count(JobQuery.ALL.inState(state), Long.MAX_VALUE);
    }

    private JobState state(JobId id) {
        return ((Broker) broker).admin().find(null, id).orElseThrow().job().state();
    }

    private void tick(long millis) {
        now.updateAndGet(instant -> instant.plusMillis(millis));
    }

    private static void runAt(AtomicInteger calls, int at, Runnable crash) {
        if (calls.incrementAndGet() == at) {
            crash.run();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
