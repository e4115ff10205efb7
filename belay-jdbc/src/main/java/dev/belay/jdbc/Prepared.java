package dev.belay.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Sends a statement as soon as it is run. */
final class Prepared implements Bound.Sending {

    private final PreparedStatement statement;

    Prepared(PreparedStatement statement) {
        this.statement = statement;
    }

    @Override
    public void set(int position, Bound.Value value) throws SQLException {
        value.setter().set(statement, position);
    }

    @Override
    public int update() throws SQLException {
        return statement.executeUpdate();
    }

    @Override
    public ResultSet query() throws SQLException {
        return statement.executeQuery();
    }

    @Override
    public PreparedStatement several() throws SQLException {
        statement.execute();
        return statement;
    }

    @Override
    public void later() throws SQLException {
        statement.execute();
    }

    @Override
    public void add() throws SQLException {
        statement.addBatch();
    }

    @Override
    public int[] runBatch() throws SQLException {
        return statement.executeBatch();
    }

    @Override
    public void runBatchLater() throws SQLException {
        statement.executeBatch();
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }
}
