package dev.belay.engine;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes what its retention has ended, in small batches. */
final class Pruner implements Service {

    private static final Logger LOG = LoggerFactory.getLogger(Pruner.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final Duration BETWEEN_BATCHES = Duration.ofMillis(50);

    private final Parts parts;

    Pruner(Parts parts) {
        this.parts = parts;
    }

    @Override
    public String name() {
        return "pruner";
    }

    @Override
    public Duration runOnce() {
        var reply = parts.broker().prune();
        if (reply.deadDropped() > 0) {
            LOG.warn("Dropped {} dead letters by the limits that are set for their queues", reply.deadDropped());
        }
        parts.events().tellDeaths(reply.expired());
        return reply.more() ? BETWEEN_BATCHES : Reaper.shortened(INTERVAL);
    }
}
