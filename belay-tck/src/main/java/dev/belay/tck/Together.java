package dev.belay.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Runs calls at the same time: all threads wait for one another before they begin. */
public final class Together {

    private static final long PATIENCE_SECONDS = 120;

    private Together() {}

    /**
     * Runs {@code threads} tasks, each in a thread of its own.
     *
     * @param task makes the task of each thread, by its number from 0
     * @return their results, in order of their numbers
     */
    public static <T> List<T> run(int threads, IntFunction<Callable<T>> task) {
        var start = new CyclicBarrier(threads);
        var pool = Executors.newFixedThreadPool(threads);
        try {
            var futures = new ArrayList<Future<T>>();
            for (var i = 0; i < threads; i++) {
                var mine = task.apply(i);
                futures.add(pool.submit(() -> {
                    start.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                    return mine.call();
                }));
            }
            var results = new ArrayList<T>();
            for (var future : futures) {
                results.add(future.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
            }
            return results;
        } catch (ExecutionException e) {
            throw new AssertionError("one of " + threads + " threads failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while " + threads + " threads worked", e);
        } catch (TimeoutException e) {
            throw new AssertionError(threads + " threads did not end within " + PATIENCE_SECONDS + " s", e);
        } finally {
            pool.shutdownNow();
        }
    }
}
