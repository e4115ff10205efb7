package dev.belay.handler;

import dev.belay.job.JobId;

/**
 * An enqueue carried a key (or an id) that another request has: the same key with another payload. No job was made of it.
 * In a bulk the others were accepted all the same: sending the whole bulk again, corrected, makes no second jobs where
 * they carry keys or are the same requests.
 */
public final class IdempotencyConflictException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient JobId holder;

    /**
     * @param holder the job that has the key
     * @param detail both fingerprints and when the first was seen
     */
    public IdempotencyConflictException(JobId holder, String detail) {
        super(detail);
        this.holder = holder;
    }

    /** The job that has the key. */
    public JobId holder() {
        return holder;
    }
}
