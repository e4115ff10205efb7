package dev.belay.sqlite.file;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Callers of this process that wait for the write lock on connections of their own. SQLite lets them ask every few to a
 * hundred milliseconds, so beside a writer that commits back to back they would hardly ever ask at the right moment.
 * Thread-safe.
 */
public final class Guests {

    private final AtomicInteger waiting = new AtomicInteger();

    /** What waits for the write lock. */
    public interface Wait<E extends Exception> {
        void run() throws E;
    }

    /** Runs something that waits for the write lock. */
    public <E extends Exception> void waiting(Wait<E> wait) throws E {
        waiting.incrementAndGet();
        try {
            wait.run();
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** Whether somebody waits. */
    boolean areWaiting() {
        return waiting.get() > 0;
    }
}
