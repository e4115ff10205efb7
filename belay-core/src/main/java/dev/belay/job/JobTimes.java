package dev.belay.job;

import org.jspecify.annotations.Nullable;

/**
 * When things happened to a job, in epoch milliseconds by the broker's clock.
 *
 * @param createdAt when it was accepted
 * @param runAt earliest start
 * @param readyAt when it became ready: its place in line; null before
 * @param expiresAt after it the job is not started any more; null for never
 * @param leasedAt of the newest lease, while running; null otherwise
 * @param begunAt when the newest lease was begun (suspects and jobs with {@code maxCrashes = 1}); null otherwise
 * @param finishedAt when it became final; null before
 * @param unknownSince first refusal as unknown type; null where the type is known
 */
public record JobTimes(
        long createdAt,
        long runAt,
        @Nullable Long readyAt,
        @Nullable Long expiresAt,
        @Nullable Long leasedAt,
        @Nullable Long begunAt,
        @Nullable Long finishedAt,
        @Nullable Long unknownSince) {}
