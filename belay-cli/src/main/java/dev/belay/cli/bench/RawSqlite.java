package dev.belay.cli.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The limit of SQLite itself: a minimal table, driven by plain JDBC with the durability that Belay has (WAL,
 * {@code synchronous=FULL}), batches of 100, every step committed. No fences, no counts, no history.
 */
final class RawSqlite implements RawStore {

    static final int BATCH = 100;

    private final String url;
    private final byte[] payload;
    private final List<RawConnection> open = new ArrayList<>();

    RawSqlite(Path file, int payloadBytes) throws SQLException {
        url = "jdbc:sqlite:" + file.toAbsolutePath();
        payload = Payloads.bytes(payloadBytes);
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS job");
            statement.execute(
                    "CREATE TABLE job (id INTEGER PRIMARY KEY, state INTEGER NOT NULL, payload BLOB NOT NULL)");
            statement.execute("CREATE INDEX job_ready ON job (id) WHERE state = 0");
        }
    }

    /** Inserts rows in batches of 100, one transaction each; rows a second. */
    @Override
    public double insert(int rows, int connections) throws Exception {
        ensure(connections);
        var perConnection = Math.max(1, rows / BATCH / connections);
        var seconds = Crowd.seconds(connections, thread -> {
            for (var i = 0; i < perConnection; i++) {
                open.get(thread).insert(BATCH);
            }
        });
        return perConnection * connections * BATCH / seconds;
    }

    /** Leases 100 rows and commits, then deletes them and commits, until none is left; rows a second. */
    @Override
    public double leaseAndSettle(int connections) throws Exception {
        ensure(connections);
        var rows = new java.util.concurrent.atomic.AtomicLong();
        var seconds = Crowd.seconds(connections, thread -> {
            var connection = open.get(thread);
            for (var leased = connection.lease(BATCH); !leased.isEmpty(); leased = connection.lease(BATCH)) {
                connection.delete(leased);
                rows.addAndGet(leased.size());
            }
        });
        return rows.get() / seconds;
    }

    /** Many callers, each with its own committed insert of one row, one after the other; rows a second. */
    @Override
    public double insertOneByOne(int rows, int callers) throws Exception {
        ensure(1);
        var connection = open.get(0);
        var perCaller = Math.max(1, rows / callers);
        var seconds = Crowd.seconds(callers, thread -> {
            for (var i = 0; i < perCaller; i++) {
                synchronized (connection) {
                    connection.insert(1);
                }
            }
        });
        connection.clear();
        return perCaller * callers / seconds;
    }

    /** At a steady pace: insert, lease and delete of one row, committed each; milliseconds for each round. */
    @Override
    public Samples roundTrips(int rounds, int perSecond) throws SQLException, InterruptedException {
        ensure(1);
        var connection = open.get(0);
        connection.clear();
        var millis = new Samples();
        var pace = new Pace(perSecond);
        for (var i = 0; i < rounds; i++) {
            pace.next();
            var start = System.nanoTime();
            connection.insert(1);
            connection.delete(connection.lease(1));
            millis.add((System.nanoTime() - start) / 1e6);
        }
        return millis;
    }

    @Override
    public void close() throws SQLException {
        for (var connection : open) {
            connection.close();
        }
    }

    private void ensure(int connections) throws SQLException {
        while (open.size() < connections) {
            open.add(new RawConnection(connect(), payload));
        }
    }

    private Connection connect() throws SQLException {
        var connection = DriverManager.getConnection(url);
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA synchronous = FULL");
            statement.execute("PRAGMA busy_timeout = 30000");
        }
        return connection;
    }
}
