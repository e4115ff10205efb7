package dev.belay.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.Belay;
import dev.belay.Worker;
import dev.belay.broker.Broker;
import dev.belay.job.JobType;
import dev.belay.ledger.JdbcOutbox;
import dev.belay.ledger.LedgerBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** The example of the page on the outbox, run. */
class OutboxTest {

    record Order(long id) {}

    static final JobType<Order> SEND_RECEIPT = JobType.of("send-receipt", Order.class);

    private final List<Order> mailed = new CopyOnWriteArrayList<>();

    private void mail(Order order) {
        mailed.add(order);
    }

    private Belay order(Broker broker, DataSource dataSource, Order order) throws Exception {
        // snippet: outbox-enqueue
        var outbox = JdbcOutbox.open(dataSource);
        var belay = Belay.builder(broker).outbox(outbox).build();

        try (var connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (var insert = connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
                insert.setLong(1, order.id());
                insert.executeUpdate();
            }
            belay.enqueueIn(connection, SEND_RECEIPT.with(order));
            connection.commit();
        }
        // end
        return belay;
    }

    private Worker relaying(Broker broker, JdbcOutbox outbox) {
        // snippet: outbox-relay
        var worker = Worker.on(broker)
                .queue("default", 10)
                .relay(outbox)
                .handle(SEND_RECEIPT, (order, context) -> mail(order))
                .start();
        // end
        return worker;
    }

    private static void once(Belay belay, Order order) {
        // snippet: outbox-once
        belay.enqueueOnce(SEND_RECEIPT.with(order).key("receipt-" + order.id()));
        // end
    }

    @Test
    void aReceiptIsSentForWhatWasCommitted(@TempDir Path folder) throws Exception {
        var dataSource = new SQLiteDataSource();
        dataSource.setUrl(LedgerBuilder.sqliteUrl(folder.resolve("shop.db")));
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id BIGINT)");
        }
        var order = new Order(42);
        try (var broker = Broker.open("sqlite:" + folder.resolve("belay.db"));
                var belay = order(broker, dataSource, order);
                var outbox = JdbcOutbox.open(dataSource);
                var worker = relaying(broker, outbox)) {
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(mailed).containsExactly(order));
            once(belay, order);
            once(belay, order);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(mailed).containsExactly(order, order));
            assertThat(worker.health().problems()).isEmpty();
        }
    }
}
