package dev.belay.sql.step;

import dev.belay.jdbc.Rows;
import dev.belay.job.SessionId;
import dev.belay.sql.row.JobRow;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a running job.
 *
 * @param no the session's number
 * @param worker its worker's name
 */
record Holder(long no, SessionId id, String worker) {

    static Holder of(SessionRow session) {
        return new Holder(session.no, session.id, session.worker);
    }

    /** The holder of a job; null where it is not running. */
    static @Nullable Holder of(Tx tx, JobRow job) throws SQLException {
        return job.isRunning()
                ? tx.sql
                        .get("session-holder")
                        .set("session", job.at)
                        .first(row ->
                                new Holder(row.getLong(1), new SessionId(Rows.uuid(row.getBytes(2))), row.getString(3)))
                : null;
    }
}
