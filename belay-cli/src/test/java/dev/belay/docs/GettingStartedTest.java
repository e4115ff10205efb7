package dev.belay.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.Belay;
import dev.belay.Worker;
import dev.belay.broker.Broker;
import dev.belay.broker.JobQuery;
import dev.belay.job.JobState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What getting started says is so. */
class GettingStartedTest {

    @Test
    void aChargeIsMadeOnceAndWithItsKey(@TempDir Path directory) {
        List<String> charged = new CopyOnWriteArrayList<>();
        var running = GettingStarted.runWorker(
                directory.resolve("belay.db"), (key, amount) -> charged.add(key + " " + amount), to -> {});
        try (var broker = running.broker();
                var worker = running.worker()) {
            var answers = GettingStarted.enqueue(broker);

            assertThat(answers.get(0).duplicate()).isFalse();
            assertThat(answers.get(1).duplicate()).isTrue();
            assertThat(answers.get(1).id()).isEqualTo(answers.get(0).id());
            await().untilAsserted(() -> assertThat(charged).containsExactly("order-42 19.90"));
            assertThat(worker.health().problems()).isEmpty();
        }
    }

    @Test
    void signalsSayWhatWentWrong() {
        var calls = new AtomicInteger();
        try (var broker = Broker.open("memory:getting-started");
                var belay = Belay.on(broker)) {
            var builder = Worker.on(broker).queue("default", 1);
            GettingStarted.signals(
                    builder,
                    customer -> new GettingStarted.Response(
                            customer.email().startsWith("gone") ? 410 : calls.incrementAndGet() == 1 ? 503 : 200,
                            Duration.ofMillis(10)));
            try (var worker = builder.start()) {
                var gone =
                        belay.enqueue(GettingStarted.SYNC_CUSTOMER, new GettingStarted.Customer("gone@example.org", 1));
                var busy =
                        belay.enqueue(GettingStarted.SYNC_CUSTOMER, new GettingStarted.Customer("ann@example.org", 2));

                await().untilAsserted(() -> {
                    assertThat(belay.find(gone.id()).orElseThrow().job().reason())
                            .isEqualTo("BY_HANDLER");
                    assertThat(belay.find(busy.id()).orElseThrow().job().state())
                            .isEqualTo(JobState.SUCCEEDED);
                });
                var followUps = broker.admin()
                        .list(JobQuery.ALL.inQueue("mail"), null, 10)
                        .jobs();
                assertThat(followUps).hasSize(1);
                assertThat(followUps.get(0).links().parent()).isEqualTo(busy.id());
                assertThat(worker.health().problems()).isEmpty();
            }
        }
    }
}
