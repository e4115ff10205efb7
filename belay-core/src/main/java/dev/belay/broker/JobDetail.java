package dev.belay.broker;

import dev.belay.job.HistoryEntry;
import dev.belay.job.Job;
import dev.belay.job.Payload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job with all that is kept of it.
 *
 * @param payload null where the record is corrupt, or newer than this version can read
 * @param result null where there is none
 * @param history newest last, at most 20 entries
 * @param raw the stored record as it is, where it can't be read (state DEAD, reason CORRUPT); null otherwise
 */
public record JobDetail(
        Job job,
        @Nullable Payload payload,
        byte @Nullable [] result,
        List<HistoryEntry> history,
        byte @Nullable [] raw) {}
