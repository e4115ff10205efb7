package dev.belay.postgres;

import dev.belay.sql.row.JobRow;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rows as arrays, one a column: so one statement writes them all. */
record Columns(List<JobRow> rows) {

    @Nullable
    Object[] of(Function<JobRow, @Nullable Object> column) {
        return rows.stream().map(column).toArray();
    }

    /** The driver takes bytes only as such an array. */
    byte[][] bytes(Function<JobRow, byte[]> column) {
        return rows.stream().map(column).toArray(byte[][]::new);
    }
}
