package dev.belay.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One for the whole JVM: every handler of every worker enters it before it starts and leaves it when its thread returns,
 * also one whose lease was lost meanwhile. Whoever closes it keeps all others out: so a suspect runs alone. Thread-safe.
 */
final class JvmGate {

    /** A class loader that loads Belay twice has two; they guard what they can see. */
    static final JvmGate INSTANCE = new JvmGate();

    private static final long CLOSED = 1L << 62;

    private final AtomicLong state = new AtomicLong();
    private final AtomicReference<@Nullable Object> owner = new AtomicReference<>();
    private final List<Runnable> onOpen = new CopyOnWriteArrayList<>();

    /** A handler wants to start. False while the gate is closed; {@link #onOpen} tells when to try again. */
    boolean enter() {
        while (true) {
            var now = state.get();
            if ((now & CLOSED) != 0) {
                return false;
            }
            if (state.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    /** The owner's handler starts, alone. */
    void enterAlone() {
        state.incrementAndGet();
    }

    /** A handler's thread has returned. */
    void leave() {
        state.decrementAndGet();
    }

    /** How many handlers run. */
    long running() {
        return state.get() & ~CLOSED;
    }

    boolean isClosed() {
        return (state.get() & CLOSED) != 0;
    }

    /** Keeps all others out. False where somebody else does already. */
    boolean close(Object by) {
        if (!owner.compareAndSet(null, by)) {
            return false;
        }
        state.getAndUpdate(now -> now | CLOSED);
        return true;
    }

    /** Ends what {@link #close} began; does nothing for anyone but the owner. */
    void open(Object by) {
        if (owner.get() == by) {
            state.getAndUpdate(now -> now & ~CLOSED);
            owner.set(null);
            onOpen.forEach(Runnable::run);
        }
    }

    /** Calls back each time the gate opens, until {@link #forget}. */
    void onOpen(Runnable callback) {
        onOpen.add(callback);
    }

    void forget(Runnable callback) {
        onOpen.remove(callback);
    }
}
