package dev.belay.time;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The waits between tries of a call to a broker that is away: doubling, with jitter, up to a cap. Not thread-safe. */
public final class Retrying {

    private final long firstMillis;
    private final long capMillis;
    private long boundMillis;

    public Retrying(Duration first, Duration cap) {
        firstMillis = first.toMillis();
        capMillis = cap.toMillis();
        boundMillis = firstMillis;
    }

    /** The wait before the next try: between half of the bound and the bound. */
    public Duration next() {
        var bound = boundMillis;
        boundMillis = Math.min(capMillis, boundMillis * 2);
        return Duration.ofMillis(bound / 2 + ThreadLocalRandom.current().nextLong(bound / 2 + 1));
    }

    /** A call went through: begin again with the shortest wait. */
    public void reset() {
        boundMillis = firstMillis;
    }
}
