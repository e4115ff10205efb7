package dev.belay.sql.view;

import dev.belay.broker.JobDetail;
import dev.belay.jdbc.Statements;
import dev.belay.job.By;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobError;
import dev.belay.job.JobId;
import dev.belay.job.Payload;
import dev.belay.sql.row.JobRow;
import dev.belay.sql.row.Jobs;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job with all that is kept of it. */
public final class JobDetails {

    private final Statements sql;
    private final JobListing listing;

    public JobDetails(Statements sql, long namespace, FilterSql filterSql) throws SQLException {
        this.sql = sql;
        this.listing = new JobListing(sql, namespace, filterSql);
    }

    /**
     * What was read.
     *
     * @param corrupt the number of its row, where it can't be read and is not known as such
     */
    public record Found(JobDetail detail, List<Long> corrupt) {}

    /** A job by id, in one queue or in any; null where it is in none. */
    public @Nullable Found find(@Nullable String name, JobId id) throws SQLException {
        for (var queue : listing.queues(name)) {
            var row = Jobs.byId(sql, queue.id, id.value());
            if (row != null) {
                return found(row);
            }
        }
        return null;
    }

    private Found found(JobRow row) throws SQLException {
        var corrupt = new ArrayList<Long>();
        var job = listing.job(row, corrupt);
        var unreadable = !corrupt.isEmpty() || (row.isDead() && "CORRUPT".equals(row.reason));
        var history = row.historyCount == 0
                ? List.<HistoryEntry>of()
                : sql.get("history-list").set("job", row.seq).list(JobDetails::entry);
        return new Found(
                new JobDetail(
                        job, unreadable ? null : payload(row), result(row), history, unreadable ? raw(row) : null),
                corrupt);
    }

    private byte @Nullable [] result(JobRow row) throws SQLException {
        return row.more ? sql.get("more-result-read").set("job", row.seq).first(result -> result.getBytes(1)) : null;
    }

    private Payload payload(JobRow row) throws SQLException {
        var bytes = sql.get("job-payload").set("seq", row.seq).first(payload -> payload.getBytes(1));
        return new Payload(bytes == null ? new byte[0] : bytes, row.encoding, row.schemaVersion);
    }

    private byte[] raw(JobRow row) throws SQLException {
        var raw = sql.get("job-raw").set("seq", row.seq).first(RawRecord::read);
        return raw == null ? new byte[0] : raw;
    }

    private static HistoryEntry entry(ResultSet row) throws SQLException {
        var who = row.getString(7);
        var errorClass = row.getString(10);
        return new HistoryEntry(
                row.getLong(2),
                HistoryEntry.Kind.valueOf(row.getString(3)),
                row.getInt(4),
                row.getLong(5),
                row.getString(6),
                who == null ? null : new By(who, row.getString(8)),
                row.getString(9),
                errorClass == null
                        ? null
                        : new JobError(errorClass, row.getString(12), row.getString(13), row.getString(11)));
    }
}
