package dev.belay.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads one row. */
@FunctionalInterface
public interface RowReader<T> {

    /** Reads the current row; does not move the cursor. */
    T read(ResultSet row) throws SQLException;
}
