package dev.belay.engine;

import dev.belay.broker.BrokerException;
import dev.belay.once.LedgerException;
import dev.belay.once.Outbox;
import dev.belay.time.Retrying;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a service, round after round, until it is stopped. Nothing that a round throws ends it. */
final class ServiceThread {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceThread.class);
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(200);

    private final Service service;
    private final Retrying retrying;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;

    ServiceThread(Service service, Duration longestBackoff) {
        this.service = service;
        this.retrying = new Retrying(FIRST_BACKOFF, longestBackoff);
        this.thread = new Thread(this::run, "belay-" + service.name());
        thread.setDaemon(true);
    }

    ServiceThread start() {
        thread.start();
        return this;
    }

    /** Ends it after the round under way; waits a little for that. */
    void stop(Duration atMost) {
        stop.countDown();
        try {
            thread.join(Math.max(1, atMost.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        var failing = false;
        while (true) {
            Duration wait;
            try {
                wait = service.runOnce();
                if (failing) {
                    LOG.info("{} works again", service.name());
                }
                failing = false;
                retrying.reset();
            } catch (Throwable e) {
                wait = retrying.next();
                survive(e, failing);
                failing = true;
            }
            if (stopped(wait)) {
                return;
            }
        }
    }

    /** Not even an error in telling about an error ends this thread. */
    private void survive(Throwable e, boolean again) {
        try {
            if (stop.getCount() > 0) {
                report(e, again);
            }
        } catch (Throwable untold) {
            // There is nobody left to tell.
        }
    }

    private boolean stopped(Duration wait) {
        try {
            return stop.await(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            // Nobody interrupts this thread on purpose: go on, a little early.
            return stop.getCount() == 0;
        }
    }

    /** One line for the first failure of an outage; the others only for those who debug. */
    private void report(Throwable e, boolean again) {
        if (again) {
            LOG.debug("{} still fails", service.name(), e);
        } else if (e instanceof BrokerException
                || e instanceof Outbox.NotSentException
                || e instanceof LedgerException) {
            LOG.warn("{} failed and is tried again: {}", service.name(), e.getMessage());
        } else {
            LOG.error("{} failed and is tried again", service.name(), e);
        }
    }
}
