package dev.belay.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements of one connection, each prepared once and kept open. Used by one thread at a time. Closing it
 * closes the statements and leaves the connection alone.
 */
public final class Statements implements AutoCloseable {

    private final Connection connection;
    private final SqlFiles files;
    private final @Nullable Pipeline pipeline;
    private final Map<String, Bound> open = new HashMap<>();
    private long writes;

    public Statements(Connection connection, SqlFiles files) {
        this(connection, files, null);
    }

    private Statements(Connection connection, SqlFiles files, @Nullable Pipeline pipeline) {
        this.connection = connection;
        this.files = files;
        this.pipeline = pipeline;
    }

    /**
     * Statements that are sent several at once where nobody needs their answers: those run by {@link Bound#later}. For
     * drivers that take several statements as one, divided by semicolons.
     */
    public static Statements pipelined(Connection connection, SqlFiles files) {
        return new Statements(connection, files, new Pipeline(connection, files));
    }

    /** The statement of a file, ready for its parameters. */
    public Bound get(String name) throws SQLException {
        var bound = open.get(name);
        if (bound == null) {
            bound = bind(name, files.statement(name));
            open.put(name, bound);
        }
        return bound;
    }

    /** One more copy of a file's statement, for rows that are open at the same time as another copy's. */
    public Bound get(String name, int copy) throws SQLException {
        var key = name + "#" + copy;
        var bound = open.get(key);
        if (bound == null) {
            bound = bind(key, files.statement(name));
            open.put(key, bound);
        }
        return bound;
    }

    /** A statement that was put together at run time; not kept, so the caller closes it. */
    public Bound prepare(SqlText text) throws SQLException {
        flush();
        return new Bound(text, new Prepared(connection.prepareStatement(text.jdbc())), () -> writes++);
    }

    private Bound bind(String key, SqlText text) throws SQLException {
        return pipeline == null ? prepare(text) : new Bound(text, pipeline.sending(key, text), () -> writes++);
    }

    /** Runs now what {@link Bound#later} has left for later. */
    public void flush() throws SQLException {
        if (pipeline != null) {
            pipeline.flush();
        }
    }

    /** Commits the transaction of the connection. */
    public void commit() throws SQLException {
        if (pipeline == null) {
            connection.commit();
        } else {
            pipeline.commit();
        }
    }

    /** Undoes the transaction of the connection. */
    public void rollback() throws SQLException {
        if (pipeline != null) {
            pipeline.forget();
        }
        connection.rollback();
    }

    /** How many changing statements were run so far: tells whether something was written in between. */
    public long writes() {
        return writes;
    }

    /** The connection itself, for what is no statement of a file; what was left for later is run before. */
    public Connection connection() throws SQLException {
        flush();
        return connection;
    }

    @Override
    public void close() throws SQLException {
        for (var bound : open.values()) {
            bound.close();
        }
        open.clear();
        if (pipeline != null) {
            pipeline.close();
        }
    }
}
