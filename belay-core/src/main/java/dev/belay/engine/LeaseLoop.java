package dev.belay.engine;

import dev.belay.broker.BrokerException;
import dev.belay.broker.Lease;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.LeaseRequest;
import dev.belay.time.Retrying;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hot path: one thread that asks for what free slots and a small prefetch can take, over all lanes, in weighted order.
 * It never sleeps while there is work and room. Between lease calls it registers and reconciles.
 */
final class LeaseLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLoop.class);

    private static final long LONGEST_SLEEP_NANOS = Duration.ofMillis(250).toNanos();
    private static final long RECONCILE_EVERY_NANOS = Duration.ofMinutes(1).toNanos();

    /**
     * A pause after a lease that came back short: where producers and workers share a processor, it lets a batch gather.
     * Measured: a third to a half more throughput.
     */
    private static final long SHORT_PAUSE_NANOS = Duration.ofMillis(1).toNanos();

    private final Parts parts;
    private final Registrar registrar;
    private final Reconciler reconciler;
    private final Retrying retrying;
    private final Thread thread;
    private volatile boolean woken;
    private volatile boolean stopped;
    private long tryAgainNanos;
    private boolean failing;

    LeaseLoop(Parts parts, Registrar registrar, Reconciler reconciler) {
        this.parts = parts;
        this.registrar = registrar;
        this.reconciler = reconciler;
        this.retrying = new Retrying(Duration.ofMillis(50), parts.timing().reconnect());
        this.tryAgainNanos = parts.clock().nanos();
        this.thread = new Thread(this, "belay-lease");
    }

    void start() {
        thread.start();
    }

    /** Takes no new jobs from now on; returns once the lease call under way has been answered. */
    void stop(Duration atMost) {
        stopped = true;
        wake();
        try {
            thread.join(Math.max(1, atMost.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** There may be work, or room for it. */
    void wake() {
        if (!woken) {
            woken = true;
            LockSupport.unpark(thread);
        }
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    @Override
    public void run() {
        while (!stopped) {
            woken = false;
            var now = parts.clock().nanos();
            try {
                if (now - tryAgainNanos < 0 || !visit(now)) {
                    sleep(now);
                }
            } catch (Throwable e) {
                survive(e);
            }
        }
    }

    /** Not even an error in telling about an error ends this thread. */
    private void survive(Throwable e) {
        try {
            failed(e);
        } catch (Throwable again) {
            tryAgainNanos = parts.clock().nanos() + parts.timing().reconnect().toNanos();
        }
    }

    /** Does the next thing there is to do. False where there is nothing. */
    private boolean visit(long now) {
        for (var lane : parts.lanes()) {
            if (lane.session() == null) {
                registrar.register(lane);
                succeeded();
                return true;
            }
            if (lane.mustReconcile(now, RECONCILE_EVERY_NANOS)) {
                reconciler.reconcile(lane);
                succeeded();
                return true;
            }
        }
        if (parts.gate().isClosed()) {
            return false;
        }
        var lane = Weights.next(parts.lanes(), now);
        if (lane == null) {
            return false;
        }
        lease(lane);
        succeeded();
        return true;
    }

    private void lease(Lane lane) {
        var session = lane.session();
        if (session == null) {
            return;
        }
        var request = lane.request(session);
        LeaseReply reply;
        try {
            reply = parts.broker().lease(request);
        } catch (Throwable e) {
            // Whatever went wrong, the broker may have leased jobs that nobody here knows.
            lane.reconcileSoon();
            throw e;
        }
        answered(lane, request, reply);
        if (reply.suspectWaiting() && lane.maySeekSuspect(parts.clock().nanos())) {
            parts.suspects().seek(lane, reconciler);
        }
    }

    private void answered(Lane lane, LeaseRequest request, LeaseReply reply) {
        var now = parts.clock().nanos();
        if (!reply.leases().isEmpty()) {
            lane.accept(deliveries(lane, reply.leases(), now));
        }
        parts.events().tellDeaths(reply.expired());
        switch (reply.status()) {
            case OK -> {
                lane.paused(false);
                var got = reply.leases().size();
                var isShort = got > 0 && got < request.slots() + request.extra();
                // Jobs with one crash left are not prefetched: asking again at once would bring nothing again.
                var canPrefetch = got > 0 || !reply.more() || request.slots() > 0;
                lane.answered(
                        reply.more(),
                        canPrefetch,
                        now + untilNextLook(reply.nextDue()),
                        isShort ? now + SHORT_PAUSE_NANOS : now);
            }
            case PAUSED -> {
                lane.paused(true);
                lane.answered(false, true, now + untilNextLook(null), now);
            }
            case FENCED -> lane.reconcileSoon();
            case ENDED -> parts.sessionEnded(lane, request.session());
        }
    }

    private List<Delivery> deliveries(Lane lane, List<Lease> leases, long now) {
        var deliveries = new ArrayList<Delivery>(leases.size());
        for (var lease : leases) {
            var delivery = new Delivery(lease, lane, now);
            parts.inFlight().add(delivery);
            deliveries.add(delivery);
        }
        return deliveries;
    }

    /** Until the next job is due, or a jittered poll: whatever comes first. */
    private long untilNextLook(@Nullable Duration nextDue) {
        var poll = parts.timing().poll().toNanos();
        var jittered = poll / 2 + ThreadLocalRandom.current().nextLong(poll / 2 + 1);
        return nextDue == null ? jittered : Math.min(jittered, nextDue.toNanos());
    }

    private void sleep(long now) {
        var until = now + LONGEST_SLEEP_NANOS;
        if (now - tryAgainNanos < 0) {
            until = Math.min(until, tryAgainNanos);
        } else if (!parts.gate().isClosed()) {
            for (var lane : parts.lanes()) {
                until = lane.nextLook(now, until);
            }
        }
        if (!woken && until > now) {
            LockSupport.parkNanos(this, until - now);
        }
    }

    private void succeeded() {
        parts.problems().brokerAnswers();
        if (failing) {
            failing = false;
            retrying.reset();
            LOG.info("The broker answers again");
        }
    }

    private void failed(Throwable e) {
        var wait = retrying.next();
        tryAgainNanos = parts.clock().nanos() + wait.toNanos();
        parts.problems().brokerFails(e);
        if (!failing) {
            if (e instanceof BrokerException) {
                LOG.warn("The broker does not answer; trying again with backoff: {}", e.getMessage());
            } else {
                LOG.error("The lease loop failed; it goes on", e);
            }
        }
        failing = true;
    }
}
