package dev.belay.failure;

import dev.belay.time.MonotonicClock;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks code that may block, on a thread of its own, and waits a limited time. A thread that does not come back is left
 * alone (it is a daemon); when too many are, nothing is asked any more until some of them have come back.
 */
final class Patience {

    static final int MAX_BLOCKED = 16;

    private final long limitNanos;
    private final AtomicInteger blocked = new AtomicInteger();
    private final AtomicInteger count = new AtomicInteger();
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread);

    Patience(Duration limit) {
        limitNanos = limit.toNanos();
    }

    /** How many threads did not come back so far. */
    int blocked() {
        return blocked.get();
    }

    /** What it answers; null where it did not in time, or threw. */
    <T> @Nullable T ask(Supplier<T> question) {
        if (blocked.get() >= MAX_BLOCKED) {
            return null;
        }
        var asked = new Asked<>(question);
        try {
            threads.execute(asked);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // No thread can be had: what is known without asking has to do.
            return null;
        }
        return asked.await();
    }

    private Thread thread(Runnable task) {
        var thread = new Thread(task, "belay-describe-" + count.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    private final class Asked<T> extends FutureTask<T> {
        /** 0 at first, 1 once given up, 2 once returned: whichever comes second undoes or skips the count. */
        private final AtomicInteger end = new AtomicInteger();

        Asked(Supplier<T> question) {
            super(question::get);
        }

        @Override
        public void run() {
            super.run();
            if (!end.compareAndSet(0, 2)) {
                blocked.decrementAndGet();
            }
        }

        @Nullable
        T await() {
            var deadline = MonotonicClock.SYSTEM.nanos() + limitNanos;
            var interrupted = false;
            try {
                while (true) {
                    try {
                        return get(deadline - MonotonicClock.SYSTEM.nanos(), TimeUnit.NANOSECONDS);
                    } catch (InterruptedException e) {
                        interrupted = true;
                    } catch (ExecutionException e) {
                        return null;
                    } catch (TimeoutException e) {
                        blocked.incrementAndGet();
                        if (!end.compareAndSet(0, 1)) {
                            blocked.decrementAndGet();
                        }
                        cancel(true);
                        return null;
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
