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

    private static final String SQLITE_HASHES = """
            WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < %d),
              hashes (hash) AS MATERIALIZED (SELECT randomblob(32) FROM number)
            INSERT INTO belay_bench_raw (hash, state, result)
            SELECT hash, 'COMPLETED', CAST('"done"' AS BLOB) FROM hashes ORDER BY hash""";
    private static final String POSTGRESQL_HASHES = """
            INSERT INTO belay_bench_raw (hash, state, result)
            SELECT sha256(uuid_send(gen_random_uuid())) AS hash, 'COMPLETED', convert_to('"done"', 'UTF8')
            FROM generate_series(1, %d) ORDER BY hash""";
    private static final String FILLED = """
            INSERT INTO belay_ledger (hash, scope, effect_key, state, version, at_most_once, owner_session, owner_token,
              result, encoding, created_at, updated_at, expires_at)
            SELECT hash, 'bench', 'filler-' || %s, 'COMPLETED', 2, 0, hash, 1, result, 'json', 0, 0, 9000000000000
            FROM belay_bench_raw ORDER BY hash""";

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

    /** Makes both tables as long as they should be: by the database itself, in the order of the keys. */
    void fill(long keys) throws SQLException {
        var isSqlite = connection.getMetaData().getDatabaseProductName().equals("SQLite");
        try (var statement = connection.createStatement()) {
            statement.executeUpdate((isSqlite ? SQLITE_HASHES : POSTGRESQL_HASHES).formatted(keys));
            statement.executeUpdate(FILLED.formatted(isSqlite ? "hex(hash)" : "encode(hash, 'hex')"));
            statement.execute("ANALYZE");
        }
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
