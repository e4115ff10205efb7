package dev.belay.engine;

import dev.belay.job.JobId;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * How many jobs a lane leases beyond its free slots: only while observed run times fit several jobs into a second.
 * Thread-safe.
 */
final class Prefetch {

    /** A prefetched job that was not started within this is given back. */
    static final Duration MAX_WAIT = Duration.ofSeconds(1);

    /** What is prefetched should start within this: far from the limit. */
    private static final long HORIZON_NANOS = Duration.ofMillis(100).toNanos();

    private static final long SLOWEST_NANOS = Duration.ofMillis(250).toNanos();
    private static final int MAX_EXTRA = 500;
    private static final int ENOUGH_SAMPLES = 5;
    private static final double WEIGHT = 0.1;
    private static final int REMEMBERED = 10_000;

    private final int slots;
    private final Set<JobId> notAgain = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<JobId, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    });

    private double averageNanos;
    private int samples;
    private boolean remembers;

    Prefetch(int slots) {
        this.slots = slots;
    }

    /** A handler has run for so long. */
    synchronized void observe(long ranNanos) {
        samples = Math.min(samples + 1, ENOUGH_SAMPLES);
        averageNanos += (ranNanos - averageNanos) * (samples < ENOUGH_SAMPLES ? 1.0 / samples : WEIGHT);
    }

    /** How many jobs may be leased beyond the free slots. */
    synchronized int extra() {
        if (samples < ENOUGH_SAMPLES || averageNanos > SLOWEST_NANOS) {
            return 0;
        }
        return (int) Math.min(MAX_EXTRA, slots * HORIZON_NANOS / Math.max(1, averageNanos));
    }

    /** A prefetched job waited too long: it is not prefetched again here, and nothing is until short runs are seen anew. */
    synchronized void tooSlow(JobId job) {
        notAgain.add(job);
        remembers = true;
        samples = 0;
        averageNanos = 0;
    }

    /** Whether a job may wait here for a slot. */
    synchronized boolean mayWait(JobId job) {
        return !remembers || !notAgain.contains(job);
    }
}
