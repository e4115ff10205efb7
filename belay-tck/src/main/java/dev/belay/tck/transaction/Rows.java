package dev.belay.tck.transaction;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A table of the caller's own, in the database that the store is in: what its transactions write beside jobs. */
public final class Rows {

    private Rows() {}

    /** Makes the table. */
    public static void create(String jdbcUrl) {
        try (var connection = DriverManager.getConnection(jdbcUrl);
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE tck_row (text VARCHAR(100) NOT NULL)");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Adds a row, within a transaction. */
    public static void add(Connection connection, String text) throws SQLException {
        try (var statement = connection.prepareStatement("INSERT INTO tck_row VALUES (?)")) {
            statement.setString(1, text);
            statement.executeUpdate();
        }
    }

    /** The rows that were committed, in order of their texts. */
    public static List<String> all(String jdbcUrl) {
        try (var connection = DriverManager.getConnection(jdbcUrl);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT text FROM tck_row ORDER BY text")) {
            var all = new ArrayList<String>();
            while (rows.next()) {
                all.add(rows.getString(1));
            }
            return all;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Removes the table. */
    public static void drop(String jdbcUrl) {
        try (var connection = DriverManager.getConnection(jdbcUrl);
                var statement = connection.createStatement()) {
            statement.execute("DROP TABLE tck_row");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
