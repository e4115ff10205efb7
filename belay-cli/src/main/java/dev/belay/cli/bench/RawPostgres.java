package dev.belay.cli.bench;

import dev.belay.postgres.PostgresAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The limit of PostgreSQL itself: a minimal table, driven by plain JDBC with the server's own durability, batches of 100, every
 * step committed: an insert of many rows, a lease with {@code SKIP LOCKED}, a delete. No fences, no counts, no history.
 */
final class RawPostgres implements RawStore {

    private static final int BATCH = 100;
    private static final String TABLE = "belay_bench_raw";

    private final PostgresAddress address;
    private final byte[] payload;
    private final List<Session> open = new ArrayList<>();

    RawPostgres(PostgresAddress address, int payloadBytes) throws SQLException {
        this.address = address;
        payload = Payloads.bytes(payloadBytes);
        try (var connection = address.connect();
                var statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + TABLE);
            statement.execute("CREATE TABLE " + TABLE
                    + " (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, state integer NOT NULL DEFAULT 0,"
                    + " payload bytea NOT NULL) WITH (fillfactor = 80)");
            statement.execute("CREATE INDEX " + TABLE + "_ready ON " + TABLE + " (id) WHERE state = 0");
        }
    }

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

    @Override
    public double leaseAndSettle(int connections) throws Exception {
        ensure(connections);
        var rows = new AtomicLong();
        var seconds = Crowd.seconds(connections, thread -> {
            var session = open.get(thread);
            for (var leased = session.lease(BATCH); leased.length > 0; leased = session.lease(BATCH)) {
                session.delete(leased);
                rows.addAndGet(leased.length);
            }
        });
        return rows.get() / seconds;
    }

    /** Each caller waits for its turn on one of a pool's few connections, as callers of a web application do. */
    @Override
    public double insertOneByOne(int rows, int callers) throws Exception {
        var connections = Math.min(callers, 10);
        ensure(connections);
        var perCaller = Math.max(1, rows / callers);
        var seconds = Crowd.seconds(callers, thread -> {
            var session = open.get(thread % connections);
            for (var i = 0; i < perCaller; i++) {
                synchronized (session) {
                    session.insert(1);
                }
            }
        });
        open.get(0).clear();
        return perCaller * callers / seconds;
    }

    @Override
    public Samples roundTrips(int rounds, int perSecond) throws SQLException, InterruptedException {
        ensure(1);
        var session = open.get(0);
        session.clear();
        var millis = new Samples();
        var pace = new Pace(perSecond);
        for (var i = 0; i < rounds; i++) {
            pace.next();
            var start = System.nanoTime();
            session.insert(1);
            session.delete(session.lease(1));
            millis.add((System.nanoTime() - start) / 1e6);
        }
        return millis;
    }

    private void ensure(int connections) throws SQLException {
        while (open.size() < connections) {
            open.add(new Session(address.connect(), payload));
        }
    }

    @Override
    public void close() throws SQLException {
        for (var session : open) {
            session.close();
        }
        try (var connection = address.connect();
                var statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + TABLE);
        }
    }

    /** One connection, with its statements prepared; each statement is a transaction. */
    private static final class Session implements AutoCloseable {
        private final Connection connection;
        private final byte[] payload;
        private final PreparedStatement insert;
        private final PreparedStatement lease;
        private final PreparedStatement delete;

        Session(Connection connection, byte[] payload) throws SQLException {
            this.connection = connection;
            this.payload = payload;
            insert = connection.prepareStatement("INSERT INTO " + TABLE + " (payload) SELECT unnest(?)");
            // By an array: as a join, a generic plan would read the whole table.
            lease = connection.prepareStatement(
                    "UPDATE " + TABLE + " SET state = 1 WHERE id = ANY(ARRAY(SELECT id FROM " + TABLE
                            + " WHERE state = 0 ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED)) RETURNING id, payload");
            delete = connection.prepareStatement("DELETE FROM " + TABLE + " WHERE id = ANY(?)");
        }

        void insert(int rows) throws SQLException {
            var payloads = new byte[rows][];
            java.util.Arrays.fill(payloads, payload);
            insert.setArray(1, connection.createArrayOf("bytea", payloads));
            insert.executeUpdate();
        }

        Long[] lease(int rows) throws SQLException {
            var ids = new ArrayList<Long>(rows);
            lease.setInt(1, rows);
            try (var result = lease.executeQuery()) {
                while (result.next()) {
                    ids.add(result.getLong(1));
                    result.getBytes(2);
                }
            }
            return ids.toArray(Long[]::new);
        }

        void delete(Long[] ids) throws SQLException {
            delete.setArray(1, connection.createArrayOf("bigint", ids));
            delete.executeUpdate();
        }

        void clear() throws SQLException {
            try (var statement = connection.createStatement()) {
                statement.execute("TRUNCATE " + TABLE);
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
