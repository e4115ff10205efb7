package dev.belay.sql.step;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The newest numbered enqueue call of a client in a queue.
 *
 * @param verdicts its answers, as {@link Verdicts} writes them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NumberedCall(long number, byte[] verdicts) {

    /** Reads the columns of the statement {@code client-find}. */
    public static NumberedCall read(ResultSet row) throws SQLException {
        return new NumberedCall(row.getLong(1), row.getBytes(2));
    }
}
