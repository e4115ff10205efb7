package dev.belay.engine;

import dev.belay.broker.Broker;
import dev.belay.event.JobListener;
import dev.belay.event.WorkerHealth;
import dev.belay.handler.Codecs;
import dev.belay.handler.HandlerInterceptor;
import dev.belay.handler.Handlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A worker's engine. */
public final class Engine {

    private final Config config;

    public Engine(Broker broker, Config config) {
        this.config = config;
    }

    public void start() {}

    public void requestStop() {}

    public void stop(Duration drainTimeout) {}

    public void awaitStop() throws InterruptedException {}

    public WorkerHealth health() {
        return new WorkerHealth(WorkerHealth.State.NEW, List.of(config.name()), 0, 0, 0);
    }

    /** Host and process. */
    public static String defaultName() {
        return ProcessHandle.current().pid() + "";
    }

    /** A queue to be served. */
    public record QueueConfig(String queue, int slots, int weight) {}

    /** A worker's settings. */
    public record Config(
            String name,
            List<QueueConfig> queues,
            Handlers handlers,
            Codecs codecs,
            List<HandlerInterceptor> interceptors,
            List<JobListener> listeners,
            @Nullable Executor executor,
            Timing timing,
            Duration drainTimeout,
            boolean interruptUncertain) {}

    /** A worker's paces. */
    public record Timing(Duration lease, Duration heartbeat, Duration poll, Duration reconnect) {

        public static final Timing DEFAULT = new Timing(
                Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(3));

        public Timing withLease(Duration value) {
            return new Timing(value, heartbeat, poll, reconnect);
        }

        public Timing withHeartbeat(Duration value) {
            return new Timing(lease, value, poll, reconnect);
        }

        public Timing withPoll(Duration value) {
            return new Timing(lease, heartbeat, value, reconnect);
        }

        public Timing withReconnect(Duration value) {
            return new Timing(lease, heartbeat, poll, value);
        }
    }
}
