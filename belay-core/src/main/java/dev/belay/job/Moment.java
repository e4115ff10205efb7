package dev.belay.job;

import java.time.Duration;
import java.time.Instant;

/** A point in time that the broker's clock resolves: absolute, or counted from the broker's now. */
public sealed interface Moment {

    /** The broker's now. */
    Moment NOW = new After(Duration.ZERO);

    /** The absolute time in epoch milliseconds, given the broker's now. */
    long resolve(long brokerNowMillis);

    /** At an instant, from 1970 to the end of 9999; one that is past means now. Stored in milliseconds, rounded up. */
    record At(Instant instant) implements Moment {
        public At {
            Limits.instant("instant", instant);
        }

        @Override
        public long resolve(long brokerNowMillis) {
            // Rounded up: never early.
            return instant.getNano() % 1_000_000 == 0 ? instant.toEpochMilli() : instant.toEpochMilli() + 1;
        }
    }

    /** After a wait, counted from when the broker accepts the call. */
    record After(Duration delay) implements Moment {
        public After {
            Limits.wait("delay", delay);
        }

        @Override
        public long resolve(long brokerNowMillis) {
            var millis = delay.toMillis();
            return brokerNowMillis + (delay.getNano() % 1_000_000 == 0 ? millis : millis + 1);
        }
    }
}
