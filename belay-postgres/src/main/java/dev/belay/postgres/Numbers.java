package dev.belay.postgres;

import dev.belay.jdbc.Statements;
import java.sql.SQLException;

/**
 * The lower parts of the numbers of rows of jobs, drawn by the block: no two jobs of one millisecond get the same. Blocks
 * that a rollback returns are lost, which does no harm. Safe for use by many threads.
 */
final class Numbers {

    /** As the sequence counts. */
    private static final int BLOCK = 1000;

    /** As many there are: 20 bits. */
    private static final long ALL = 1 << dev.belay.sql.row.JobRow.SEQ_BITS;

    private long next;
    private long end;

    /** Draws numbers, each below 2^20; ascending but where they begin anew. */
    synchronized long[] take(Statements sql, int n) throws SQLException {
        var taken = new long[n];
        for (var i = 0; i < n; i++) {
            if (next == end) {
                next = sql.get("number-block").number(0);
                end = next + BLOCK;
            }
            taken[i] = next++ % ALL;
        }
        return taken;
    }
}
