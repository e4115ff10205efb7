package dev.belay.cli.bench;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Some threads that do the same at the same time. */
final class Crowd {

    private Crowd() {}

    /** What one of them does. */
    interface Act {
        void run(int thread) throws Exception;
    }

    /** Lets them start together; answers the seconds until the last is done. */
    static double seconds(int threads, Act act) throws InterruptedException {
        var go = new CountDownLatch(1);
        var failed = new AtomicReference<@Nullable Exception>();
        var all = new ArrayList<Thread>();
        for (var i = 0; i < threads; i++) {
            var number = i;
            var thread = new Thread(
                    () -> {
                        try {
                            go.await();
                            act.run(number);
                        } catch (Exception e) {
                            failed.compareAndSet(null, e);
                        }
                    },
                    "bench-" + i);
            thread.start();
            all.add(thread);
        }
        var start = System.nanoTime();
        go.countDown();
        for (var thread : all) {
            thread.join();
        }
        var seconds = (System.nanoTime() - start) / 1e9;
        var failure = failed.get();
        if (failure != null) {
            throw new IllegalStateException("a thread of the benchmark failed: " + failure, failure);
        }
        return seconds;
    }

    /** The part of {@code total} that falls to a thread. */
    static int share(int total, int threads, int thread) {
        return total / threads + (thread < total % threads ? 1 : 0);
    }
}
