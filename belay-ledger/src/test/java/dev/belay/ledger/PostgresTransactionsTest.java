package dev.belay.ledger;

import static dev.belay.ledger.Claims.JOB;
import static dev.belay.ledger.Claims.bytes;
import static dev.belay.ledger.Claims.claim;
import static dev.belay.ledger.Claims.delivery;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.jdbc.SqlFiles;
import dev.belay.jdbc.Statements;
import dev.belay.once.Claim;
import dev.belay.once.OwnerCheck;
import dev.belay.once.Reservation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only PostgreSQL has: plans, levels of isolation, a limit on idle transactions. */
class PostgresTransactionsTest {

    private static final OwnerCheck HELD = owner -> true;

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = TestDatabase.postgres();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void run(String sql) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long effects() throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) FROM effects")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static Reservation insert(JdbcLedger ledger, Claim claim) throws Exception {
        return ledger.inTransaction(claim, HELD, connection -> {
            try (var statement = connection.prepareStatement("INSERT INTO effects VALUES (?)")) {
                statement.setString(1, claim.key());
                statement.executeUpdate();
            }
            return new Reservation.Recorded(bytes("1"), "json");
        });
    }

    @Test
    void aRecordedKeyIsReadByTheIndexAndNothingIsWritten() throws Exception {
        try (var ledger = database.ledger().open()) {
            var first = claim("order-1", delivery(JOB, 1));
            ledger.reserve(first, HELD);
            ledger.complete(first, bytes("1"), "json");
        }
        var files = new SqlFiles(Database.class, "sql", Dialect.POSTGRESQL.folder());
        try (var connection = database.connect();
                var sql = new Sql(new Statements(connection, files), connection, 0, false)) {
            connection.setAutoCommit(false);
            var look =
                    Reserving.readOrInsert(sql, Hash.of(Claims.SCOPE, "order-1"), claim("order-1", delivery(JOB, 2)));
            assertThat(look.row()).isNotNull();
            assertThat(hasWritten(connection)).isFalse();
            Reserving.readOrInsert(sql, Hash.of(Claims.SCOPE, "order-2"), claim("order-2", delivery(JOB, 2)));
            assertThat(hasWritten(connection)).as("what is fresh is").isTrue();
            connection.rollback();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "read-or-reserve",
                "complete",
                "fail",
                "abandon",
                "release",
                "doubt",
                "doubt-read",
                "take-over",
                "find"
            })
    void aKeyIsFoundByThePrimaryKeyWhateverTheValuesAndTheSizeOfTheTableAre(String statement) throws Exception {
        database.ledger().open().close();
        run("ANALYZE belay_ledger");
        var files = new SqlFiles(Database.class, "sql", Dialect.POSTGRESQL.folder());
        assertThat(plan(files.statement(statement).jdbc()))
                .contains("Index Scan using belay_ledger_pkey")
                // The index of open keys seems to be tiny, and holds what was open since the last vacuum.
                .doesNotContain("belay_ledger_open")
                .doesNotContain("Seq Scan");
    }

    /** A transaction has an id only once it has written. */
    private static boolean hasWritten(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT pg_current_xact_id_if_assigned() IS NOT NULL")) {
            rows.next();
            return rows.getBoolean(1);
        }
    }

    private String plan(String jdbc) throws SQLException {
        var text = new StringBuilder();
        var parameters = jdbc.chars().filter(c -> c == '?').count();
        var numbered = jdbc;
        for (var i = 1; i <= parameters; i++) {
            numbered = numbered.replaceFirst("\\?", "\\$" + i);
        }
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute("SET plan_cache_mode = force_generic_plan");
            // Small as the tables are, a scan would be cheaper: what counts is whether the index can be used.
            statement.execute("SET enable_seqscan = off");
            statement.execute("PREPARE looked AS " + numbered);
            try (var rows = statement.executeQuery(
                    "EXPLAIN EXECUTE looked(" + "NULL,".repeat((int) parameters - 1) + "NULL)")) {
                while (rows.next()) {
                    text.append(rows.getString(1)).append('\n');
                }
            }
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
    void G8_effectsHappenOnceAtEveryLevelOfIsolation(String level) throws Exception {
        run("CREATE TABLE effects (name TEXT)");
        var threads = 8;
        var pool = Executors.newFixedThreadPool(threads);
        var address =
                database.address() + "&options=-c%20default_transaction_isolation=" + level.replace(" ", "%5C%20");
        try (var ledger = LedgerBuilder.of(address).open()) {
            for (var round = 0; round < 8; round++) {
                var outside = "outside-" + round;
                var inside = "inside-" + round;
                var made = new AtomicInteger();
                var answers = new ArrayList<Future<Boolean>>();
                for (var i = 0; i < threads; i++) {
                    answers.add(pool.submit(() -> makes(ledger, claim(outside, ledger.caller()), made)));
                    answers.add(pool.submit(
                            () -> insert(ledger, claim(inside, ledger.caller())) instanceof Reservation.Recorded));
                }
                for (var answer : answers) {
                    assertThat(answer.get()).isTrue();
                }
                assertThat(made).hasValue(1);
                assertThat(effects()).isEqualTo(round + 1);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static boolean makes(JdbcLedger ledger, Claim claim, AtomicInteger made) {
        while (true) {
            var answer = ledger.reserve(claim, HELD);
            if (answer instanceof Reservation.Reserved) {
                made.incrementAndGet();
                return ledger.complete(claim, bytes("1"), "json");
            }
            if (answer instanceof Reservation.Recorded) {
                return true;
            }
        }
    }

    @Test
    void G8_whoIsFrozenInATransactionLosesItAndItsEffect() throws Exception {
        run("CREATE TABLE effects (name TEXT)");
        var pool = Executors.newSingleThreadExecutor();
        var inside = new CountDownLatch(1);
        var wakes = new CountDownLatch(1);
        try (var ledger = database.ledger()
                        .idleTransaction(Duration.ofMillis(300))
                        .open();
                var other = database.ledger().open()) {
            var frozen = claim("order-1", delivery(JOB, 1));
            var work = pool.submit(() -> ledger.inTransaction(frozen, HELD, connection -> {
                run(connection, "INSERT INTO effects VALUES ('frozen')");
                inside.countDown();
                wakes.await();
                run(connection, "INSERT INTO effects VALUES ('awake')");
                return new Reservation.Recorded(bytes("0"), "json");
            }));
            inside.await();
            assertThat(insert(other, claim("order-1", delivery(JOB, 2)))).isInstanceOf(Reservation.Recorded.class);
            wakes.countDown();
            assertThatThrownBy(work::get).hasCauseInstanceOf(SQLException.class);
            assertThat(effects()).isEqualTo(1);
        } finally {
            wakes.countDown();
            pool.shutdownNow();
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void whatHoldsAKeyInATransactionIsToldOfAfterAWhile() throws Exception {
        try (var ledger = database.ledger().open();
                var connection = database.connect()) {
            connection.setAutoCommit(false);
            var holder = claim("order-1", delivery(JOB, 1));
            var files = new SqlFiles(Database.class, "sql", Dialect.POSTGRESQL.folder());
            try (var sql = new Sql(new Statements(connection, files), connection, 0, false)) {
                Reserving.insert(sql, Hash.of(Claims.SCOPE, "order-1"), holder);
            }
            assertThat(ledger.reserve(claim("order-1", delivery(JOB, 2)), HELD))
                    .isInstanceOfSatisfying(
                            Reservation.InProgress.class,
                            progress -> assertThat(progress.owner()).contains("transaction"));
            connection.rollback();
            assertThat(ledger.reserve(claim("order-1", delivery(JOB, 2)), HELD))
                    .isEqualTo(new Reservation.Reserved(false));
        }
    }
}
