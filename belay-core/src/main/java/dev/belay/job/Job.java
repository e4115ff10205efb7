package dev.belay.job;

import org.jspecify.annotations.Nullable;

/**
 * A job as its broker knows it, without the large parts (payload, result, history), so that lists stay small.
 *
 * @param encoding of the payload
 * @param schemaVersion of the payload
 * @param payloadSize in bytes
 * @param reason why it is DEAD (the name of a {@link DeadReason}) or CANCELLED (the canceller's words); null otherwise
 * @param token the newest fencing token; 0 before the first lease
 * @param session the holder while RUNNING; null otherwise
 * @param lastSettled null before the first settle
 * @param lastError of the last failure; null before one
 * @param progress what the handler said last; null before
 * @param historyCount of all history entries ever, those no longer kept included
 * @param format the version of the stored record
 */
public record Job(
        JobId id,
        String queue,
        String type,
        String encoding,
        int schemaVersion,
        int payloadSize,
        IdempotencyKey key,
        JobOptions options,
        JobState state,
        @Nullable String reason,
        JobTimes times,
        JobCounts counts,
        long token,
        @Nullable SessionId session,
        @Nullable LastSettled lastSettled,
        @Nullable JobError lastError,
        @Nullable String progress,
        JobLinks links,
        int historyCount,
        int format) {

    /** The format version that this version of Belay writes. */
    public static final int FORMAT = 1;

    /** Whether it was written by a newer version of Belay: left alone by this one. */
    public boolean isNewer() {
        return format > FORMAT;
    }

    /** Whether it crashed before and has one crash left: then it runs alone. */
    public boolean isSuspect() {
        return counts.crashes() >= 1 && hasOneCrashLeft();
    }

    /** Whether one more crash of a begun delivery buries it. */
    public boolean hasOneCrashLeft() {
        return counts.crashes() + 1 >= options.maxCrashes();
    }
}
