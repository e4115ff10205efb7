package dev.belay.engine;

import java.time.Duration;

/** Moves due jobs to READY while no slot is free: otherwise the lease call does. */
final class Promoter implements Service {

    private static final Duration INTERVAL = Duration.ofMillis(250);

    private final Parts parts;

    Promoter(Parts parts) {
        this.parts = parts;
    }

    @Override
    public String name() {
        return "promoter";
    }

    @Override
    public Duration runOnce() {
        for (var lane : parts.lanes()) {
            if (lane.session() != null && !lane.hasFreeSlot()) {
                parts.events()
                        .tellDeaths(
                                parts.broker().promote(lane.queue(), INTERVAL).expired());
            }
        }
        return Reaper.shortened(INTERVAL);
    }
}
