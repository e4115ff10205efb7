package dev.belay.redis.record;

import dev.belay.job.By;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what scripts noted of a job. */
public final class Histories {

    private Histories() {}

    /** Newest last; what can't be read is left out. */
    public static List<HistoryEntry> entries(byte[] stored) {
        var entries = new ArrayList<HistoryEntry>();
        try {
            for (var one : Packed.array(stored)) {
                if (one instanceof List<?> elements) {
                    entries.add(entry(new Row(new ArrayList<@Nullable Object>(elements))));
                }
            }
        } catch (CorruptRecordException | IllegalArgumentException e) {
            return List.copyOf(entries);
        }
        return List.copyOf(entries);
    }

    private static HistoryEntry entry(Row row) throws CorruptRecordException {
        var who = row.optionalText(5);
        var errorClass = row.optionalText(8);
        return new HistoryEntry(
                row.number(0),
                HistoryEntry.Kind.valueOf(row.text(1)),
                row.small(2),
                row.number(3),
                row.optionalText(4),
                who == null ? null : new By(who, row.optionalText(6)),
                row.optionalText(7),
                errorClass == null ? null : new JobError(errorClass, row.text(9), row.text(10), row.text(11)));
    }
}
