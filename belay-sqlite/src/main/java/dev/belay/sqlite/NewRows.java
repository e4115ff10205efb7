package dev.belay.sqlite;

import dev.belay.sql.row.JobRow;
import dev.belay.sql.step.Tx;
import java.sql.SQLException;

/**
 * The rows that a transaction adds. Their numbers are the milliseconds of acceptance and a count within them, so that the
 * order of rows is the order of acceptance, and of lists.
 */
final class NewRows {

    private long next = -1;
    private long end;
    private long unplaced = -1;

    /** The first of {@code n} new numbers. */
    long take(Tx tx, int n) throws SQLException {
        if (next < 0 || next + n > end) {
            place(tx);
            begin(tx, n);
            unplaced = next;
        }
        var taken = next;
        next += n;
        if (unplaced < 0) {
            unplaced = taken;
        }
        return taken;
    }

    /** Gives the rows added since the last time their places, as their rows say. */
    void place(Tx tx) throws SQLException {
        if (unplaced >= 0) {
            tx.sql
                    .get("place-accept")
                    .set("first", unplaced)
                    .set("last", next - 1)
                    .update();
            unplaced = -1;
        }
    }

    private void begin(Tx tx, int n) throws SQLException {
        // A millisecond has a million numbers; one that has run out borrows from the next.
        for (var millis = Math.max(tx.now, next >> JobRow.SEQ_BITS); ; millis++) {
            end = (millis + 1) << JobRow.SEQ_BITS;
            var newest = tx.sql.get("job-newest").set("below", end).number(-1);
            next = Math.max(millis << JobRow.SEQ_BITS, newest + 1);
            if (next + n <= end) {
                return;
            }
        }
    }
}
