package dev.belay.ledger;

import dev.belay.once.LedgerException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** What differs between the databases: how they tell the time, how they say that somebody was in the way. */
enum Dialect {
    POSTGRESQL("postgresql") {
        @Override
        boolean isRetried(SQLException e) {
            // A serialization failure, a deadlock.
            return Set.of("40001", "40P01").contains(String.valueOf(e.getSQLState()));
        }

        @Override
        boolean isLocked(SQLException e) {
            return "55P03".equals(e.getSQLState());
        }

        @Override
        boolean isUnknown(SQLException e) {
            // The connection broke, or the server was stopped; whatever else it says, it has rolled back.
            var state = String.valueOf(e.getSQLState());
            return e.getSQLState() == null || state.startsWith("08") || state.startsWith("57");
        }

        @Override
        boolean insertsInQueries() {
            return true;
        }
    },
    SQLITE("sqlite") {
        private static final int BUSY = 5;
        private static final int LOCKED = 6;
        private static final int IO_ERROR = 10;

        @Override
        boolean isRetried(SQLException e) {
            // A snapshot that can't become a write, whatever the busy timeout is.
            return (e.getErrorCode() & 0xFF) == BUSY && e.getErrorCode() != BUSY;
        }

        @Override
        boolean isLocked(SQLException e) {
            return (e.getErrorCode() & 0xFF) == BUSY || (e.getErrorCode() & 0xFF) == LOCKED;
        }

        @Override
        boolean isUnknown(SQLException e) {
            return (e.getErrorCode() & 0xFF) == IO_ERROR;
        }

        @Override
        boolean insertsInQueries() {
            return false;
        }
    };

    private final String folder;

    Dialect(String folder) {
        this.folder = folder;
    }

    /** Of the SQL files that are its own. */
    String folder() {
        return folder;
    }

    /** Whether the same work, begun anew, may well succeed. */
    abstract boolean isRetried(SQLException e);

    /** Whether a lock was waited for in vain. */
    abstract boolean isLocked(SQLException e);

    /** Whether what failed so may have been committed all the same. */
    abstract boolean isUnknown(SQLException e);

    /** Whether one statement can read a row, and insert it where it is not there: worth it where each is a round trip. */
    abstract boolean insertsInQueries();

    static Dialect of(Connection connection) throws SQLException {
        var name = connection.getMetaData().getDatabaseProductName();
        return switch (name) {
            case "PostgreSQL" -> POSTGRESQL;
            case "SQLite" -> SQLITE;
            default ->
                throw new LedgerException(
                        "the ledger works on PostgreSQL and SQLite, but this database calls itself '" + name + "'",
                        null);
        };
    }
}
