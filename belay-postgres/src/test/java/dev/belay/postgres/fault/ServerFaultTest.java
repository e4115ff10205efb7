package dev.belay.postgres.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.belay.Belay;
import dev.belay.Worker;
import dev.belay.broker.BrokerException;
import dev.belay.broker.JobQuery;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.Verdict;
import dev.belay.handler.Codecs;
import dev.belay.handler.JobHandler;
import dev.belay.job.Backoff;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.job.RetryPolicy;
import dev.belay.postgres.PostgresBroker;
import dev.belay.tck.engine.Effects;
import dev.belay.tck.engine.TextCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that is killed, ends sessions, is read-only for a while, has no connection left, or is held up by others. */
@SuppressWarnings("NullAway.Init") // set before each test
class ServerFaultTest {

    private static final JobType<String> WORK = JobType.define("work", String.class)
            .queue("mail")
            .retry(RetryPolicy.with(Backoff.NONE))
            .build();

    /** How long a test waits for what must come. Only a way to fail. */
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static final Codecs CODECS = Codecs.of(new TextCodec());

    private final Effects effects = new Effects();
    private final List<AutoCloseable> open = new ArrayList<>();
    private OwnServer server;
    private PostgresBroker broker;
    private Belay belay;

    @BeforeEach
    void open() throws Exception {
        server = OwnServer.start();
        broker = closing(PostgresBroker.builder(server.address()).open());
        belay = client(Duration.ofSeconds(90));
        broker.admin()
                .configure(
                        NamespaceSettings.DEFAULT.withReaping(Duration.ofMillis(200), Duration.ofMillis(1_000)),
                        By.of("test"));
    }

    @AfterEach
    void close() throws Exception {
        for (var closeable : open) {
            closeable.close();
        }
        server.close();
    }

    private <C extends AutoCloseable> C closing(C closeable) {
        open.add(0, closeable);
        return closeable;
    }

    private Belay client(Duration enqueueTimeout) {
        return closing(Belay.builder(broker)
                .codecs(CODECS)
                .enqueueTimeout(enqueueTimeout)
                .build());
    }

    private Worker worker(int slots, JobHandler<String> handler) {
        return closing(Worker.on(broker)
                .codecs(CODECS)
                .leaseDuration(Duration.ofSeconds(4))
                .heartbeat(Duration.ofMillis(500))
                .poll(Duration.ofMillis(100))
                .reconnectBackoff(Duration.ofMillis(200))
                .drainTimeout(Duration.ofSeconds(5))
                .withoutShutdownHook()
                .queue("mail", slots)
                .handle(WORK, effects.count(handler))
                .start());
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).untilAsserted(assertion);
    }

    private void awaitSucceeded(Collection<JobId> ids) {
        eventually(() -> assertThat(ids)
                .allSatisfy(id -> assertThat(broker.admin()
                                .find("mail", id)
                                .orElseThrow(() -> new AssertionError("lost: job " + id))
                                .job()
                                .state())
                        .isEqualTo(JobState.SUCCEEDED)));
    }

    private interface Fault {
        void happens() throws Exception;
    }

    private void whileUnderLoad(int rounds, Fault fault) throws Exception {
        worker(10, (payload, context) -> {});
        var load = closing(new Load(4));
        for (var round = 0; round < rounds; round++) {
            load.awaitAccepted(20);
            fault.happens();
            load.awaitAccepted(20);
        }
        load.close();
        assertThat(load.refused).isEmpty();
        awaitSucceeded(load.accepted);
        assertThat(broker.admin().count(JobQuery.ALL.inQueue("mail"), Long.MAX_VALUE))
                .isEqualTo(load.accepted.size());
    }

    @Test
    void G1_aKilledServerLosesNothingAccepted() throws Exception {
        whileUnderLoad(3, () -> {
            server.kill();
            server.restart();
        });
    }

    @Test
    void G1_sessionsThatTheServerEndsLoseAndDoubleNothing() throws Exception {
        whileUnderLoad(10, () -> server.terminateSessions());
    }

    @Test
    void aServerThatIsReadOnlyForAWhileRefusesAndIsWaitedFor() throws Exception {
        var worker = worker(4, (payload, context) -> {});
        server.run("ALTER DATABASE postgres SET default_transaction_read_only = on");
        server.terminateSessions();
        eventually(() -> assertThat(worker.health().isHealthy()).isFalse());
        var impatient = client(Duration.ofMillis(500));
        assertThatThrownBy(() -> impatient.enqueue(WORK.with("never")))
                .isInstanceOf(BrokerException.NotApplied.class)
                .hasMessageContaining("read-only");
        server.run("ALTER DATABASE postgres RESET default_transaction_read_only");
        server.terminateSessions();
        var id = belay.enqueue(WORK.with("afterwards")).id();
        awaitSucceeded(List.of(id));
        eventually(() -> assertThat(worker.health().isHealthy()).isTrue());
        effects.assertOnce(List.of(id));
    }

    @Test
    void aTransactionThatIsOpenHoldsUpOnlyWhoNeedsWhatItHolds() throws Exception {
        var running = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        worker(2, (payload, context) -> {
            if (payload.equals("held")) {
                running.countDown();
                gate.await();
            }
        });
        var held = belay.enqueue(WORK.with("held")).id();
        running.await();
        try (var connection = server.connect()) {
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute("SELECT * FROM belay.flight FOR UPDATE");
            }
            var others = belay.enqueueAll(List.of(WORK.with("a"), WORK.with("b"), WORK.with("c"))).stream()
                    .map(answer -> answer.id())
                    .toList();
            awaitSucceeded(others);
            broker.reap();
            broker.prune();
            assertThat(broker.admin().cancel("mail", held, By.of("ann"))).isEqualTo(Verdict.BUSY);
            connection.rollback();
        }
        assertThat(broker.admin().cancel("mail", held, By.of("ann")).isApplied())
                .isTrue();
        gate.countDown();
    }

    /** Enqueues from several threads until it is stopped; keeps the ids that were answered with success. */
    private final class Load implements AutoCloseable {
        private final Queue<JobId> accepted = new ConcurrentLinkedQueue<>();
        private final Queue<Throwable> refused = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicInteger number = new AtomicInteger();
        private final List<Thread> threads = new ArrayList<>();

        Load(int callers) {
            for (var i = 0; i < callers; i++) {
                var thread = new Thread(this::run, "load-" + i);
                threads.add(thread);
                thread.start();
            }
        }

        private void run() {
            while (!over.get()) {
                try {
                    accepted.add(belay.enqueue(WORK.with("job " + number.incrementAndGet()))
                            .id());
                } catch (BrokerException e) {
                    refused.add(e);
                }
            }
        }

        void awaitAccepted(int more) {
            var from = accepted.size();
            eventually(() -> assertThat(accepted.size() + refused.size()).isGreaterThan(from + more));
        }

        @Override
        public void close() throws InterruptedException {
            over.set(true);
            for (var thread : threads) {
                thread.join();
            }
        }
    }
}
