package dev.belay.job;

/** Why a job is a dead letter. */
public enum DeadReason {
    /** Failed as often as it may: {@code maxAttempts}. */
    ATTEMPTS_EXHAUSTED,
    /** Failed with an error that its type never retries. */
    NOT_RETRYABLE,
    /** Its payload can't be decoded into what its type expects. */
    UNDECODABLE,
    /** An external call may or may not have happened, and must not be repeated. */
    OUTCOME_UNKNOWN,
    /** Buried by its handler. */
    BY_HANDLER,
    /** Its workers died or stalled as often as {@code maxCrashes} allows. */
    WORKER_LOST,
    /** {@code expiresAt} passed before it could be started (again). */
    EXPIRED,
    /** No worker knew its type for longer than the unknown-type limit. */
    UNKNOWN_TYPE,
    /** Its stored record can't be read; the raw bytes are kept. */
    CORRUPT
}
