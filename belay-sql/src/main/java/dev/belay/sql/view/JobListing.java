package dev.belay.sql.view;

import dev.belay.broker.JobQuery;
import dev.belay.jdbc.Rows;
import dev.belay.jdbc.Statements;
import dev.belay.job.InvalidInputException;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.SessionId;
import dev.belay.sql.row.CorruptRecordException;
import dev.belay.sql.row.JobRecords;
import dev.belay.sql.row.JobRow;
import dev.belay.sql.row.Jobs;
import dev.belay.sql.step.QueueRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pages of jobs, newest first by (createdAt, id). */
public final class JobListing {

    private static final Comparator<Place> NEWEST_FIRST = Comparator.comparingLong(Place::createdAt)
            .thenComparing(place -> place.id().value().getMostSignificantBits(), Long::compareUnsigned)
            .thenComparing(place -> place.id().value().getLeastSignificantBits(), Long::compareUnsigned)
            .thenComparing(Place::queue)
            .reversed();

    private final Statements sql;
    private final FilterSql filterSql;
    private final Map<Long, String> names = new HashMap<>();
    private final List<QueueRow> queues = new ArrayList<>();

    /** @param filterSql how the tables are read */
    public JobListing(Statements sql, long namespace, FilterSql filterSql) throws SQLException {
        this.sql = sql;
        this.filterSql = filterSql;
        for (var queue : sql.get("queue-all").set("namespace", namespace).list(QueueRow::read)) {
            queues.add(queue);
            names.put(queue.id, queue.name);
        }
    }

    /**
     * What was read.
     *
     * @param jobs in order
     * @param next what to ask the next page with; null where this is the last
     * @param corrupt the numbers of rows, among those read, that can't be read and are not known as such
     */
    public record Page(List<Job> jobs, @Nullable String next, List<Long> corrupt) {}

    public Page page(JobQuery query, @Nullable String cursor, int limit) throws SQLException {
        var filter = filter(query);
        var after = cursor == null ? null : parse(cursor);
        if (filter == null) {
            return new Page(List.of(), null, List.of());
        }
        var places = places(filter, after, limit + 1);
        var more = places.size() > limit;
        var jobs = new ArrayList<Job>();
        var corrupt = new ArrayList<Long>();
        for (var place : more ? places.subList(0, limit) : places) {
            var row = Jobs.bySeq(sql, place.seq);
            if (row != null) {
                jobs.add(job(row, corrupt));
            }
        }
        return new Page(List.copyOf(jobs), more ? cursor(places.get(limit - 1)) : null, corrupt);
    }

    public long count(JobQuery query, long atMost) throws SQLException {
        var filter = filter(query);
        if (filter == null || atMost <= 0) {
            return 0;
        }
        if (query.inQueue(null).equals(JobQuery.ALL.inState(query.states().toArray(JobState[]::new)))) {
            return Math.min(atMost, inStates(query));
        }
        try (var count = filter.prepare(sql, "SELECT count(*) FROM (SELECT 1", " LIMIT :atMost) found")) {
            return count.set("atMost", atMost).number(0);
        }
    }

    /** The job of a row; one that can't be read as well as it can be done. */
    Job job(JobRow row, List<Long> corrupt) throws SQLException {
        var queue = names.getOrDefault(row.queue, "");
        var session = session(row);
        try {
            return JobRecords.job(row, queue, session);
        } catch (CorruptRecordException e) {
            if (row.format <= Job.FORMAT && !("CORRUPT".equals(row.reason) && row.isDead())) {
                corrupt.add(row.seq);
            }
            return JobRecords.salvage(row, queue, session);
        }
    }

    List<QueueRow> queues(@Nullable String name) {
        return queues.stream()
                .filter(queue -> name == null || name.equals(queue.name))
                .toList();
    }

    private @Nullable SessionId session(JobRow row) throws SQLException {
        return row.isRunning()
                ? sql.get("session-holder")
                        .set("session", row.at)
                        .<SessionId>first(holder -> new SessionId(Rows.uuid(holder.getBytes(2))))
                : null;
    }

    private @Nullable JobFilter filter(JobQuery query) {
        var wanted = queues(query.queue());
        return wanted.isEmpty()
                ? null
                : new JobFilter(
                        filterSql, query, wanted.stream().map(queue -> queue.id).toList(), inStates(query));
    }

    private long inStates(JobQuery query) {
        return queues(query.queue()).stream()
                .flatMap(queue -> queue.counts.entrySet().stream())
                .filter(entry -> query.states().isEmpty() || query.states().contains(entry.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /**
     * Rows are numbered by (createdAt, acceptance), lists are ordered by (createdAt, id). So first as many rows as wanted
     * are taken by number, then, if more are left, all of the oldest millisecond among them, and the order is made anew.
     */
    private List<Place> places(JobFilter filter, @Nullable Place after, int wanted) throws SQLException {
        var below = after == null ? Long.MAX_VALUE : (after.createdAt() + 1) << JobRow.SEQ_BITS;
        var found = sorted(filter, after, " AND seq < :below ORDER BY seq DESC LIMIT :limit", below, 0, wanted);
        if (found.size() == wanted) {
            var oldest = found.get(wanted - 1).createdAt() << JobRow.SEQ_BITS;
            found = sorted(
                    filter,
                    after,
                    " AND seq < :below AND seq >= :from ORDER BY seq >> 20 DESC, id DESC, job.queue DESC LIMIT :limit",
                    below,
                    oldest,
                    wanted);
        }
        return found;
    }

    private List<Place> sorted(JobFilter filter, @Nullable Place after, String order, long below, long from, int wanted)
            throws SQLException {
        var behind = after == null
                ? ""
                : " AND (seq < :begin OR id < :afterId OR (id = :afterId AND job.queue < :afterQueue))";
        try (var query = filter.prepare(sql, "SELECT seq, id, job.queue", behind + order)) {
            query.set("below", below).set("limit", wanted);
            if (order.contains(":from")) {
                query.set("from", from);
            }
            if (after != null) {
                query.set("begin", after.createdAt() << JobRow.SEQ_BITS)
                        .set("afterId", after.id.value())
                        .set("afterQueue", after.queue);
            }
            var places = new ArrayList<>(
                    query.list(row -> new Place(row.getLong(1), id(row.getLong(1), row.getBytes(2)), row.getLong(3))));
            places.sort(NEWEST_FIRST);
            return places;
        }
    }

    private static JobId id(long seq, byte @Nullable [] bytes) {
        return bytes == null || bytes.length != 16
                ? new JobId(new java.util.UUID(0, seq))
                : new JobId(Rows.uuid(bytes));
    }

    private static String cursor(Place last) {
        return last.createdAt() + "/" + last.id + "/" + last.queue;
    }

    private static Place parse(String cursor) {
        var parts = cursor.split("/", -1);
        try {
            if (parts.length == 3) {
                return new Place(
                        Long.parseLong(parts[0]) << JobRow.SEQ_BITS, JobId.parse(parts[1]), Long.parseLong(parts[2]));
            }
        } catch (IllegalArgumentException e) {
            // falls through to the one message for every wrong text
        }
        throw new InvalidInputException("cursor", "must be one that a page named as next, but is '" + cursor + "'");
    }

    /** The place of a job in lists. */
    private record Place(long seq, JobId id, long queue) {
        long createdAt() {
            return seq >> JobRow.SEQ_BITS;
        }
    }
}
