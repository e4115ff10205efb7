package dev.belay.cli.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** One connection of {@link RawSqlite}, with its statements prepared. Not thread-safe. */
final class RawConnection implements AutoCloseable {

    private final Connection connection;
    private final byte[] payload;
    private final PreparedStatement insert;
    private final PreparedStatement lease;
    private final PreparedStatement delete;
    private final PreparedStatement begin;

    RawConnection(Connection connection, byte[] payload) throws SQLException {
        this.connection = connection;
        this.payload = payload;
        insert = connection.prepareStatement("INSERT INTO job (state, payload) VALUES (0, ?)");
        lease = connection.prepareStatement("UPDATE job SET state = 1 WHERE id IN "
                + "(SELECT id FROM job WHERE state = 0 ORDER BY id LIMIT ?) RETURNING id, payload");
        delete = connection.prepareStatement("DELETE FROM job WHERE id = ?");
        // A transaction that will write says so at its start: else two of them can't wait for each other.
        begin = connection.prepareStatement("BEGIN IMMEDIATE");
    }

    /** Inserts rows in one transaction. */
    void insert(int rows) throws SQLException {
        begin.execute();
        for (var i = 0; i < rows; i++) {
            insert.setBytes(1, payload);
            insert.executeUpdate();
        }
        commit();
    }

    /** Leases rows in one transaction; answers their ids. */
    List<Long> lease(int rows) throws SQLException {
        var ids = new ArrayList<Long>(rows);
        begin.execute();
        lease.setInt(1, rows);
        try (var result = lease.executeQuery()) {
            while (result.next()) {
                ids.add(result.getLong(1));
                result.getBytes(2);
            }
        }
        commit();
        return ids;
    }

    /** Deletes rows in one transaction. */
    void delete(List<Long> ids) throws SQLException {
        begin.execute();
        for (var id : ids) {
            delete.setLong(1, id);
            delete.executeUpdate();
        }
        commit();
    }

    void clear() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("DELETE FROM job");
        }
    }

    private void commit() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("COMMIT");
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
