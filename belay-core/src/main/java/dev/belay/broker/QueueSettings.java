package dev.belay.broker;

import dev.belay.job.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a queue, kept in the broker.
 *
 * @param keepFinished how long succeeded and cancelled jobs are kept; zero removes succeeded jobs at once
 * @param keepFinishedCount how many succeeded and cancelled jobs are kept; the oldest go first
 * @param keepDead how long dead letters are kept, counted from their arrival; null for ever
 * @param keepDeadCount how many dead letters are kept; null for all
 * @param keepDeadBytes how many payload bytes of dead letters are kept; null for all
 */
public record QueueSettings(
        Duration keepFinished,
        int keepFinishedCount,
        @Nullable Duration keepDead,
        @Nullable Integer keepDeadCount,
        @Nullable Long keepDeadBytes) {

    public static final QueueSettings DEFAULT = new QueueSettings(Duration.ofHours(24), 100_000, null, null, null);

    public QueueSettings {
        Limits.wait("keepFinished", keepFinished);
        Limits.range("keepFinishedCount", keepFinishedCount, 0, Integer.MAX_VALUE);
        if (keepDead != null) {
            Limits.positive("keepDead", keepDead);
        }
        if (keepDeadCount != null) {
            Limits.range("keepDeadCount", keepDeadCount, 0, Integer.MAX_VALUE);
        }
        if (keepDeadBytes != null && keepDeadBytes < 0) {
            throw new dev.belay.job.InvalidInputException(
                    "keepDeadBytes", "must be 0 or more, but is " + keepDeadBytes);
        }
    }

    /** The same with another retention of succeeded and cancelled jobs. */
    public QueueSettings withFinished(Duration keep, int count) {
        return new QueueSettings(keep, count, keepDead, keepDeadCount, keepDeadBytes);
    }

    /** The same with another retention of dead letters. */
    public QueueSettings withDead(@Nullable Duration keep, @Nullable Integer count, @Nullable Long bytes) {
        return new QueueSettings(keepFinished, keepFinishedCount, keep, count, bytes);
    }
}
