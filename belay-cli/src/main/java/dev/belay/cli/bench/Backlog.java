package dev.belay.cli.bench;

import java.util.concurrent.atomic.AtomicLong;

/** Counts in this process what the store has accepted, and what of that is done: nobody asks the store. Thread-safe. */
final class Backlog {

    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong done = new AtomicLong();

    void accept(int jobs) {
        accepted.addAndGet(jobs);
    }

    void done() {
        done.incrementAndGet();
    }

    long accepted() {
        return accepted.get();
    }

    /** How many are accepted and not done. A job may be done before its enqueue has its answer: those don't count below 0. */
    long now() {
        return Math.max(0, accepted.get() - done.get());
    }
}
