package dev.belay.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an explicit idempotency key of a job means to later enqueues with it. How long a key is remembered, and whether it
 * counts only while its holder waits, is what the holder was enqueued with; whether the waiting holder's payload gives way is
 * what the later enqueue says. Without an explicit key nothing is remembered.
 *
 * @param window how long the key is remembered at least, from acceptance, even after the job has gone; null for the
 *     namespace's setting
 * @param replaceWaiting whether a holder with another payload takes over this request's while it has not been started
 * @param atMostOneWaiting whether the key counts only while its holder waits (SCHEDULED or READY). Once it runs or is final,
 *     the next enqueue is accepted as a new job and takes the key over; a holder that returns to waiting after that (by a
 *     retry, a release, a crash) does not get it back. The window does not matter then
 */
public record Dedup(@Nullable Duration window, boolean replaceWaiting, boolean atMostOneWaiting) {

    /** Remembered while the job exists, and for the namespace's window. */
    public static final Dedup DEFAULT = new Dedup(null, false, false);

    public Dedup {
        if (window != null) {
            Limits.positive("dedupWindow", window);
        }
    }

    public Dedup withWindow(@Nullable Duration value) {
        return new Dedup(value, replaceWaiting, atMostOneWaiting);
    }

    public Dedup withReplaceWaiting(boolean value) {
        return new Dedup(window, value, atMostOneWaiting);
    }

    public Dedup withAtMostOneWaiting(boolean value) {
        return new Dedup(window, replaceWaiting, value);
    }

    /** @throws InvalidInputException where it says something that has no meaning for a job of that key */
    void check(String type, IdempotencyKey key) {
        if (!key.explicit() && (replaceWaiting || atMostOneWaiting)) {
            throw new InvalidInputException(
                    "idempotencyKey",
                    (replaceWaiting ? "replaceWaiting" : "atMostOneWaiting")
                            + " is about jobs with the same key, but this request of type '" + type
                            + "' has none: call key(…)");
        }
    }
}
