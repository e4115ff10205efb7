package dev.belay.engine;

import dev.belay.job.Job;
import dev.belay.job.Outcome;
import dev.belay.time.MonotonicClock;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts off what this worker does not know, and warns about it once a minute. Thread-safe. */
final class UnknownTypes {

    private static final Logger LOG = LoggerFactory.getLogger(UnknownTypes.class);
    private static final long WARN_EVERY_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int DOUBLINGS = 5;
    private static final long CAP_SECONDS = 30;

    private final MonotonicClock clock;
    private final ConcurrentMap<String, Long> warned = new ConcurrentHashMap<>();

    UnknownTypes(MonotonicClock clock) {
        this.clock = clock;
    }

    /** 1 s, doubling to 30 s. */
    Outcome snooze(Job job) {
        warn(job);
        var doublings = Math.min(DOUBLINGS, job.counts().snoozes());
        return new Outcome.Snooze(Duration.ofSeconds(Math.min(CAP_SECONDS, 1L << doublings)), true);
    }

    private void warn(Job job) {
        var now = clock.nanos();
        var due = warned.merge(job.type(), now, (last, current) -> current - last > WARN_EVERY_NANOS ? current : last);
        if (due == now) {
            LOG.warn(
                    "Queue {} holds jobs of type '{}' (version {}) that this worker does not know: they are put off."
                            + " Deploy a worker that knows the type, or serve it in a queue of its own",
                    job.queue(),
                    job.type(),
                    job.schemaVersion());
        }
    }
}
