package dev.belay.sql.step;

import dev.belay.broker.BrokerAdmin.SessionView;
import dev.belay.broker.SessionSpec;
import dev.belay.jdbc.Rows;
import dev.belay.job.SessionId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A session, as a transaction found it. */
public final class SessionRow {

    private static final int LIVE = 0;

    /** Ended, and being emptied. */
    static final int ENDED = 1;

    /** Only its id is remembered, so that nobody takes it again. */
    static final int GONE = 2;

    public final long no;
    public final SessionId id;
    public final long queue;
    public final String queueName;
    final String worker;
    final long leaseDuration;
    private final long registeredAt;
    private final String version;
    private final int slots;
    // What follows is changed together with the store, so that a transaction's later work sees what its earlier did.

    boolean live;
    long fence;
    long deadline;

    @Nullable
    Long markedAt;

    long newestCall;

    /** Where the number of the newest lease call is not in its row: as it was read since. */
    public void called(long newest) {
        newestCall = newest;
    }

    private SessionRow(ResultSet row) throws SQLException {
        no = row.getLong(1);
        id = new SessionId(Rows.uuid(row.getBytes(2)));
        queue = row.getLong(3);
        queueName = row.getString(4);
        worker = row.getString(5);
        leaseDuration = row.getLong(6);
        registeredAt = row.getLong(7);
        deadline = row.getLong(8);
        markedAt = Rows.optionalLong(row, 9);
        live = row.getInt(10) == LIVE;
        fence = row.getLong(11);
        newestCall = row.getLong(12);
        version = row.getString(14);
        slots = row.getInt(15);
    }

    /** Reads the columns of the statements {@code session-find} and {@code session-all}. */
    public static SessionRow read(ResultSet row) throws SQLException {
        return new SessionRow(row);
    }

    boolean isPastDeadline(long now) {
        return deadline <= now;
    }

    /** For people. */
    public SessionView view(Map<String, Integer> types, int inFlight) {
        var spec = new SessionSpec(id, queueName, worker, version, slots, Duration.ofMillis(leaseDuration), types);
        return new SessionView(spec, registeredAt, deadline, markedAt, !live, inFlight);
    }
}
