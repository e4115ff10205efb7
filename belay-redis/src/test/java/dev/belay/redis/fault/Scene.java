package dev.belay.redis.fault;

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
import dev.belay.redis.RedisBroker;
import dev.belay.redis.RedisServer;
import dev.belay.tck.engine.Effects;
import dev.belay.tck.engine.TextCodec;
import dev.belay.tck.fault.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ThrowingRunnable;

/** A server of its own, a network that can be bad in front of it, a client, workers, and what they did. */
final class Scene implements AutoCloseable {

    static final JobType<String> WORK = JobType.define("work", String.class)
            .queue("mail")
            .retry(RetryPolicy.with(Backoff.NONE))
            .build();

    /** How long a test waits for what must come. Only a way to fail. */
    static final Duration PATIENCE = Duration.ofSeconds(90);

    static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static final Codecs CODECS = Codecs.of(new TextCodec());

    final RedisServer server;
    final FaultProxy network;
    final RedisBroker broker;
    final Belay belay;
    final Effects effects = new Effects();
    private final List<AutoCloseable> open = new ArrayList<>();

    Scene(String... settings) throws Exception {
        server = RedisServer.start(settings.length == 0 ? new String[] {"--save", "", "--appendonly", "no"} : settings);
        network = new FaultProxy(server.port());
        broker = broker("redis://127.0.0.1:" + network.port() + "/0");
        belay = client(broker, Duration.ofSeconds(60));
        broker.admin()
                .configure(
                        NamespaceSettings.DEFAULT.withReaping(Duration.ofMillis(200), Duration.ofMillis(1_000)),
                        By.of("test"));
    }

    RedisBroker broker(String address) {
        return closing(RedisBroker.builder(address).timeout(TIMEOUT).open());
    }

    Belay client(RedisBroker on, Duration enqueueTimeout) {
        return closing(
                Belay.builder(on).codecs(CODECS).enqueueTimeout(enqueueTimeout).build());
    }

    Worker worker(int slots, JobHandler<String> handler) {
        return worker(broker, slots, handler);
    }

    Worker worker(RedisBroker on, int slots, JobHandler<String> handler) {
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
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).untilAsserted(assertion);
    }

    /** The conservation check: in how many states these jobs are, each in exactly one. */
    Map<JobState, Integer> states(Collection<JobId> ids) {
        var counts = new EnumMap<JobState, Integer>(JobState.class);
        for (var id : ids) {
            var found = broker.admin().find("mail", id).orElseThrow(() -> new AssertionError("lost: job " + id));
            counts.merge(found.job().state(), 1, Integer::sum);
        }
        return counts;
    }

    void awaitSucceeded(Collection<JobId> ids) {
        eventually(() -> assertThat(
                        broker.admin().count(JobQuery.ALL.inQueue("mail").inState(JobState.SUCCEEDED), Long.MAX_VALUE))
                .isGreaterThanOrEqualTo(ids.size()));
        eventually(() -> assertThat(states(ids)).isEqualTo(Map.of(JobState.SUCCEEDED, ids.size())));
    }

    /** Enqueues from several threads until it is stopped; keeps the ids that were answered with success. */
    final class Load implements AutoCloseable {
        final Queue<JobId> accepted = new ConcurrentLinkedQueue<>();
        final Queue<Throwable> refused = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicInteger number = new AtomicInteger();
        private final List<Thread> threads = new ArrayList<>();

        Load(Belay client, int callers) {
            for (var i = 0; i < callers; i++) {
                var thread = new Thread(() -> run(client), "load-" + i);
                threads.add(thread);
                thread.start();
            }
        }

        private void run(Belay client) {
            while (!over.get()) {
                try {
                    accepted.add(client.enqueue(WORK.with("job " + number.incrementAndGet()))
                            .id());
                } catch (BrokerException e) {
                    refused.add(e);
                }
            }
        }

        void awaitAccepted(int more) {
            var from = accepted.size();
            eventually(() -> assertThat(accepted).hasSizeGreaterThan(from + more));
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
        network.heal();
        for (var closeable : open) {
            closeable.close();
        }
        network.close();
        server.close();
    }
}
