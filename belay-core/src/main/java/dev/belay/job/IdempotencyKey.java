package dev.belay.job;

/**
 * What makes two requests the same. The value is immutable for the whole life of the job, and so is the fingerprint, unless an
 * enqueue replaces the payload of a job that waits.
 *
 * @param value 1 to 255 characters; the job's id where none was given
 * @param fingerprint of the request that came with it
 * @param explicit whether it was given; only explicit keys are remembered for the dedup window
 */
public record IdempotencyKey(String value, Fingerprint fingerprint, boolean explicit) {

    public IdempotencyKey {
        Limits.text("idempotencyKey", value, 1, Limits.KEY);
    }
}
