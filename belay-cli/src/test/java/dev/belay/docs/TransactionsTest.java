package dev.belay.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.Belay;
import dev.belay.Worker;
import dev.belay.broker.Broker;
import dev.belay.job.JobType;
import dev.belay.ledger.LedgerBuilder;
import dev.belay.postgres.PostgresBroker;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** The examples of the page on transactions, run. */
class TransactionsTest {

    record Order(long id) {}

    static final JobType<Order> BOOK = JobType.of("book", Order.class);

    private static void insert(Connection connection, String table, Order order) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO " + table + " VALUES (?)")) {
            insert.setLong(1, order.id());
            insert.executeUpdate();
        }
    }

    private static void order(Belay belay, DataSource dataSource, Order order) throws SQLException {
        // snippet: transactions-enqueue
        try (var connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, "orders", order);
            belay.enqueueIn(connection, BOOK.with(order).key("book-" + order.id()));
            connection.commit();
        }
        // end
    }

    static Broker besideTheData(DataSource dataSource) {
        // snippet: postgres-data-source
        var broker = PostgresBroker.builder(dataSource).schema("jobs").open();
        // end
        return broker;
    }

    private static Worker booking(Broker broker, DataSource dataSource) {
        // snippet: transactions-complete
        var worker = Worker.on(broker)
                .queue("default", 10)
                .handle(BOOK, (order, context) -> {
                    try (var connection = dataSource.getConnection()) {
                        connection.setAutoCommit(false);
                        insert(connection, "bookings", order);
                        context.completeIn(connection);
                        connection.commit();
                    }
                })
                .start();
        // end
        return worker;
    }

    @Test
    void anOrderIsBookedOnce(@TempDir Path folder) throws Exception {
        var dataSource = new SQLiteDataSource();
        dataSource.setUrl(LedgerBuilder.sqliteUrl(folder.resolve("shop.db")));
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY)");
            statement.execute("CREATE TABLE bookings (id BIGINT PRIMARY KEY)");
        }
        try (var broker = Broker.open("sqlite:" + folder.resolve("shop.db"));
                var belay = Belay.on(broker);
                var worker = booking(broker, dataSource)) {
            for (var id = 1; id <= 3; id++) {
                order(belay, dataSource, new Order(id));
            }
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(count(dataSource)).isEqualTo(3));
            assertThat(worker.health().problems()).isEmpty();
        }
    }

    private static long count(DataSource dataSource) throws SQLException {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM bookings")) {
            return rows.next() ? rows.getLong(1) : -1;
        }
    }
}
