package dev.belay.time;

import java.time.Duration;

/** How far this host's clock is from the broker's: for a warning, never for a decision. */
public final class Skew {

    private Skew() {}

    /** This host's time minus the broker's. */
    public static Duration of(long brokerMillis) {
        return Duration.ofMillis(System.currentTimeMillis() - brokerMillis);
    }
}
