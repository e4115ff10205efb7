package dev.belay.sql.view;

import dev.belay.broker.AuditEntry;
import dev.belay.broker.AuditPage;
import dev.belay.jdbc.Rows;
import dev.belay.jdbc.Statements;
import dev.belay.job.By;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.Limits;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The audit log, newest first. */
public final class AuditView {

    private AuditView() {}

    public static AuditPage page(
            Statements sql, long namespace, @Nullable JobId job, @Nullable String cursor, int limit)
            throws SQLException {
        Limits.range("limit", limit, 1, Integer.MAX_VALUE);
        var query = sql.get(job == null ? "audit-list" : "audit-of-job")
                .set("namespace", namespace)
                .set("below", below(cursor))
                .set("limit", limit + 1L);
        if (job != null) {
            query.set("job", job.value());
        }
        var found = query.list(row -> new Numbered(row.getLong(1), entry(row)));
        var more = found.size() > limit;
        var page = more ? found.subList(0, limit) : found;
        return new AuditPage(
                page.stream().map(Numbered::entry).toList(), more ? String.valueOf(page.get(limit - 1).no) : null);
    }

    private static AuditEntry entry(ResultSet row) throws SQLException {
        var job = row.getBytes(5);
        return new AuditEntry(
                row.getLong(2),
                row.getString(3),
                row.getString(4),
                job == null || job.length != 16 ? null : new JobId(Rows.uuid(job)),
                new By(row.getString(6), row.getString(7)),
                row.getString(8));
    }

    private static long below(@Nullable String cursor) {
        try {
            return cursor == null ? Long.MAX_VALUE : Long.parseLong(cursor);
        } catch (NumberFormatException e) {
            throw new InvalidInputException("cursor", "must be one that a page named as next, but is '" + cursor + "'");
        }
    }

    private record Numbered(long no, AuditEntry entry) {}
}
