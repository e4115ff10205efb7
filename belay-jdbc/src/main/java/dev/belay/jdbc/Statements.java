package dev.belay.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The prepared statements of one connection, each prepared once and kept open. Used by one thread at a time. Closing it
 * closes the statements and leaves the connection alone.
 */
public final class Statements implements AutoCloseable {

    private final Connection connection;
    private final SqlFiles files;
    private final Map<String, Bound> open = new HashMap<>();
    private long writes;

    public Statements(Connection connection, SqlFiles files) {
        this.connection = connection;
        this.files = files;
    }

    /** The statement of a file, ready for its parameters. */
    public Bound get(String name) throws SQLException {
        var bound = open.get(name);
        if (bound == null) {
            bound = prepare(files.statement(name));
            open.put(name, bound);
        }
        return bound;
    }

    /** One more copy of a file's statement, for rows that are open at the same time as another copy's. */
    public Bound get(String name, int copy) throws SQLException {
        var key = name + "#" + copy;
        var bound = open.get(key);
        if (bound == null) {
            bound = prepare(files.statement(name));
            open.put(key, bound);
        }
        return bound;
    }

    /** A statement that was put together at run time; not kept, so the caller closes it. */
    public Bound prepare(SqlText text) throws SQLException {
        return new Bound(text, connection.prepareStatement(text.jdbc()), () -> writes++);
    }

    /** How many changing statements were run so far: tells whether something was written in between. */
    public long writes() {
        return writes;
    }

    public Connection connection() {
        return connection;
    }

    @Override
    public void close() throws SQLException {
        for (var bound : open.values()) {
            bound.close();
        }
        open.clear();
    }
}
