package dev.belay.job;

import org.jspecify.annotations.Nullable;

/**
 * One thing that happened to a job. Acceptance, lease and success of an untroubled job are not listed: they follow from
 * its fields.
 *
 * @param at by the broker's clock, epoch milliseconds
 * @param kind what happened
 * @param attempt failures + 1 at that time
 * @param token of the delivery it belongs to; 0 where none
 * @param worker host and process of the worker; null where none was involved
 * @param by who asked for it, and why; null where no person or program did
 * @param detail in words: the dead reason, the wait, what was edited; null where the kind says it all
 * @param error for failures; null otherwise
 */
public record HistoryEntry(
        long at,
        Kind kind,
        int attempt,
        long token,
        @Nullable String worker,
        @Nullable By by,
        @Nullable String detail,
        @Nullable JobError error) {

    /** What happened. */
    public enum Kind {
        FAILED,
        CRASHED,
        /** Its session ended before it was begun, at one crash left: not counted. */
        RETURNED,
        BURIED,
        EXPIRED,
        CANCELLED,
        REPLAYED,
        EDITED,
        RUN_NOW,
        /** Given back at the end of a drain while its handler was still running. */
        INTERRUPTED,
        /**
         * It has another payload: it takes the place of a job that was replayed with another one, or an enqueue with its key
         * replaced it while it waited.
         */
        REPLACED
    }
}
