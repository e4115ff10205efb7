package dev.belay.engine;

import java.time.Duration;

/** Gives back what was prefetched and not started in time, so that another worker can run it. */
final class StalePrefetch implements Service {

    private static final Duration INTERVAL = Duration.ofMillis(250);

    private final Parts parts;

    StalePrefetch(Parts parts) {
        this.parts = parts;
    }

    @Override
    public String name() {
        return "prefetch";
    }

    @Override
    public Duration runOnce() {
        var leasedBefore = parts.clock().nanos() - Prefetch.MAX_WAIT.toNanos();
        for (var lane : parts.lanes()) {
            for (var delivery : lane.takeUnstarted(leasedBefore)) {
                lane.prefetch().tooSlow(delivery.id().job());
                parts.settlers().release(delivery);
            }
        }
        return INTERVAL;
    }
}
