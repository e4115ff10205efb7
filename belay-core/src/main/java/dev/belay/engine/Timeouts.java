package dev.belay.engine;

import dev.belay.job.Job;
import dev.belay.job.JobError;
import dev.belay.job.Outcome;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interrupts handlers that run for longer than they may. The failure is settled when the handler returns, at the latest
 * 2 s later.
 */
final class Timeouts {

    private static final Logger LOG = LoggerFactory.getLogger(Timeouts.class);
    private static final long GRACE_MILLIS = 2_000;

    private final Parts parts;
    private final ScheduledThreadPoolExecutor timer;

    Timeouts(Parts parts) {
        this.parts = parts;
        timer = new ScheduledThreadPoolExecutor(1, task -> {
            var thread = new Thread(task, "belay-timeouts");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Ends the watch over one handler. */
    @FunctionalInterface
    interface Watch {
        Watch NONE = () -> {};

        void cancel();
    }

    Watch watch(Delivery delivery) {
        var timeout = delivery.lease().job().options().timeout();
        if (timeout == null) {
            return Watch.NONE;
        }
        var scheduled = timer.schedule(() -> timeOut(delivery), timeout.toMillis(), TimeUnit.MILLISECONDS);
        return () -> scheduled.cancel(false);
    }

    void stop() {
        timer.shutdownNow();
    }

    static Outcome outcome(Job job, RandomGenerator random) {
        var error = new JobError(
                "TIMEOUT", "the handler ran for longer than " + job.options().timeout(), "", "TIMEOUT:" + job.type());
        return new Outcome.Retry(job.options().backoff().delay(job.counts().stepsTaken() + 1, random), false, error);
    }

    private void timeOut(Delivery delivery) {
        if (delivery.timeOut(parts.clock().nanos())) {
            timer.schedule(() -> settleAnyway(delivery), GRACE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** The handler ignores its interrupt: its job goes on without it; its slot stays taken until its thread returns. */
    private void settleAnyway(Delivery delivery) {
        if (delivery.takeOutcome()) {
            LOG.warn("The handler of job {} ignores the interrupt of its timeout: its slot is held", delivery.id());
            var job = delivery.lease().job();
            parts.settlers()
                    .settle(
                            delivery,
                            outcome(job, ThreadLocalRandom.current()),
                            Duration.ofNanos(parts.clock().nanos() - delivery.leasedNanos()));
        }
    }
}
