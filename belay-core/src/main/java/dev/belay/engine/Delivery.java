package dev.belay.engine;

import dev.belay.broker.Lease;
import dev.belay.job.LeaseId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One delivery in this worker, from the lease to the answer of its settle. All changes of its state happen under its lock,
 * so that an interrupt reaches this delivery's handler or nobody, and its outcome is taken once.
 */
final class Delivery {

    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

    /** Where it is. */
    enum State {
        /** Leased, not started. */
        WAITING,
        /** Its handler was started; nothing was settled yet. */
        RUNNING,
        /** Its outcome is on its way to the broker. */
        SETTLING,
        /** The lease is lost: what its handler says is dropped. */
        LOST
    }

    /** Whether its handler has completed it in a transaction of its own, which may be committed or not. */
    enum Completion {
        NONE,
        /** The job is kept once it has succeeded. */
        KEPT,
        /** The job is removed when it succeeds. */
        REMOVED
    }

    private final Lease lease;
    private final Lane lane;
    private final long leasedNanos;

    private State state = State.WAITING;
    private @Nullable Thread thread;
    private long interruptedNanos;
    private boolean interrupted;
    private boolean timedOut;
    private boolean stopRequested;
    private boolean stopInterrupted;
    private Runnable answered = () -> {};
    private final List<Runnable> lostCallbacks = new ArrayList<>();
    private @Nullable String progress;
    private boolean progressTold = true;
    private Completion completion = Completion.NONE;
    private @Nullable Throwable thrown;

    Delivery(Lease lease, Lane lane, long leasedNanos) {
        this.lease = lease;
        this.lane = lane;
        this.leasedNanos = leasedNanos;
        this.progress = lease.job().progress();
    }

    Lease lease() {
        return lease;
    }

    LeaseId id() {
        return lease.id();
    }

    Lane lane() {
        return lane;
    }

    /** When its lease call was answered, by the monotonic clock. */
    long leasedNanos() {
        return leasedNanos;
    }

    synchronized State state() {
        return state;
    }

    /** Its handler is about to be called on this thread. False where that is no longer wanted. */
    synchronized boolean begin(Thread handlerThread) {
        if (state != State.WAITING) {
            return false;
        }
        state = State.RUNNING;
        thread = handlerThread;
        return true;
    }

    /** Its handler has returned: from now on nobody interrupts this thread for it. */
    synchronized void handlerReturned() {
        thread = null;
    }

    /** Takes the right to settle it. False where its outcome was taken before, or the lease is lost. */
    synchronized boolean takeOutcome() {
        if (state != State.WAITING && state != State.RUNNING) {
            return false;
        }
        state = State.SETTLING;
        return true;
    }

    /** As {@link #takeOutcome}, only while it was not started. */
    synchronized boolean takeUnstarted() {
        return state == State.WAITING && takeOutcome();
    }

    /** Its handler has completed it in a transaction of its own: from now on the broker may not hold it any more. */
    synchronized void completedIn(Completion how) {
        completion = how;
    }

    synchronized Completion completion() {
        return completion;
    }

    /** What its handler threw after it had completed the job in a transaction. */
    synchronized void thrown(Throwable after) {
        thrown = after;
    }

    synchronized @Nullable Throwable thrown() {
        return thrown;
    }

    /**
     * The broker does not hold the lease. False where it was settled or lost before, and where its handler has completed it
     * in a transaction: then that is most likely why, and it is found out once the handler has returned.
     */
    boolean lose(long nowNanos) {
        return completion() == Completion.NONE && revoke(nowNanos);
    }

    /** The lease was taken away. False where it was settled or lost before. */
    boolean revoke(long nowNanos) {
        List<Runnable> callbacks;
        synchronized (this) {
            if (state != State.WAITING && state != State.RUNNING) {
                return false;
            }
            state = State.LOST;
            callbacks = List.copyOf(lostCallbacks);
            lostCallbacks.clear();
        }
        callbacks.forEach(this::call);
        interrupt(nowNanos);
        return true;
    }

    void onLost(Runnable callback) {
        synchronized (this) {
            if (state != State.LOST) {
                lostCallbacks.add(callback);
                return;
            }
        }
        call(callback);
    }

    /** Interrupts its handler, if it has one. */
    synchronized void interrupt(long nowNanos) {
        if (thread != null) {
            if (!interrupted) {
                interrupted = true;
                interruptedNanos = nowNanos;
                lane.interrupted(this);
            }
            thread.interrupt();
        }
    }

    /** Its handler has run for longer than it may. False where it has returned, or was settled or lost before. */
    synchronized boolean timeOut(long nowNanos) {
        if (state != State.RUNNING || thread == null) {
            return false;
        }
        timedOut = true;
        interrupt(nowNanos);
        return true;
    }

    synchronized boolean isTimedOut() {
        return timedOut;
    }

    /** Whether its handler does not run (any more). */
    synchronized boolean hasReturned() {
        return thread == null;
    }

    /** Whether its handler was interrupted that long ago and still runs. */
    synchronized boolean ignoresInterrupt(long nowNanos, long forNanos) {
        return interrupted && thread != null && nowNanos - interruptedNanos > forNanos;
    }

    synchronized void requestStop() {
        stopRequested = true;
    }

    /** The drain is over: whatever its handler throws from now on is no failure. */
    synchronized void interruptForStop(long nowNanos) {
        if (state == State.RUNNING) {
            stopInterrupted = thread != null;
            interrupt(nowNanos);
        }
    }

    synchronized boolean isStopInterrupted() {
        return stopInterrupted;
    }

    /** What to do once its settle is answered. */
    synchronized void onAnswered(Runnable callback) {
        answered = callback;
    }

    /** Its settle was answered. */
    void answered() {
        Runnable callback;
        synchronized (this) {
            callback = answered;
        }
        callback.run();
    }

    synchronized boolean isStopRequested() {
        return stopRequested;
    }

    synchronized void progress(String text) {
        progress = text;
        progressTold = false;
    }

    synchronized @Nullable String progress() {
        return progress;
    }

    /** The progress that no heartbeat has carried yet; null where there is none. */
    synchronized @Nullable String untoldProgress() {
        return progressTold ? null : progress;
    }

    /** A heartbeat with this progress was answered. */
    synchronized void progressTold(String text) {
        progressTold |= text.equals(progress);
    }

    private void call(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            LOG.warn("A callback for the lost lease of job {} failed", id(), e);
        }
    }
}
