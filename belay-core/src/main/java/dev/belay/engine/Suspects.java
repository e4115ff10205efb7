package dev.belay.engine;

import dev.belay.broker.Lease;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.Verdict;
import dev.belay.job.LeaseId;
import dev.belay.job.SessionId;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs suspects: jobs that crashed before and have one crash left. A suspect runs alone in the whole JVM, so that its
 * crash can't be another job's fault, nor theirs its fault. Each condition here was found necessary by a model check of
 * the lease protocol.
 *
 * <p>The lease loop's own thread seeks: meanwhile it leases nothing else.
 */
final class Suspects {

    private static final Logger LOG = LoggerFactory.getLogger(Suspects.class);

    private static final Duration SEEK_AT_MOST = Duration.ofMinutes(1);
    private static final Duration NOT_AGAIN_FOR = Duration.ofMinutes(10);
    private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();

    private final Parts parts;
    private volatile @Nullable Hold hold;

    Suspects(Parts parts) {
        this.parts = parts;
    }

    /** Keeps the gate closed for one suspect; opens it once, whoever comes first. */
    private final class Hold {
        private final AtomicBoolean open = new AtomicBoolean();
        private volatile @Nullable SessionId session;

        void open() {
            if (open.compareAndSet(false, true)) {
                hold = null;
                parts.gate().open(this);
            }
        }
    }

    /** Tries to lease, begin and run one suspect of a lane. Returns once it runs, or was given up. */
    void seek(Lane lane, Reconciler reconciler) {
        var mine = new Hold();
        if (!parts.gate().close(mine)) {
            return;
        }
        hold = mine;
        var handedOver = false;
        try {
            handedOver = seek(lane, reconciler, mine);
        } finally {
            if (!handedOver) {
                mine.open();
            }
        }
    }

    /** A session has ended: it holds nothing any more, so nothing of it has to be waited for. */
    void sessionEnded(SessionId session) {
        var now = hold;
        if (now != null && session.equals(now.session)) {
            now.open();
        }
    }

    /** The worker has stopped for good, its last heartbeat included: what becomes of its session is no other job's fault. */
    void stopped() {
        var now = hold;
        if (now != null) {
            now.open();
        }
    }

    /** @return whether opening the gate is now up to the answer of a settle, or to the end of the session */
    private boolean seek(Lane lane, Reconciler reconciler, Hold mine) {
        var deadline = parts.clock().nanos() + SEEK_AT_MOST.toNanos();
        parts.lanes().forEach(other -> other.takeUnstarted(null).forEach(parts.settlers()::release));
        if (!await(() -> parts.gate().running() == 0, deadline)) {
            giveUp(lane, "other jobs did not end within " + SEEK_AT_MOST);
            return false;
        }
        var delivery = lease(lane);
        if (delivery == null) {
            return false;
        }
        mine.session = delivery.id().session();
        boolean alone;
        try {
            alone = holdsNothingElse(delivery, reconciler, deadline);
        } catch (Throwable e) {
            // Not begun: it goes back, or nobody here would ever start or release it.
            parts.settlers().release(delivery);
            throw e;
        }
        if (alone) {
            return begin(delivery, mine);
        }
        giveUp(lane, "settles under way were not answered within " + SEEK_AT_MOST);
        return releaseThenOpen(delivery, mine);
    }

    private @Nullable Delivery lease(Lane lane) {
        var session = lane.session();
        if (session == null || parts.isStopping()) {
            return null;
        }
        Lease lease;
        try {
            var reply = parts.broker().lease(LeaseRequest.ofSuspect(session, lane.nextNumber()));
            parts.events().tellDeaths(reply.expired());
            if (reply.leases().isEmpty()) {
                return null;
            }
            lease = reply.leases().get(0);
        } catch (Throwable e) {
            lane.reconcileSoon();
            throw e;
        }
        var delivery = new Delivery(lease, lane, parts.clock().nanos());
        parts.inFlight().add(delivery);
        return delivery;
    }

    /** Reconciles all queues until the broker holds nothing for this worker but the suspect. */
    private boolean holdsNothingElse(Delivery suspect, Reconciler reconciler, long deadline) {
        return await(
                () -> {
                    for (var lane : parts.lanes()) {
                        for (var held : reconciler.reconcile(lane)) {
                            if (!held.equals(suspect.id())) {
                                return false;
                            }
                        }
                    }
                    return true;
                },
                deadline);
    }

    private boolean begin(Delivery suspect, Hold mine) {
        if (!suspect.lane().isLeaseCertain(parts.clock().nanos())) {
            return releaseThenOpen(suspect, mine);
        }
        Verdict verdict;
        try {
            verdict = parts.broker().begin(suspect.id());
        } catch (Throwable e) {
            // It may have been begun: the gate stays closed until its release is answered.
            LOG.info("It is not known whether suspect {} was begun: giving it back", suspect.id());
            return releaseThenOpen(suspect, mine);
        }
        if (verdict instanceof Verdict.Stale) {
            parts.lose(suspect);
            return false;
        }
        if (verdict instanceof Verdict.Ended) {
            parts.sessionEnded(suspect.lane(), suspect.id().session());
            return false;
        }
        return verdict.isApplied() ? run(suspect, mine) : releaseThenOpen(suspect, mine);
    }

    private boolean run(Delivery suspect, Hold mine) {
        var lane = suspect.lane();
        LeaseId id = suspect.id();
        LOG.info("Job {} crashed before and has one crash left: it runs alone", id);
        suspect.onLost(mine::open);
        suspect.onAnswered(mine::open);
        lane.suspectStarts();
        parts.gate().enterAlone();
        try {
            parts.threads().execute(() -> {
                try {
                    parts.runner().runBegun(suspect);
                } finally {
                    parts.gate().leave();
                    lane.suspectReturned();
                    parts.wakeLeaseLoop();
                }
            });
            return true;
        } catch (Throwable e) {
            parts.gate().leave();
            lane.suspectReturned();
            parts.problems().handOverRefused(lane.queue(), e);
            return releaseThenOpen(suspect, mine);
        }
    }

    private boolean releaseThenOpen(Delivery suspect, Hold mine) {
        suspect.onLost(mine::open);
        suspect.onAnswered(mine::open);
        return parts.settlers().release(suspect);
    }

    private void giveUp(Lane lane, String why) {
        LOG.info("No suspect of queue {} is run here for {}: {}", lane.queue(), NOT_AGAIN_FOR, why);
        lane.suspectGivenUp(parts.clock().nanos() + NOT_AGAIN_FOR.toNanos());
    }

    private boolean await(BooleanSupplier condition, long deadline) {
        while (!parts.isStopping()) {
            if (condition.getAsBoolean()) {
                return true;
            }
            if (parts.clock().nanos() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        return false;
    }
}
