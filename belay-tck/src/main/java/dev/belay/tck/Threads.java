package dev.belay.tck;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** The threads that were there before a test: whatever else is alive after its store was closed has leaked. */
final class Threads {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Set<Thread> before;

    private Threads(Set<Thread> before) {
        this.before = before;
    }

    static Threads now() {
        return new Threads(Set.copyOf(Thread.getAllStackTraces().keySet()));
    }

    void checkNoneLeft() {
        if (left().isEmpty()) {
            return;
        }
        try {
            Awaitility.await().atMost(PATIENCE).until(() -> left().isEmpty());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("threads left after the store was closed: " + left(), e);
        }
    }

    private Set<String> left() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && !before.contains(thread) && !isOfTheMachine(thread.getName()))
                .map(Thread::getName)
                .collect(Collectors.toSet());
    }

    /** Threads of the JDK and of the test libraries, which live as long as they like. */
    private static boolean isOfTheMachine(String name) {
        return name.startsWith("ForkJoinPool.commonPool")
                || name.startsWith("awaitility")
                || name.startsWith("surefire")
                || name.startsWith("junit")
                || name.startsWith("process reaper")
                || name.endsWith("Cleaner")
                || name.startsWith("Attach Listener")
                || name.startsWith("C1 ")
                || name.startsWith("C2 ");
    }
}
