package dev.belay.sql.step;

import dev.belay.broker.QueueSettings;
import dev.belay.jdbc.Rows;
import dev.belay.job.JobState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A queue, as a transaction found it. What the transaction changes of its counts is in {@link Tally}. */
public final class QueueRow {

    public final long id;
    public final String name;
    public final long deadBytes;
    public final Map<JobState, Long> counts = new EnumMap<>(JobState.class);

    // What follows is changed together with the store, so that a transaction's later work sees what its earlier did.

    boolean known;
    boolean paused;
    QueueSettings settings;

    @Nullable
    Long lastPromotionAt;

    @Nullable
    Long unknownWindowAt;

    int unknownPromoted;

    /** The newest token, those drawn by this transaction included. */
    public long token;

    private QueueRow(ResultSet row) throws SQLException {
        id = row.getLong(1);
        name = row.getString(2);
        known = row.getInt(3) != 0;
        paused = row.getInt(4) != 0;
        settings = settings(row);
        token = row.getLong(10);
        count(JobState.SCHEDULED, row.getLong(11));
        count(JobState.READY, row.getLong(12));
        count(JobState.RUNNING, row.getLong(13));
        count(JobState.SUCCEEDED, row.getLong(14));
        count(JobState.DEAD, row.getLong(15));
        count(JobState.CANCELLED, row.getLong(16));
        deadBytes = row.getLong(17);
        lastPromotionAt = Rows.optionalLong(row, 18);
        unknownWindowAt = Rows.optionalLong(row, 19);
        unknownPromoted = row.getInt(20);
    }

    /** Reads the columns of the statements {@code queue-find} and {@code queue-all}. */
    public static QueueRow read(ResultSet row) throws SQLException {
        return new QueueRow(row);
    }

    public boolean isPaused() {
        return paused;
    }

    public QueueSettings settings() {
        return settings;
    }

    public long count(JobState state) {
        return counts.getOrDefault(state, 0L);
    }

    private void count(JobState state, long count) {
        if (count != 0) {
            counts.put(state, count);
        }
    }

    private static QueueSettings settings(ResultSet row) throws SQLException {
        var keepDead = Rows.optionalLong(row, 7);
        return new QueueSettings(
                Duration.ofMillis(row.getLong(5)),
                row.getInt(6),
                keepDead == null ? null : Duration.ofMillis(keepDead),
                Rows.optionalInt(row, 8),
                Rows.optionalLong(row, 9));
    }
}
