package dev.belay.engine;

import dev.belay.broker.LeaseRequest;
import dev.belay.job.SessionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One queue of this worker: its session, its slots, and the deliveries that wait for one. The session's numbers belong to
 * the lease loop; the slots are shared and guarded by the lane's lock.
 */
final class Lane {

    private static final long REFUSED_PAUSE_NANOS = 1_000_000_000L;

    private final Engine.QueueConfig config;
    private final Parts parts;
    private final Prefetch prefetch;

    private final ArrayDeque<Delivery> waiting = new ArrayDeque<>();
    private final Set<Delivery> interrupted = ConcurrentHashMap.newKeySet();
    private int running;
    private boolean stopped;
    private long refusedUntil;
    private volatile boolean refusing;

    // Written by the lease loop, the heartbeat and signals; read by all.
    private volatile @Nullable SessionId session;
    private volatile long lastBeatNanos;
    private volatile boolean paused;
    private volatile boolean quiet;
    private volatile boolean signalled;
    private volatile boolean more;
    private volatile boolean onlyForFreeSlots;
    private volatile boolean mustReconcile;

    // The lease loop's own.
    private long number;
    private long lookAtNanos;
    private long notBeforeNanos;
    private long reconciledNanos;
    private long suspectNotBeforeNanos;
    private boolean suspectsGivenUp;
    private long credit;

    Lane(Engine.QueueConfig config, Parts parts) {
        this.config = config;
        this.parts = parts;
        this.prefetch = new Prefetch(config.slots());
    }

    String queue() {
        return config.queue();
    }

    int slots() {
        return config.slots();
    }

    int weight() {
        return config.weight();
    }

    Prefetch prefetch() {
        return prefetch;
    }

    // --- session -----------------------------------------------------------------------------------------------------

    @Nullable
    SessionId session() {
        return session;
    }

    void registered(SessionId id, boolean isPaused, long sentNanos) {
        number = 0;
        paused = isPaused;
        quiet = false;
        mustReconcile = false;
        reconciledNanos = sentNanos;
        lastBeatNanos = sentNanos;
        more = true;
        session = id;
    }

    /** The broker said that this session has ended. False where another one took its place already. */
    boolean ended(SessionId id) {
        if (!id.equals(session)) {
            return false;
        }
        session = null;
        return true;
    }

    void beatAnswered(long sentNanos, boolean isPaused) {
        lastBeatNanos = sentNanos;
        paused = isPaused;
    }

    /** Whether heartbeats were answered lately enough that the lease can't have been taken back. */
    boolean isLeaseCertain(long nowNanos) {
        return session != null
                && nowNanos - lastBeatNanos < parts.timing().lease().toNanos();
    }

    boolean isPaused() {
        return paused;
    }

    void paused(boolean value) {
        paused = value;
    }

    void quiet(boolean value) {
        quiet = value;
    }

    // --- what the lease loop asks ------------------------------------------------------------------------------------

    long nextNumber() {
        return ++number;
    }

    long number() {
        return number;
    }

    boolean mustReconcile(long nowNanos, long everyNanos) {
        return mustReconcile || nowNanos - reconciledNanos > everyNanos;
    }

    void reconcileSoon() {
        mustReconcile = true;
    }

    /** A reconcile is about to be sent: whatever asks for one from now on asks for another. */
    void reconciling() {
        mustReconcile = false;
    }

    void reconciled(long nowNanos) {
        reconciledNanos = nowNanos;
    }

    void signal() {
        signalled = true;
    }

    /** Whether a lease call makes sense now: there is room, and perhaps work. */
    boolean isHungry(long nowNanos) {
        return !quiet && nowNanos >= notBeforeNanos && (expectsWork() || nowNanos >= lookAtNanos) && hasRoom(nowNanos);
    }

    /** When to look again if nothing else happens, at the latest {@code atMost}. */
    long nextLook(long nowNanos, long atMost) {
        if (quiet || !hasRoom(nowNanos)) {
            return atMost;
        }
        return Math.min(atMost, Math.max(expectsWork() ? notBeforeNanos : lookAtNanos, notBeforeNanos));
    }

    /** A paused queue is worth a look only when it may have been resumed. */
    private boolean expectsWork() {
        return signalled || (more && !paused);
    }

    synchronized boolean hasRoom(long nowNanos) {
        if (stopped || (refusing && nowNanos < refusedUntil)) {
            return false;
        }
        var extra = onlyForFreeSlots ? 0 : prefetch.extra();
        return extra > 0 ? waiting.size() <= extra / 2 : running + waiting.size() < config.slots();
    }

    /** A request for what free slots and a small prefetch can take. */
    synchronized LeaseRequest request(SessionId id) {
        signalled = false;
        var extra = prefetch.extra();
        var slots = Math.max(0, config.slots() - running - waiting.size());
        var room = Math.max(1, config.slots() + extra - running - waiting.size());
        return LeaseRequest.of(id, nextNumber(), slots).withExtra(Math.max(slots == 0 ? 1 : 0, room - slots));
    }

    /**
     * A lease call was answered.
     *
     * @param canPrefetch false where jobs are left that came by no slot but a free one: another call makes sense when one is
     */
    void answered(boolean hasMore, boolean canPrefetch, long lookAt, long notBefore) {
        more = hasMore;
        onlyForFreeSlots = !canPrefetch;
        lookAtNanos = lookAt;
        notBeforeNanos = notBefore;
    }

    boolean maySeekSuspect(long nowNanos) {
        return !suspectsGivenUp || nowNanos >= suspectNotBeforeNanos;
    }

    void suspectGivenUp(long notBefore) {
        suspectsGivenUp = true;
        suspectNotBeforeNanos = notBefore;
    }

    long credit() {
        return credit;
    }

    void credit(long value) {
        credit = value;
    }

    // --- slots -------------------------------------------------------------------------------------------------------

    /** Takes deliveries over and starts what free slots can take. */
    void accept(List<Delivery> deliveries) {
        var refused = new ArrayList<Delivery>();
        synchronized (this) {
            for (var delivery : deliveries) {
                var mustWait = running + waiting.size() >= config.slots();
                if (stopped || (mustWait && !prefetch.mayWait(delivery.id().job()))) {
                    refused.add(delivery);
                } else {
                    waiting.add(delivery);
                }
            }
        }
        refused.forEach(parts.settlers()::release);
        startWaiting();
    }

    /** Starts waiting deliveries while slots are free and the gate is open. */
    void startWaiting() {
        while (true) {
            Delivery delivery;
            synchronized (this) {
                if (running >= config.slots()) {
                    return;
                }
                delivery = next();
                if (delivery == null) {
                    return;
                }
                running++;
            }
            handOver(delivery);
        }
    }

    private void handOver(Delivery delivery) {
        try {
            parts.threads().execute(() -> slot(delivery));
            refusing = false;
        } catch (Throwable e) {
            // The executor is full or shut down, or the system has no thread left: the job goes back at no cost.
            synchronized (this) {
                running--;
                refusedUntil = parts.clock().nanos() + REFUSED_PAUSE_NANOS;
                refusing = true;
            }
            parts.gate().leave();
            parts.settlers().release(delivery);
            parts.problems().handOverRefused(queue(), e);
        }
    }

    /** A slot's life: runs one delivery after the other on one thread while some wait. */
    private void slot(Delivery first) {
        var delivery = first;
        while (delivery != null) {
            parts.runner().run(delivery);
            parts.gate().leave();
            synchronized (this) {
                delivery = next();
                if (delivery == null) {
                    running--;
                }
            }
            if ((more || signalled) && hasRoom(parts.clock().nanos())) {
                parts.wakeLeaseLoop();
            }
        }
    }

    /** The next delivery to start, which has entered the gate; null where none may start now. */
    private @Nullable Delivery next() {
        if (stopped || waiting.isEmpty() || !parts.gate().enter()) {
            return null;
        }
        return Objects.requireNonNull(waiting.poll());
    }

    /** Takes out what was not started: all of it, or what has waited since before {@code leasedBefore}. */
    List<Delivery> takeUnstarted(@Nullable Long leasedBefore) {
        var taken = new ArrayList<Delivery>();
        synchronized (this) {
            var all = waiting.iterator();
            while (all.hasNext()) {
                var delivery = all.next();
                if (leasedBefore == null || delivery.leasedNanos() - leasedBefore < 0) {
                    all.remove();
                    taken.add(delivery);
                }
            }
        }
        return taken;
    }

    /** Starts nothing any more. */
    synchronized void stop() {
        stopped = true;
    }

    synchronized int running() {
        return running;
    }

    synchronized int waiting() {
        return waiting.size();
    }

    synchronized boolean hasFreeSlot() {
        return running < config.slots();
    }

    /** A handler of this lane was interrupted. */
    void interrupted(Delivery delivery) {
        interrupted.add(delivery);
    }

    /** How many slots are held by handlers that were interrupted {@code forNanos} ago and still run. */
    long stuck(long nowNanos, long forNanos) {
        interrupted.removeIf(Delivery::hasReturned);
        return interrupted.stream()
                .filter(delivery -> delivery.ignoresInterrupt(nowNanos, forNanos))
                .count();
    }

    /** A suspect takes one slot, whatever else is held. */
    synchronized void suspectStarts() {
        running++;
    }

    synchronized void suspectReturned() {
        running--;
    }
}
