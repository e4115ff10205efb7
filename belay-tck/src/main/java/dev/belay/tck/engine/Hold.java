package dev.belay.tck.engine;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A place where threads wait until it is opened: in handlers, and in calls to a broker. Thread-safe. */
public final class Hold {

    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();

    /** Waits, whatever happens; an interrupt is remembered. */
    public void pass() {
        arrived.incrementAndGet();
        var wasInterrupted = false;
        while (true) {
            try {
                open.await();
                break;
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits, and ends early when interrupted. */
    public void passOrBeInterrupted() throws InterruptedException {
        arrived.incrementAndGet();
        try {
            open.await();
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
        }
    }

    /** Lets all go on, now and later. */
    public void open() {
        open.countDown();
    }

    public int arrived() {
        return arrived.get();
    }

    public int interrupted() {
        return interrupted.get();
    }

    /** Waits until so many threads have come here, since the beginning. */
    public void awaitArrived(int count) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(2))
                .untilAsserted(() -> org.assertj.core.api.Assertions.assertThat(arrived())
                        .as("threads that arrived")
                        .isGreaterThanOrEqualTo(count));
    }

    /** Waits until so many threads were interrupted here. */
    public void awaitInterrupted(int count) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(2))
                .untilAsserted(() -> org.assertj.core.api.Assertions.assertThat(interrupted())
                        .as("threads that were interrupted")
                        .isGreaterThanOrEqualTo(count));
    }
}
