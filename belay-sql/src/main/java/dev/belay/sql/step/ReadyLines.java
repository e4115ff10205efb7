package dev.belay.sql.step;

import dev.belay.sql.row.JobRow;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The lines of ready jobs of a queue, read side by side by a lease. */
public interface ReadyLines extends AutoCloseable {

    /**
     * The next job to be leased; null where there is none. It stays the next until {@link #skip}.
     *
     * @param longestWaiting whether the one that has waited longest is next, whatever its priority
     * @param fragileToo whether it may be one with one crash left
     */
    @Nullable
    JobRow next(boolean longestWaiting, boolean fragileToo) throws SQLException;

    /** Goes on behind the job that was next. */
    void skip() throws SQLException;

    /** Whether jobs are left. */
    boolean isMore() throws SQLException;

    /** Whether the row of the job that is next agrees with its place. */
    boolean isTrue() throws SQLException;

    /** The payload of the job that is next. */
    byte[] payload(JobRow job) throws SQLException;

    /** Takes the places of all jobs that were skipped. */
    void takePlaces() throws SQLException;

    @Override
    void close() throws SQLException;
}
