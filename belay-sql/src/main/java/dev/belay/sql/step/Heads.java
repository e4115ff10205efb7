package dev.belay.sql.step;

import dev.belay.jdbc.Rows;
import dev.belay.jdbc.Statements;
import dev.belay.sql.row.Lines;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The first place in each line of waiting jobs, by the number of the line. Immutable. */
public final class Heads {

    private final @Nullable Long[] at;
    private final long suspects;

    private Heads(@Nullable Long[] at, long suspects) {
        this.at = at;
        this.suspects = suspects;
    }

    /**
     * Heads as they are known.
     *
     * @param at the first place in each line; null where it is empty
     * @param suspects how many suspects are ready, counted up to two
     */
    public static Heads of(@Nullable Long[] at, long suspects) {
        return new Heads(at.clone(), suspects);
    }

    /** Reads the heads of a queue's lines. */
    public static Heads read(Statements sql, long queue) throws SQLException {
        var heads = sql.get("line-heads").set("queue", queue).<Heads>first(Heads::read);
        if (heads == null) {
            throw new SQLException("the heads of the lines gave no row");
        }
        return heads;
    }

    /** Reads the columns of the statement {@code line-heads}. */
    public static Heads read(ResultSet row) throws SQLException {
        var at = new @Nullable Long[Lines.UNKNOWN + 1];
        for (var line = 0; line < at.length; line++) {
            at[line] = Rows.optionalLong(row, line + 1);
        }
        return new Heads(at, row.getLong(at.length + 1));
    }

    /** The first place in a line; null where it is empty. */
    public @Nullable Long at(int line) {
        return at[line];
    }

    /** Whether jobs that are no suspects are ready. */
    boolean hasReady() {
        for (var line = Lines.SOUND; line < Lines.SUSPECT; line++) {
            if (at[line] != null) {
                return true;
            }
        }
        return false;
    }

    /** How many suspects are ready, counted up to two. */
    long suspects() {
        return suspects;
    }
}
