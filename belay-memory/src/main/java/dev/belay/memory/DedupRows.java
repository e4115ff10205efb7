package dev.belay.memory;

import dev.belay.job.Dedup;
import dev.belay.job.Fingerprint;
import dev.belay.job.JobId;
import dev.belay.job.NewJob;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The explicit keys of one queue: each is held while its job exists, and at least for a window from its acceptance; or, if its
 * holder said so, only while that waits.
 */
final class DedupRows {

    private final Map<Name, Row> rows = new HashMap<>();

    /** Rows whose job is gone: the window of the namespace alone keeps them. */
    private final TreeSet<Row> orphans = byTime(Row::since);

    /** Rows whose job is gone: their own window alone keeps them. */
    private final TreeSet<Row> orphansOfOwnWindow = byTime(Row::ownEnd);

    /** Who holds the key of a job, if anybody does. Whether it counts while its holder does not wait, the caller judges. */
    @Nullable
    Row holder(NewJob job, long now, long windowMillis) {
        var row = rows.get(Name.of(job));
        if (row == null) {
            return null;
        }
        var over = (orphans.contains(row) && row.since + windowMillis <= now)
                || (orphansOfOwnWindow.contains(row) && row.ownEnd() <= now);
        return over ? null : row;
    }

    /** Takes the key for a job that exists. */
    void claim(NewJob job, long since) {
        var row = new Row(
                Name.of(job),
                job.id(),
                job.key().fingerprint(),
                since,
                job.options().dedup());
        var before = rows.put(row.name, row);
        if (before != null) {
            orphans.remove(before);
            orphansOfOwnWindow.remove(before);
        }
    }

    /** The holder of its key has another payload now: all else of the key stays. */
    void replaced(StoredJob job) {
        rows.computeIfPresent(
                Name.of(job.request),
                (name, row) -> new Row(name, row.holder, job.key().fingerprint(), row.since, row.dedup));
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
        if (row == null) {
            return;
        }
        if (row.dedup.atMostOneWaiting()) {
            rows.remove(row.name);
        } else if (row.dedup.window() != null) {
            orphansOfOwnWindow.add(row);
        } else {
            orphans.add(row);
        }
    }

    /** Removes rows that nothing keeps any more, at most so many. */
    int prune(long now, long windowMillis, int atMost) {
        var removed = prune(orphans, row -> row.since + windowMillis, now, atMost);
        return removed + prune(orphansOfOwnWindow, Row::ownEnd, now, atMost - removed);
    }

    private int prune(TreeSet<Row> from, ToLongFunction<Row> end, long now, int atMost) {
        var removed = 0;
        while (removed < atMost && !from.isEmpty() && end.applyAsLong(from.first()) <= now) {
            rows.remove(from.pollFirst().name);
            removed++;
        }
        return removed;
    }

    private @Nullable Row heldBy(StoredJob job) {
        var row = job.key().explicit() ? rows.get(Name.of(job.request)) : null;
        return row != null && row.holder.equals(job.id()) && !orphans.contains(row) && !orphansOfOwnWindow.contains(row)
                ? row
                : null;
    }

    private static TreeSet<Row> byTime(ToLongFunction<Row> time) {
        return new TreeSet<>(Comparator.comparingLong(time)
                .thenComparing(row -> row.name().type())
                .thenComparing(row -> row.name().key()));
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
     * @param dedup what its holder said of it
     */
    record Row(Name name, JobId holder, Fingerprint fingerprint, long since, Dedup dedup) {

        /** When its own window ends; where it has none, at once. */
        long ownEnd() {
            var window = dedup.window();
            return since + (window == null ? 0 : window.toMillis());
        }
    }
}
