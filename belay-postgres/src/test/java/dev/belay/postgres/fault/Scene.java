package dev.belay.postgres.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.Belay;
import dev.belay.Worker;
import dev.belay.broker.BrokerException;
import dev.belay.broker.JobQuery;
import dev.belay.broker.NamespaceSettings;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ThrowingRunnable;

/** A broker on a server, a client, workers, and what they did. */
final class Scene implements AutoCloseable {

    static final JobType<String> WORK = JobType.define("work", String.class)
            .queue("mail")
            .retry(RetryPolicy.with(Backoff.NONE))
            .build();

    /** How long a test waits for what must come. Only a way to fail. */
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static final Codecs CODECS = Codecs.of(new TextCodec());

    private final int socketTimeout;
    final PostgresBroker broker;
    final Belay belay;
    final Effects effects = new Effects();
    private final List<AutoCloseable> open = new ArrayList<>();

    /**
     * @param port where the server is to be reached
     * @param socketTimeout after how many seconds without an answer a connection is given up
     */
    Scene(int port, int socketTimeout) {
        this.socketTimeout = socketTimeout;
        broker = broker(port);
        belay = client(Duration.ofSeconds(90));
        broker.admin()
                .configure(
                        NamespaceSettings.DEFAULT.withReaping(Duration.ofMillis(200), Duration.ofMillis(1_000)),
                        By.of("test"));
    }

    PostgresBroker broker(int port) {
        return closing(PostgresBroker.builder(
                        "postgresql://postgres@127.0.0.1:" + port + "/postgres?socketTimeout=" + socketTimeout)
                .patience(Duration.ofSeconds(2))
                .open());
    }

    Belay client(Duration enqueueTimeout) {
        return closing(Belay.builder(broker)
                .codecs(CODECS)
                .enqueueTimeout(enqueueTimeout)
                .build());
    }

    Worker worker(int slots, JobHandler<String> handler) {
        return worker(broker, slots, handler);
    }

    Worker worker(PostgresBroker on, int slots, JobHandler<String> handler) {
        return closing(Worker.on(on)
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

    private <C extends AutoCloseable> C closing(C closeable) {
        open.add(0, closeable);
        return closeable;
    }

    static void eventually(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).untilAsserted(assertion);
    }

    void awaitSucceeded(Collection<JobId> ids) {
        var succeeded = JobQuery.ALL.inQueue("mail").inState(JobState.SUCCEEDED);
        eventually(() ->
                assertThat(broker.admin().count(succeeded, Long.MAX_VALUE)).isGreaterThanOrEqualTo(ids.size()));
        eventually(() -> assertThat(ids)
                .allSatisfy(id -> assertThat(broker.admin()
                                .find("mail", id)
                                .orElseThrow(() -> new AssertionError("lost: job " + id))
                                .job()
                                .state())
                        .isEqualTo(JobState.SUCCEEDED)));
    }

    /** How many jobs there are, in whatever state. */
    long stored() {
        return broker.admin().count(JobQuery.ALL.inQueue("mail"), Long.MAX_VALUE);
    }

    /** Enqueues from several threads until it is stopped; keeps the ids that were answered with success. */
    final class Load implements AutoCloseable {
        final Queue<JobId> accepted = new ConcurrentLinkedQueue<>();
        final Queue<Throwable> refused = new ConcurrentLinkedQueue<>();
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

    @Override
    public void close() throws Exception {
        for (var closeable : open) {
            closeable.close();
        }
    }
}
