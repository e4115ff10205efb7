package dev.belay.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Where handlers run: on the user's executor, on virtual threads where the JVM has them, else on a bounded pool. */
final class HandlerThreads implements AutoCloseable {

    private final Executor executor;
    private final @Nullable ExecutorService own;

    HandlerThreads(@Nullable Executor users, int slots) {
        if (users != null) {
            own = null;
            executor = users;
        } else {
            var virtual = virtualThreads();
            own = virtual != null ? virtual : pool(slots);
            executor = own;
        }
    }

    /** @throws java.util.concurrent.RejectedExecutionException where the executor refuses; or an Error for want of threads */
    void execute(Runnable task) {
        executor.execute(task);
    }

    /** Frees the threads; handlers that still run are left to end by themselves. */
    @Override
    public void close() {
        if (own != null) {
            own.shutdown();
        }
    }

    private static ExecutorService pool(int slots) {
        var count = new AtomicInteger();
        ThreadFactory factory = task -> {
            var thread = new Thread(task, "belay-handler-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
        // Twice the slots: threads that have freed their slots may not be back in the pool yet.
        return new ThreadPoolExecutor(0, 2 * slots + 2, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }

    /** {@code Executors.newVirtualThreadPerTaskExecutor()}, which JDK 17 does not have. */
    private static @Nullable ExecutorService virtualThreads() {
        if (Runtime.version().feature() < 21) {
            return null;
        }
        try {
            return (ExecutorService) MethodHandles.publicLookup()
                    .findStatic(
                            Executors.class,
                            "newVirtualThreadPerTaskExecutor",
                            MethodType.methodType(ExecutorService.class))
                    .invoke();
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            return null;
        }
    }
}
