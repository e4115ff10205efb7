package dev.belay.memory;

import dev.belay.broker.AuditEntry;
import dev.belay.broker.AuditPage;
import dev.belay.job.By;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The audit log of a namespace, in order of writing. */
final class AuditLog {

    private final TreeMap<Long, AuditEntry> entries = new TreeMap<>();
    private long newest;

    void add(AuditEntry entry) {
        entries.put(++newest, entry);
    }

    void add(long now, String action, @Nullable String queue, @Nullable JobId job, By by, @Nullable String detail) {
        add(new AuditEntry(now, action, queue, job, by, detail));
    }

    /** Newest first. */
    AuditPage page(@Nullable JobId job, @Nullable String cursor, int limit) {
        Limits.range("limit", limit, 1, Integer.MAX_VALUE);
        var page = new ArrayList<AuditEntry>();
        long last = 0;
        for (var entry : entries.headMap(before(cursor), false).descendingMap().entrySet()) {
            if (job == null || job.equals(entry.getValue().job())) {
                if (page.size() == limit) {
                    return new AuditPage(List.copyOf(page), String.valueOf(last));
                }
                page.add(entry.getValue());
                last = entry.getKey();
            }
        }
        return new AuditPage(List.copyOf(page), null);
    }

    /** Removes entries written before a time, at most so many. */
    int prune(long writtenBefore, int atMost) {
        var removed = 0;
        while (removed < atMost
                && !entries.isEmpty()
                && entries.firstEntry().getValue().at() < writtenBefore) {
            entries.pollFirstEntry();
            removed++;
        }
        return removed;
    }

    private static long before(@Nullable String cursor) {
        try {
            return cursor == null ? Long.MAX_VALUE : Long.parseLong(cursor);
        } catch (NumberFormatException e) {
            throw new InvalidInputException("cursor", "must be one that a page named as next, but is '" + cursor + "'");
        }
    }
}
