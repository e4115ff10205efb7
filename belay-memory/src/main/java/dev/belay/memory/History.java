package dev.belay.memory;

import dev.belay.job.HistoryEntry;
import dev.belay.job.JobError;
import dev.belay.job.Limits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The history of one job: the newest 20 entries, at most 64 KiB, the oldest stacks cut first; the count of all. */
final class History {

    private final List<HistoryEntry> entries = new ArrayList<>();
    private int count;

    void add(HistoryEntry entry) {
        count++;
        entries.add(entry);
        if (entries.size() > Limits.HISTORY_ENTRIES) {
            entries.remove(0);
        }
        var excess = size() - Limits.HISTORY_BYTES;
        for (var i = 0; excess > 0 && i < entries.size(); i++) {
            var old = entries.get(i);
            entries.set(i, withoutStack(old));
            excess -= size(old) - size(entries.get(i));
        }
        while (excess > 0 && entries.size() > 1) {
            excess -= size(entries.remove(0));
        }
    }

    int count() {
        return count;
    }

    /** Newest last. */
    List<HistoryEntry> entries() {
        return List.copyOf(entries);
    }

    private long size() {
        return entries.stream().mapToLong(History::size).sum();
    }

    private static long size(HistoryEntry entry) {
        var size = size(entry.worker()) + size(entry.detail());
        var by = entry.by();
        if (by != null) {
            size += size(by.who()) + size(by.why());
        }
        var error = entry.error();
        if (error != null) {
            size += size(error.errorClass()) + size(error.message()) + size(error.stack()) + size(error.fingerprint());
        }
        return size;
    }

    private static long size(@Nullable String text) {
        return text == null ? 0 : Limits.utf8Length(text);
    }

    private static HistoryEntry withoutStack(HistoryEntry entry) {
        var error = entry.error();
        return error == null
                ? entry
                : new HistoryEntry(
                        entry.at(),
                        entry.kind(),
                        entry.attempt(),
                        entry.token(),
                        entry.worker(),
                        entry.by(),
                        entry.detail(),
                        new JobError(error.errorClass(), error.message(), "", error.fingerprint()));
    }
}
