package dev.belay.sql.row;

import dev.belay.jdbc.Bound;
import dev.belay.jdbc.RowReader;
import dev.belay.jdbc.Statements;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads jobs, with what only some of them have. */
public final class Jobs {

    private Jobs() {}

    /** A job by id, in flight or not; null where there is none. */
    public static @Nullable JobRow byId(Statements sql, long queue, UUID id) throws SQLException {
        return first(sql, sql.get("job-by-id").set("queue", queue).set("id", id));
    }

    /** A job by the number of its row, in flight or not; null where there is none. */
    public static @Nullable JobRow bySeq(Statements sql, long seq) throws SQLException {
        return first(sql, sql.get("job-by-seq").set("seq", seq));
    }

    /** The jobs of a query over jobs that are not in flight. */
    public static List<JobRow> standing(Statements sql, Bound query) throws SQLException {
        return list(sql, query, JobRow::standing);
    }

    /** The jobs of a query over jobs that may be in flight. */
    public static List<JobRow> all(Statements sql, Bound query) throws SQLException {
        return list(sql, query, JobRow::read);
    }

    /** Completes a job that was read without what only some have. */
    public static JobRow complete(Statements sql, JobRow job) throws SQLException {
        if (job.more) {
            sql.get("more-find").set("job", job.seq).first(job::readMore);
        }
        return job;
    }

    private static List<JobRow> list(Statements sql, Bound query, RowReader<JobRow> reader) throws SQLException {
        var jobs = query.list(reader);
        for (var job : jobs) {
            complete(sql, job);
        }
        return jobs;
    }

    private static @Nullable JobRow first(Statements sql, Bound query) throws SQLException {
        var job = query.<JobRow>first(JobRow::read);
        return job == null ? null : complete(sql, job);
    }
}
