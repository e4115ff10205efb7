package dev.belay.memory;

import dev.belay.job.Fingerprint;
import dev.belay.job.JobId;
import dev.belay.job.NewJob;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The explicit keys of one queue: each is held while its job exists, and at least for a window from its acceptance. */
final class DedupRows {

    private final Map<Name, Row> rows = new HashMap<>();

    /** Rows whose job is gone: the window alone keeps them. */
    private final TreeSet<Row> orphans = new TreeSet<>(Comparator.comparingLong(Row::since)
            .thenComparing(row -> row.name().type())
            .thenComparing(row -> row.name().key()));

    /** Who holds the key of a job, if anybody does. */
    @Nullable
    Row holder(NewJob job, long now, long windowMillis) {
        var row = rows.get(Name.of(job));
        return row == null || (orphans.contains(row) && row.since + windowMillis <= now) ? null : row;
    }

    /** Takes the key for a job that exists. */
    void claim(NewJob job, long since) {
        var row = new Row(Name.of(job), job.id(), job.key().fingerprint(), since);
        var before = rows.put(row.name, row);
        if (before != null) {
            orphans.remove(before);
        }
    }

    /** Frees the key at once, if this job holds it. */
    void free(StoredJob job) {
        var row = heldBy(job);
        if (row != null) {
            rows.remove(row.name);
        }
    }

    /** From now on the window alone keeps the key. */
    void jobRemoved(StoredJob job) {
        var row = heldBy(job);
        if (row != null) {
            orphans.add(row);
        }
    }

    /** Removes rows that nothing keeps any more, at most so many. */
    int prune(long now, long windowMillis, int atMost) {
        var removed = 0;
        while (removed < atMost && !orphans.isEmpty() && orphans.first().since + windowMillis <= now) {
            rows.remove(orphans.pollFirst().name);
            removed++;
        }
        return removed;
    }

    private @Nullable Row heldBy(StoredJob job) {
        var row = job.key().explicit() ? rows.get(Name.of(job.request)) : null;
        return row != null && row.holder.equals(job.id()) && !orphans.contains(row) ? row : null;
    }

    /** The scope of a key. */
    record Name(String type, String key) {
        static Name of(NewJob job) {
            return new Name(job.type(), job.key().value());
        }
    }

    /**
     * A key that is taken.
     *
     * @param since when its job was accepted
     */
    record Row(Name name, JobId holder, Fingerprint fingerprint, long since) {}
}
