package dev.belay.ledger;

import dev.belay.jdbc.SqlFiles;
import dev.belay.jdbc.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Keeps statements prepared on their connection for as long as a pool keeps that: SQLite's driver has no cache of its own, and
 * preparing costs several times the read. Thread-safe; a connection is used by one thread at a time.
 */
final class StatementCache {

    /** More than a pool holds: some of them are closed by now. */
    private static final int MANY = 32;

    private final SqlFiles files;
    private final Map<Connection, Statements> kept = new IdentityHashMap<>();

    StatementCache(SqlFiles files) {
        this.files = files;
    }

    /** The statements of a connection: those of the database's own one, which outlives its borrowing from a pool. */
    synchronized Statements of(Connection borrowed) throws SQLException {
        var own = borrowed.unwrap(Connection.class);
        var statements = kept.get(own);
        if (statements == null) {
            if (kept.size() >= MANY) {
                forgetClosed();
            }
            statements = new Statements(own, files);
            kept.put(own, statements);
        }
        return statements;
    }

    private void forgetClosed() throws SQLException {
        for (var connections = kept.keySet().iterator(); connections.hasNext(); ) {
            if (connections.next().isClosed()) {
                connections.remove();
            }
        }
    }
}
