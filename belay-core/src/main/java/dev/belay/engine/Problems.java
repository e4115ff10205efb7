package dev.belay.engine;

import dev.belay.time.MonotonicClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is wrong with a worker at this moment, in words. Thread-safe. */
final class Problems {

    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
    private static final long REFUSAL_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long IGNORED_NANOS = Duration.ofSeconds(2).toNanos();

    private final MonotonicClock clock;
    private volatile @Nullable String broker;
    private @Nullable String refusal;
    private long refusedAtNanos;
    private boolean outdated;

    Problems(MonotonicClock clock) {
        this.clock = clock;
    }

    void brokerFails(Throwable e) {
        broker = "the broker does not answer: " + (e.getMessage() == null ? e.toString() : e.getMessage());
    }

    void brokerAnswers() {
        if (broker != null) {
            broker = null;
        }
    }

    synchronized void outdated() {
        if (!outdated) {
            outdated = true;
            LOG.error(
                    "The store was upgraded past this version of Belay: leasing nothing more; deploy a newer version");
        }
    }

    void handOverRefused(String queue, Throwable e) {
        LOG.warn(
                "A job of queue {} could not be handed to a handler's thread and is given back: {}",
                queue,
                e.toString());
        synchronized (this) {
            refusal = "handlers of queue '" + queue + "' get no thread: " + e;
            refusedAtNanos = clock.nanos();
        }
    }

    List<String> list(List<Lane> lanes, boolean leaseLoopAlive) {
        var now = clock.nanos();
        var problems = new ArrayList<String>();
        var brokerProblem = broker;
        if (brokerProblem != null) {
            problems.add(brokerProblem);
        }
        synchronized (this) {
            if (refusal != null && now - refusedAtNanos < REFUSAL_NANOS) {
                problems.add(refusal);
            }
            if (outdated) {
                problems.add("the store was upgraded past this version: deploy a newer one");
            }
        }
        if (!leaseLoopAlive) {
            problems.add("the lease loop has ended");
        }
        for (var lane : lanes) {
            if (lane.session() == null) {
                problems.add("queue '" + lane.queue() + "' is not served: not registered yet");
            } else if (!lane.isLeaseCertain(now)) {
                problems.add(
                        "heartbeats of queue '" + lane.queue() + "' were not answered for longer than a lease lasts");
            }
            var stuck = lane.stuck(now, IGNORED_NANOS);
            if (stuck >= lane.slots()) {
                problems.add("all " + lane.slots() + " slots of queue '" + lane.queue()
                        + "' are held by handlers that ignore their interrupt");
            }
        }
        return List.copyOf(problems);
    }
}
