package dev.belay.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.belay.broker.BrokerException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BatcherTest {

    private final List<List<Integer>> batches = Collections.synchronizedList(new ArrayList<>());
    private final Semaphore permits = new Semaphore(0);
    private final CountDownLatch firstArrived = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        permits.release(1_000_000);
        threads.shutdownNow();
    }

    /** Answers each item with its tenfold, once the test lets it. */
    private List<Integer> send(List<Integer> items) {
        batches.add(List.copyOf(items));
        firstArrived.countDown();
        permits.acquireUninterruptibly();
        return tenfold(items);
    }

    private static List<Integer> tenfold(List<Integer> items) {
        return items.stream().map(i -> i * 10).toList();
    }

    private Batcher<Integer, Integer> batcher(int maxCount, long maxBytes, int maxPending) {
        return new Batcher<>(this::send, i -> i, maxCount, maxBytes, maxPending, threads);
    }

    private static Batcher<Integer, Integer> batcher(Function<List<Integer>, List<Integer>> send, Executor executor) {
        return new Batcher<>(send, i -> i, 100, 1_000_000, 1_000, executor);
    }

    @Test
    void oneCallerGetsOneTripOnItsOwnThread() throws Exception {
        permits.release(1);
        var senders = new ArrayList<Thread>();
        var batcher = batcher(
                items -> {
                    senders.add(Thread.currentThread());
                    return tenfold(items);
                },
                task -> {
                    throw new AssertionError("no other thread is needed");
                });

        assertThat(batcher.submit(List.of(1), true).get()).containsExactly(10);
        assertThat(senders).containsExactly(Thread.currentThread());
    }

    @Test
    void whatGathersWhileABatchIsOnItsWayGoesTogetherAndInOrder() throws Exception {
        var batcher = batcher(1_000, 1_000_000, 10_000);
        var first = batcher.submit(List.of(1), false);
        firstArrived.await();
        var more = IntStream.rangeClosed(2, 50)
                .mapToObj(i -> batcher.submit(List.of(i), false))
                .toList();
        permits.release(2);

        assertThat(first.get()).containsExactly(10);
        for (var i = 0; i < more.size(); i++) {
            assertThat(more.get(i).get()).containsExactly((i + 2) * 10);
        }
        assertThat(batches)
                .containsExactly(
                        List.of(1), IntStream.rangeClosed(2, 50).boxed().toList());
    }

    @Test
    void oneBatchAtATime() throws Exception {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var batcher = batcher(
                items -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    Thread.onSpinWait();
                    running.decrementAndGet();
                    return tenfold(items);
                },
                threads);
        var callers = IntStream.range(0, 16)
                .mapToObj(c -> threads.submit(() -> {
                    for (var i = 0; i < 300; i++) {
                        assertThat(batcher.submit(List.of(i), i % 2 == 0).get()).containsExactly(i * 10);
                    }
                    return null;
                }))
                .toList();
        for (var caller : callers) {
            caller.get();
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void batchesAreCappedByCountAndBytes() throws Exception {
        var batcher = batcher(3, 100, 10_000);
        var first = batcher.submit(List.of(1), false);
        firstArrived.await();
        var all = List.of(
                batcher.submit(List.of(1), false),
                batcher.submit(List.of(2), false),
                batcher.submit(List.of(3), false),
                batcher.submit(List.of(4), false),
                batcher.submit(List.of(90), false),
                batcher.submit(List.of(20), false),
                batcher.submit(List.of(500), false),
                batcher.submit(List.of(5), false));
        permits.release(100);

        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get();
        first.get();
        assertThat(batches)
                .containsExactly(List.of(1), List.of(1, 2, 3), List.of(4, 90), List.of(20), List.of(500), List.of(5));
    }

    @Test
    void whatIsHandedOverTogetherStaysTogetherWhereItFits() throws Exception {
        permits.release(100);
        var batcher = batcher(3, 1_000, 10_000);

        var answers = batcher.submit(List.of(1, 2, 3, 4, 5, 6, 7), true).get();

        assertThat(answers).containsExactly(10, 20, 30, 40, 50, 60, 70);
        assertThat(batches).containsExactly(List.of(1, 2, 3), List.of(4, 5, 6), List.of(7));
    }

    @Test
    void nothingIsAnsweredWithNothing() throws Exception {
        assertThat(batcher(3, 1_000, 10).submit(List.of(), true).get()).isEmpty();
        permits.release(1);
        assertThat(batcher(3, 1_000, 10).submit(List.of(1), true).get()).containsExactly(10);
    }

    @Test
    void tooManyAreRefusedAndLaterOnesAreTakenAgain() throws Exception {
        var batcher = batcher(1_000, 1_000_000, 5);
        var first = batcher.submit(List.of(1), false);
        firstArrived.await();
        var second = batcher.submit(List.of(2, 3, 4), false);
        var refused = batcher.submit(List.of(5, 6, 7), false);
        var third = batcher.submit(List.of(8, 9), false);

        assertThatThrownBy(refused::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(BrokerException.NotApplied.class)
                .hasMessageContaining("3 of at most 5");
        permits.release(3);
        first.get();
        assertThat(second.get()).containsExactly(20, 30, 40);
        assertThat(third.get()).containsExactly(80, 90);
        assertThat(batcher.submit(List.of(5, 6, 7), true).get()).hasSize(3);
    }

    @Test
    void oneBadItemDoesNotFailItsNeighbours() throws Exception {
        var gate = new CountDownLatch(1);
        var batcher = batcher(
                items -> {
                    batches.add(List.copyOf(items));
                    if (items.contains(1)) {
                        firstArrived.countDown();
                        awaitQuietly(gate);
                    }
                    if (items.contains(13)) {
                        throw new BrokerException.Rejected("13 is bad luck", null);
                    }
                    return tenfold(items);
                },
                threads);
        var first = batcher.submit(List.of(1), false);
        firstArrived.await();
        var more = IntStream.rangeClosed(10, 17)
                .mapToObj(i -> batcher.submit(List.of(i), false))
                .toList();
        gate.countDown();

        first.get();
        for (var i = 0; i < more.size(); i++) {
            if (i == 3) {
                assertThatThrownBy(more.get(i)::get).hasCauseInstanceOf(BrokerException.Rejected.class);
            } else {
                assertThat(more.get(i).get()).containsExactly((i + 10) * 10);
            }
        }
        assertThat(batches)
                .containsExactly(
                        List.of(1),
                        List.of(10, 11, 12, 13, 14, 15, 16, 17),
                        List.of(10, 11, 12, 13),
                        List.of(10, 11),
                        List.of(12, 13),
                        List.of(12),
                        List.of(13),
                        List.of(14, 15, 16, 17));
    }

    @Test
    void anyOtherErrorFailsTheWholeBatchAndTheNextOneGoes() throws Exception {
        var fail = new AtomicInteger(1);
        var batcher = batcher(
                items -> {
                    if (fail.getAndDecrement() > 0) {
                        throw new OutOfMemoryError("just now");
                    }
                    return tenfold(items);
                },
                threads);

        assertThatThrownBy(batcher.submit(List.of(1, 2), true)::get).hasCauseInstanceOf(OutOfMemoryError.class);
        assertThat(batcher.submit(List.of(3), true).get()).containsExactly(30);
    }

    @Test
    void aSenderThatAnswersTooFewIsFound() {
        var batcher = batcher(items -> List.of(), threads);

        assertThatThrownBy(batcher.submit(List.of(1), true)::get)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 items got 0 answers");
    }

    @Test
    void whatDependsOnAnAnswerMayHandOverAgainAndWait() throws Exception {
        var batcher = new Batcher[1];
        batcher[0] = batcher(BatcherTest::tenfold, threads);
        @SuppressWarnings("unchecked")
        var line = (Batcher<Integer, Integer>) batcher[0];

        for (var here : List.of(true, false)) {
            var nested = line.submit(List.of(1), here)
                    .thenApply(
                            answer -> line.submit(List.of(answer.get(0)), true).join());
            assertThat(nested.get()).containsExactly(100);
        }
        assertThat(line.submit(List.of(7), true).get()).containsExactly(70);
    }

    @Test
    void withoutAnotherThreadTheCallersThreadSends() throws Exception {
        for (var failure : List.of(
                new RejectedExecutionException("closed"), (Throwable) new OutOfMemoryError("no native thread"))) {
            var gate = new CountDownLatch(1);
            var arrived = new CountDownLatch(1);
            var batcher = batcher(
                    items -> {
                        if (items.contains(1)) {
                            arrived.countDown();
                            awaitQuietly(gate);
                        }
                        return tenfold(items);
                    },
                    task -> {
                        BatcherTest.<RuntimeException>sneak(failure);
                    });
            var first = threads.submit(() -> batcher.submit(List.of(1), true).get());
            arrived.await();
            var waiting = batcher.submit(List.of(2), false);
            gate.countDown();

            assertThat(first.get()).containsExactly(10);
            assertThat(waiting.get()).containsExactly(20);
            assertThat(batcher.submit(List.of(3), false).get()).containsExactly(30);
        }
    }

    @Test
    void thousandsShareFewTrips() throws Exception {
        var trips = new AtomicInteger();
        var hold = new CountDownLatch(1);
        var batcher = new Batcher<Integer, Integer>(
                items -> {
                    trips.incrementAndGet();
                    awaitQuietly(hold);
                    return tenfold(items);
                },
                i -> i,
                1_000,
                100_000_000,
                10_000,
                threads);
        var all = IntStream.range(0, 5_000)
                .mapToObj(i -> batcher.submit(List.of(i), false))
                .toList();
        hold.countDown();
        await().until(() -> all.stream().allMatch(CompletableFuture::isDone));

        // One, or a few, went first; the others gathered.
        assertThat(trips.get()).isLessThanOrEqualTo(7);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
