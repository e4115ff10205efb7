package dev.belay.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.JobQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.InvalidInputException;
import dev.belay.job.NewJob;
import dev.belay.tck.JobBuilder;
import dev.belay.tck.TestClient;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is SQLite's own of transactions of callers: which connections are meant, locks, snapshots, a full disk. */
@SuppressWarnings("NullAway.Init") // set before each test
class CallersTransactionTest {

    @TempDir
    private Path directory;

    private Path file;
    private SqliteBroker broker;

    @BeforeEach
    void open() {
        file = directory.resolve("belay.db");
        broker = SqliteBroker.open(file);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private static NewJob job() {
        return JobBuilder.job().build();
    }

    private static Connection connect(Object path, String... parameters) throws SQLException {
        var query = parameters.length == 0 ? "" : "?" + String.join("&", parameters);
        return DriverManager.getConnection("jdbc:sqlite:" + path + query);
    }

    /** A connection to the store, in a transaction as the driver begins it: one that takes no lock yet. */
    private Connection begin(String... parameters) throws SQLException {
        var connection = connect(file, parameters);
        connection.setAutoCommit(false);
        return connection;
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getLong(1) : -1;
        }
    }

    private void enqueueIn(Connection connection) throws SQLException {
        assertThat(broker.enqueueIn(connection, JobBuilder.QUEUE, List.of(job())))
                .allMatch(Verdict::isApplied);
    }

    private long stored() {
        return broker.admin().count(JobQuery.ALL, Long.MAX_VALUE);
    }

    // --- which connections ---

    @Test
    void aConnectionIsTheStoresWhateverItsPathIsCalled() throws Exception {
        var link = Files.createSymbolicLink(directory.resolve("link.db"), file);
        var relative = Path.of("").toAbsolutePath().relativize(file);
        for (var path : List.of(file, link, relative, directory.resolve("x/../belay.db"))) {
            Files.createDirectories(directory.resolve("x"));
            try (var connection = connect(path)) {
                assertThat(broker.owns(connection)).as("%s", path).isTrue();
            }
        }
    }

    @Test
    void otherFilesAndDatabasesInMemoryAreNotTheStore() throws SQLException {
        try (var other = connect(directory.resolve("other.db"));
                var memory = connect(":memory:")) {
            run(other, "ATTACH '" + file + "' AS belay");
            for (var connection : List.of(other, memory)) {
                assertThat(broker.owns(connection)).isFalse();
                connection.setAutoCommit(false);
                assertThatThrownBy(() -> enqueueIn(connection))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("file of the store");
            }
        }
        assertThat(stored()).isZero();
    }

    @Test
    void anotherProductIsAskedForNothingButItsName() throws SQLException {
        var metaData = (DatabaseMetaData) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DatabaseMetaData.class}, (self, method, args) -> {
                    assertThat(method.getName()).isEqualTo("getDatabaseProductName");
                    return "PostgreSQL";
                });
        var connection = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, args) -> {
                    assertThat(method.getName()).isEqualTo("getMetaData");
                    return metaData;
                });
        assertThat(broker.owns(connection)).isFalse();
    }

    // --- which transactions ---

    @Test
    void aTransactionThatWasBegunByAStatementCounts() throws SQLException {
        try (var connection = connect(file)) {
            run(connection, "BEGIN IMMEDIATE");
            enqueueIn(connection);
            run(connection, "ROLLBACK");
            assertThat(stored()).isZero();
            run(connection, "BEGIN");
            enqueueIn(connection);
            run(connection, "COMMIT");
            assertThat(stored()).isEqualTo(1);
        }
    }

    @Test
    void aTransactionThatOnlyTheDriverBelievesInIsRefused() throws SQLException {
        try (var connection = begin()) {
            // As SQLite itself does after some errors.
            run(connection, "ROLLBACK");
            assertThat(connection.getAutoCommit()).isFalse();
            assertThatThrownBy(() -> enqueueIn(connection))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("SQLite has none open");
        }
        assertThat(stored()).isZero();
    }

    @Test
    void aTransactionThatWroteWithTheLockFromItsBeginGoesOn() throws SQLException {
        try (var connection = begin("transaction_mode=IMMEDIATE")) {
            enqueueIn(connection);
            connection.commit();
        }
        assertThat(stored()).isEqualTo(1);
    }

    // --- locks and snapshots ---

    @Test
    void anOldSnapshotIsToldWithWhatToDo() throws SQLException {
        try (var connection = begin()) {
            number(connection, "SELECT count(*) FROM job");
            new TestClient(broker).accept(List.of(job()));
            assertThatThrownBy(() -> enqueueIn(connection))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("BEGIN IMMEDIATE")
                    .hasMessageContaining("SQLITE_BUSY_SNAPSHOT");
            connection.rollback();
            enqueueIn(connection);
            connection.commit();
        }
        assertThat(stored()).isEqualTo(2);
    }

    /** Its first statement must be a write: or each of these would be a race with whoever writes beside it. */
    @Test
    void aTransactionThatBeginsWithAnEnqueueNeverHasAnOldSnapshot() throws Exception {
        var stop = new AtomicBoolean();
        var begun = new CountDownLatch(1);
        var others = new AtomicInteger();
        var writer = new Thread(() -> {
            var client = new TestClient(broker);
            while (!stop.get()) {
                client.accept(List.of(job()));
                others.incrementAndGet();
                begun.countDown();
            }
        });
        writer.start();
        begun.await();
        try (var connection = begin("busy_timeout=30000")) {
            for (var i = 0; i < 25; i++) {
                enqueueIn(connection);
                connection.commit();
            }
        } finally {
            stop.set(true);
            writer.join();
        }
        assertThat(stored()).isEqualTo(25 + others.get());
    }

    @Test
    void aFileThatIsLockedForTooLongIsToldWithWhatToDo() throws SQLException {
        try (var holder = connect(file);
                var connection = begin("busy_timeout=1")) {
            run(holder, "BEGIN IMMEDIATE");
            assertThatThrownBy(() -> enqueueIn(connection))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("busy_timeout")
                    .hasMessageContaining("SQLITE_BUSY");
            run(holder, "ROLLBACK");
            // The transaction is as it was.
            enqueueIn(connection);
            connection.commit();
        }
        assertThat(stored()).isEqualTo(1);
    }

    // --- what is left ---

    @Test
    void ofACallThatFailsHalfWayNothingIsLeftEvenIfTheCallerGoesOn() throws SQLException {
        try (var connection = begin()) {
            run(connection, "CREATE TABLE mine (n INTEGER)");
            run(
                    connection,
                    "CREATE TEMP TRIGGER late AFTER INSERT ON event_count BEGIN SELECT RAISE(ABORT, 'late'); END");
            run(connection, "INSERT INTO mine VALUES (1)");
            assertThatThrownBy(() -> enqueueIn(connection))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("late");
            connection.commit();
            assertThat(number(connection, "SELECT count(*) FROM mine")).isEqualTo(1);
            assertThat(number(connection, "SELECT count(*) FROM job")).isZero();
            assertThat(number(connection, "SELECT count(*) FROM queue")).isZero();
        }
        assertThat(stored()).isZero();
    }

    @Test
    void aDiskThatIsFullFailsTheCallAndLeavesNoHalfOfIt() throws SQLException {
        var large = JobBuilder.job().payload(new byte[500_000]).build();
        try (var connection = begin()) {
            run(connection, "PRAGMA max_page_count = " + (number(connection, "PRAGMA page_count") + 20));
            assertThatThrownBy(() -> broker.enqueueIn(connection, JobBuilder.QUEUE, List.of(job(), large)))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("FULL");
            // SQLite has rolled all of it back, which the driver has not noticed: the next call would commit by itself.
            assertThatThrownBy(() -> enqueueIn(connection))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("SQLite has none open");
        }
        assertThat(stored()).isZero();
        new TestClient(broker).accept(List.of(large));
    }

    @Test
    void noStatementAndNoSettingIsLeftOnTheConnection() throws SQLException {
        var open = new AtomicInteger();
        var prepared = new AtomicInteger();
        try (var real = begin()) {
            var synchronous = number(real, "PRAGMA synchronous");
            var timeout = number(real, "PRAGMA busy_timeout");
            var counted = (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, args) -> {
                        var answer = call(method, real, args);
                        if (answer instanceof Statement statement) {
                            prepared.incrementAndGet();
                            open.incrementAndGet();
                            return watched(statement, open, method.getReturnType());
                        }
                        assertThat(method.getName()).isIn("getMetaData", "getAutoCommit");
                        return answer;
                    });
            broker.enqueueIn(
                    counted,
                    JobBuilder.QUEUE,
                    List.of(job(), JobBuilder.job().key("k").build()));
            assertThat(prepared.get()).isPositive();
            assertThat(open).hasValue(0);
            assertThat(number(real, "PRAGMA synchronous")).isEqualTo(synchronous);
            assertThat(number(real, "PRAGMA busy_timeout")).isEqualTo(timeout);
            real.commit();
        }
        assertThat(stored()).isEqualTo(2);
    }

    private static Object watched(Statement statement, AtomicInteger open, Class<?> type) {
        return Proxy.newProxyInstance(Statement.class.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            if (method.getName().equals("close")) {
                open.decrementAndGet();
            }
            return call(method, statement, args);
        });
    }

    @SuppressWarnings("NullAway") // methods without an answer answer null
    private static Object call(java.lang.reflect.Method method, Object target, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
