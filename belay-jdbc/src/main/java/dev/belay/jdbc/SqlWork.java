package dev.belay.jdbc;

import java.sql.SQLException;

/** Work with a database that answers something. */
@FunctionalInterface
public interface SqlWork<C, T> {

    T run(C context) throws SQLException;
}
