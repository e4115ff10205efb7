package dev.belay.time;

/** Nanoseconds that only grow: for waits, timeouts and how long something took. Never a time of day. */
@FunctionalInterface
public interface MonotonicClock {

    /** The JVM's own. */
    MonotonicClock SYSTEM = System::nanoTime;

    /** Nanoseconds since some fixed point. */
    long nanos();
}
