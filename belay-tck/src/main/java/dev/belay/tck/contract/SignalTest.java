package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.job.Moment;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Who sleeps is woken when there may be work. A signal is a hint, but without faults it comes: on the node where the
 * work came in, soon.
 */
public class SignalTest extends BrokerSuite {

    private final Semaphore signals = new Semaphore(0);

    @Test
    void anEnqueueWakesAListener() {
        try (var subscription = broker.listen(QUEUE, signals::release)) {
            assertThat(subscription).isNotNull();
            assertWakes(() -> accept(1));
            assertWakes(() -> accept(1));
        }
    }

    @Test
    void everyListenerOfTheQueueIsWoken() {
        var others = new Semaphore(0);
        try (var one = broker.listen(QUEUE, signals::release);
                var two = broker.listen(QUEUE, others::release)) {
            assertThat(List.of(one, two)).doesNotContainNull();
            accept(1);
            assertWoken(signals);
            assertWoken(others);
        }
    }

    @Test
    void whateverMakesAJobReadyWakesAListener() {
        var worker = worker();
        var dead = dead(job());
        var scheduled = accept(job().delay(Duration.ofHours(1)));
        var edited = accept(job().delay(Duration.ofHours(1)));
        accept(4);
        var leases = worker.lease(4);
        accept(job().delay(seconds(5)));
        var stopping = worker();
        accept(1);
        stopping.leaseOne();
        try (var subscription = broker.listen(QUEUE, signals::release)) {
            assertThat(subscription).isNotNull();
            assertWakes(() -> worker.settled(leases.get(0), TestWorker.retry(seconds(0))));
            assertWakes(() -> worker.settled(leases.get(1), new Outcome.Release(false)));
            assertWakes(() -> worker.settled(leases.get(2), new Outcome.Snooze(seconds(0), false)));
            assertWakes(() -> worker.settled(leases.get(3), TestWorker.followedBy(job().build())));
            assertWakes(() -> applied(admin.replay(QUEUE, dead, null, ANN)));
            assertWakes(() -> applied(admin.runNow(QUEUE, scheduled, ANN)));
            assertWakes(() ->
                    applied(admin.edit(QUEUE, edited, new dev.belay.broker.JobEdit(null, Moment.NOW, null), ANN)));
            assertWakes(stopping::end);
            assertWakes(() -> {
                advance(seconds(5));
                assertThat(broker.promote(QUEUE, seconds(1)).promoted()).isEqualTo(1);
            });
        }
    }

    @Test
    void resumingAQueueWakesAListener() {
        accept(1);
        admin.pause(QUEUE, ANN);
        try (var subscription = broker.listen(QUEUE, signals::release)) {
            assertThat(subscription).isNotNull();
            assertWakes(() -> admin.resume(QUEUE, ANN));
        }
    }

    @Test
    void aClosedSubscriptionIsSilent() {
        var closed = broker.listen(QUEUE, signals::release);
        closed.close();
        closed.close();
        var others = new Semaphore(0);
        try (var open = broker.listen(QUEUE, others::release)) {
            assertThat(open).isNotNull();
            for (var i = 1; i <= 5; i++) {
                accept(1);
                // The open one was woken: the closed one would have been too.
                assertWoken(others);
            }
        }
        assertThat(signals.availablePermits()).isZero();
    }

    @Test
    void listeningMakesNoQueueKnown() {
        try (var subscription = broker.listen("no-such-queue", signals::release)) {
            assertThat(subscription).isNotNull();
            assertThat(admin.queues()).isEmpty();
        }
    }

    private void assertWakes(Runnable action) {
        signals.drainPermits();
        action.run();
        assertWoken(signals);
    }

    private static void assertWoken(Semaphore signals) {
        try {
            assertThat(signals.tryAcquire(10, TimeUnit.SECONDS)).as("woken").isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a signal", e);
        }
    }
}
