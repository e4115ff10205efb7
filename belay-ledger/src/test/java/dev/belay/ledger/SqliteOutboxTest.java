package dev.belay.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.Belay;
import dev.belay.Worker;
import dev.belay.broker.Broker;
import dev.belay.broker.JobQuery;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.once.Effect;
import dev.belay.once.Ledger;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteOutboxTest extends OutboxContract {

    private static final JobType<String> NOTE = JobType.of("note", String.class);

    @Override
    TestDatabase database() {
        return TestDatabase.sqlite();
    }

    @Test
    void inTheBrokersOwnFileTheJobIsWrittenWithoutTheOutbox(@TempDir Path shared) throws SQLException {
        var file = shared.resolve("shop.db");
        try (var broker = Broker.open("sqlite:" + file);
                var outbox = JdbcOutbox.open(file);
                var belay = Belay.builder(broker).outbox(outbox).build();
                var connection = DriverManager.getConnection(LedgerBuilder.sqliteUrl(file))) {
            connection.setAutoCommit(false);
            // With a key that could not go through an outbox.
            var answer = belay.enqueueIn(connection, NOTE.with("x").key("k").atMostOneWaiting());
            assertThat(answer.state()).isEqualTo(JobState.READY);
            assertThat(belay.enqueueIn(connection, NOTE.with("x").key("k").atMostOneWaiting())
                            .duplicate())
                    .isTrue();
            assertThat(belay.find(answer.id())).isEmpty();
            connection.commit();

            assertThat(belay.find(answer.id())).isPresent();
            assertThat(outbox.list(false, 10)).isEmpty();
        }
    }

    @Test
    void anEffectInTheBrokersOwnFileCanEnqueueAndCompleteWithItsTransaction(@TempDir Path shared) throws Exception {
        var file = shared.resolve("shop.db");
        var noted = new CompletableFuture<String>();
        try (var broker = Broker.open("sqlite:" + file);
                var ledger = Ledger.open("sqlite:" + file);
                var belay = Belay.on(broker);
                var worker = Worker.on(broker)
                        .queue("default", 2)
                        .ledger(ledger)
                        .handle(NOTE, (text, context) -> {
                            if (text.equals("next")) {
                                noted.complete(text);
                                return;
                            }
                            context.onceInTransaction(Effect.of("first", Void.class), connection -> {
                                belay.enqueueIn(connection, NOTE.with("next"));
                                context.completeIn(connection);
                                return null;
                            });
                        })
                        .withoutShutdownHook()
                        .start()) {
            var id = belay.enqueue(NOTE, "first").id();
            assertThat(noted.get(60, TimeUnit.SECONDS)).isEqualTo("next");
            assertThat(belay.find(id).orElseThrow().job().state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(worker.health().problems()).isEmpty();
            assertThat(broker.admin().count(JobQuery.ALL, 10)).isEqualTo(2);
        }
    }
}
