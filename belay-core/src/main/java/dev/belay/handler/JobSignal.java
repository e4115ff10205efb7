package dev.belay.handler;

import dev.belay.job.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a handler throws to end a delivery in another way than by success or failure. */
public abstract sealed class JobSignal extends RuntimeException {

    private static final long serialVersionUID = 1;

    private JobSignal(String message, @Nullable Throwable cause, boolean stack) {
        super(message, cause, stack, stack);
    }

    /** Put off at no cost: no failure is counted. */
    public static final class Snooze extends JobSignal {
        private static final long serialVersionUID = 1;

        private final Duration delay;

        public Snooze(Duration delay) {
            super("snoozed for " + delay, null, false);
            this.delay = Limits.wait("snooze delay", delay);
        }

        public Duration delay() {
            return delay;
        }
    }

    /** A failure with a wait of its own, as a provider asked for with HTTP 429 or 503. Cap and jitter never shorten it. */
    public static final class RetryAfter extends JobSignal {
        private static final long serialVersionUID = 1;

        private final Duration delay;

        public RetryAfter(Duration delay, String why) {
            this(delay, why, null);
        }

        public RetryAfter(Duration delay, String why, @Nullable Throwable cause) {
            super(why, cause, true);
            this.delay = Limits.wait("retryAfter delay", delay);
        }

        public Duration delay() {
            return delay;
        }
    }

    /** Buried at once. */
    public static final class Bury extends JobSignal {
        private static final long serialVersionUID = 1;

        public Bury(String why) {
            this(why, null);
        }

        public Bury(String why, @Nullable Throwable cause) {
            super(why, cause, true);
        }
    }
}
