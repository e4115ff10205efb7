package dev.belay.ledger;

import dev.belay.jdbc.Rows;
import dev.belay.job.Fingerprint;
import dev.belay.job.JobId;
import dev.belay.job.LeaseId;
import dev.belay.job.SessionId;
import dev.belay.once.Owner;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An effect as it is stored.
 *
 * @param hash what its key is found by
 * @param version grows with each change
 * @param entry what people see of it
 */
record Row(byte[] hash, long version, LedgerEntry entry) {

    /** Reads the columns of {@code columns.sql}. */
    static Row read(ResultSet row) throws SQLException {
        return new Row(row.getBytes(1), row.getLong(5), entry(row));
    }

    private static LedgerEntry entry(ResultSet row) throws SQLException {
        var fingerprint = row.getBytes(6);
        return new LedgerEntry(
                row.getString(2),
                row.getString(3),
                LedgerEntry.State.valueOf(row.getString(4)),
                fingerprint == null ? null : new Fingerprint(fingerprint),
                row.getInt(7) != 0,
                owner(row),
                row.getBytes(14),
                row.getString(15),
                row.getString(16),
                Instant.ofEpochMilli(row.getLong(17)),
                Instant.ofEpochMilli(row.getLong(18)),
                instant(row, 19),
                instant(row, 20));
    }

    private static @Nullable Owner owner(ResultSet row) throws SQLException {
        var session = row.getBytes(12);
        if (session == null) {
            return null;
        }
        var id = new SessionId(Rows.uuid(session));
        var job = row.getBytes(10);
        return job == null
                ? new Owner.Caller(id, row.getLong(13))
                : new Owner.Delivery(
                        row.getString(8),
                        new LeaseId(row.getString(9), new JobId(Rows.uuid(job)), row.getLong(13), id),
                        row.getInt(11));
    }

    /** A time, or null. */
    static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        var millis = Rows.optionalLong(row, column);
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }
}
