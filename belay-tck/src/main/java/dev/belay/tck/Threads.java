package dev.belay.tck;

import java.util.List;
import java.util.Set;

/** The threads that were there before a test: whatever else is alive after its store was closed has leaked. */
final class Threads {

    private static final long PATIENCE_MILLIS = 10_000;

    private final Set<Thread> before;

    private Threads(Set<Thread> before) {
        this.before = before;
    }

    static Threads now() {
        return new Threads(Set.copyOf(Thread.getAllStackTraces().keySet()));
    }

    /** Waits for threads that are about to end. */
    void checkNoneLeft() {
        var end = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        try {
            for (var thread : left()) {
                thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while threads ended", e);
        }
        var left = left().stream().map(Thread::getName).toList();
        if (!left.isEmpty()) {
            throw new AssertionError("threads left after the store was closed: " + left);
        }
    }

    private List<Thread> left() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && !before.contains(thread) && !isOfTheMachine(thread.getName()))
                .toList();
    }

    /** Threads of the JDK and of the test libraries, which live as long as they like. */
    private static boolean isOfTheMachine(String name) {
        return name.startsWith("ForkJoinPool.commonPool")
                // The first pool that a JVM makes is the one that carries virtual threads.
                || name.startsWith("ForkJoinPool-1-")
                || name.startsWith("VirtualThread-")
                || name.startsWith("surefire")
                || name.startsWith("junit")
                || name.startsWith("process reaper")
                || name.endsWith("Cleaner")
                // Netty's, one for the whole JVM: ends by itself once it has been idle.
                || name.startsWith("globalEventExecutor")
                || name.startsWith("Attach Listener")
                || name.startsWith("C1 ")
                || name.startsWith("C2 ");
    }
}
