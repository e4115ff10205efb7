package dev.belay.cli.bench;

import dev.belay.Once;
import dev.belay.ledger.JdbcLedger;
import dev.belay.once.Effect;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** Effects through the ledger, and beside them the two bare transactions that any such record needs. One thread. */
final class LedgerLoad implements AutoCloseable {

    private static final String SCOPE = "bench";
    private static final byte[] RESULT = "\"done\"".getBytes(StandardCharsets.UTF_8);
    private static final int FILL = 5_000;

    private final Once once;
    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement update;
    private final PreparedStatement read;
    private final String run = UUID.randomUUID().toString();
    private long number;

    LedgerLoad(JdbcLedger ledger, DataSource source) throws SQLException {
        once = Once.in(ledger);
        connection = source.getConnection();
        connection.setAutoCommit(true);
        try (var statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS belay_bench_raw");
            statement.execute(
                    "CREATE TABLE belay_bench_raw (hash BYTEA NOT NULL PRIMARY KEY, state TEXT NOT NULL, result BYTEA)");
        }
        insert = connection.prepareStatement("INSERT INTO belay_bench_raw (hash, state) VALUES (?, 'PENDING')");
        update = connection.prepareStatement(
                "UPDATE belay_bench_raw SET state = 'COMPLETED', result = ? WHERE hash = ?");
        read = connection.prepareStatement("SELECT state, result FROM belay_bench_raw WHERE hash = ?");
    }

    /** Makes both tables as long as they should be. */
    void fill(long keys) throws SQLException {
        connection.setAutoCommit(false);
        try (var ledger = connection.prepareStatement(
                        "INSERT INTO belay_ledger (hash, scope, effect_key, state, version, at_most_once, owner_session,"
                                + " owner_token, result, encoding, created_at, updated_at, expires_at)"
                                + " VALUES (?, 'bench', ?, 'COMPLETED', 2, 0, ?, 1, ?, 'json', 0, 0, 9000000000000)");
                var raw = connection.prepareStatement(
                        "INSERT INTO belay_bench_raw (hash, state, result) VALUES (?, 'COMPLETED', ?)")) {
            for (long i = 0; i < keys; i++) {
                var hash = bytes(UUID.randomUUID(), UUID.randomUUID());
                ledger.setBytes(1, hash);
                ledger.setString(2, "filler-" + run + "-" + i);
                ledger.setBytes(3, bytes(UUID.randomUUID()));
                ledger.setBytes(4, RESULT);
                ledger.addBatch();
                raw.setBytes(1, hash);
                raw.setBytes(2, RESULT);
                raw.addBatch();
                if ((i + 1) % FILL == 0 || i + 1 == keys) {
                    ledger.executeBatch();
                    raw.executeBatch();
                    connection.commit();
                }
            }
        }
        connection.setAutoCommit(true);
    }

    /** Microseconds for a row inserted, committed, then updated, committed. */
    double twoTransactions(int rows) throws SQLException {
        var first = number;
        number += rows;
        var start = System.nanoTime();
        for (var i = first; i < number; i++) {
            var hash = hash(i);
            insert.setBytes(1, hash);
            insert.executeUpdate();
            update.setBytes(1, RESULT);
            update.setBytes(2, hash);
            update.executeUpdate();
        }
        return micros(start, rows);
    }

    /** Microseconds for a row read by its key. */
    double reads(int rows) throws SQLException {
        var start = System.nanoTime();
        for (var i = number - rows; i < number; i++) {
            read.setBytes(1, hash(i));
            try (var found = read.executeQuery()) {
                found.next();
                found.getBytes(2);
            }
        }
        return micros(start, rows);
    }

    /** Microseconds for an effect that nobody else wants. */
    double effects(int rows) throws Exception {
        var first = number;
        number += rows;
        var start = System.nanoTime();
        for (var i = first; i < number; i++) {
            once.call(effect(i), key -> "done");
        }
        return micros(start, rows);
    }

    /** Microseconds for an effect that is recorded: those of {@link #effects} before. */
    double recorded(int rows) throws Exception {
        var start = System.nanoTime();
        for (var i = number - rows; i < number; i++) {
            once.call(effect(i), key -> {
                throw new IllegalStateException("the ledger has forgotten effect '" + key + "'");
            });
        }
        return micros(start, rows);
    }

    @Override
    public void close() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("DROP TABLE belay_bench_raw");
        }
        connection.close();
    }

    private Effect<String> effect(long i) {
        return Effect.of(run + "-" + i, String.class).scope(SCOPE);
    }

    private static byte[] hash(long i) {
        return bytes(new UUID(i * 0x9E3779B97F4A7C15L, i), new UUID(~i, i));
    }

    private static byte[] bytes(UUID... ids) {
        var buffer = ByteBuffer.allocate(16 * ids.length);
        for (var id : ids) {
            buffer.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        }
        return buffer.array();
    }

    private static double micros(long start, int rows) {
        return (System.nanoTime() - start) / 1e3 / rows;
    }
}
