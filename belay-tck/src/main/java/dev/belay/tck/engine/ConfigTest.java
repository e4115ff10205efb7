package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.Belay;
import dev.belay.Worker;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.QueueSettings;
import dev.belay.job.Backoff;
import dev.belay.job.InvalidInputException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings that make no sense are refused at start, with what would make sense. */
public class ConfigTest extends EngineSuite {

    private static final List<Duration> SENSELESS = List.of(
            Duration.ZERO,
            Duration.ofSeconds(-1),
            Duration.ofSeconds(Long.MAX_VALUE),
            Duration.ofMillis(Long.MAX_VALUE));

    private static void refused(String field, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(InvalidInputException.class).hasMessageContaining(field);
    }

    private void refusedAtStart(String field, Consumer<Worker.Builder> change) {
        refused(field, () -> {
            var builder = define().queue(QUEUE, 1).handle(WORK, (payload, context) -> {});
            change.accept(builder);
            closing(builder.start());
        });
        assertThat(admin.sessions()).as("nothing was started for %s", field).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_000_000_000, Integer.MIN_VALUE})
    void case137_slotsThatMakeNoSenseAreRefused(int slots) {
        refused("slots of queue 'mail'", () -> define().queue(QUEUE, slots));
        refused("weight of queue 'mail'", () -> define().queue(QUEUE, 1, slots));
    }

    @Test
    void case138_intervalsThatMakeNoSenseAreRefused() {
        for (var value : SENSELESS) {
            refusedAtStart("leaseDuration", b -> b.leaseDuration(value));
            refusedAtStart("heartbeat", b -> b.heartbeat(value));
            refusedAtStart("poll", b -> b.poll(value));
            refusedAtStart("reconnectBackoff", b -> b.reconnectBackoff(value));
        }
        var nano = Duration.ofNanos(1);
        refusedAtStart("heartbeat", b -> b.heartbeat(nano));
        refusedAtStart("poll", b -> b.poll(nano));
        refusedAtStart("reconnectBackoff", b -> b.reconnectBackoff(nano));
        refusedAtStart("leaseDuration", b -> b.heartbeat(Duration.ofMillis(100)).leaseDuration(Duration.ofMillis(999)));
        refusedAtStart("drainTimeout", b -> b.drainTimeout(Duration.ofSeconds(-1)));
        refusedAtStart("drainTimeout", b -> b.drainTimeout(Duration.ofSeconds(Long.MAX_VALUE)));
    }

    @Test
    void case138_combinationsThatCantWorkAreRefused() {
        refusedAtStart("heartbeat", b -> b.leaseDuration(Duration.ofSeconds(3)).heartbeat(Duration.ofSeconds(3)));
        refusedAtStart("heartbeat", b -> b.leaseDuration(Duration.ofSeconds(3)).heartbeat(Duration.ofMillis(1_001)));
        // A worker that was cut off must be back before it is given up.
        reaping(Duration.ofSeconds(1), Duration.ofSeconds(3));
        refusedAtStart("reconnectBackoff", b -> b.reconnectBackoff(Duration.ofMillis(1_001)));
        start(define().reconnectBackoff(Duration.ofSeconds(1)).queue(QUEUE, 1).handle(WORK, (payload, context) -> {}));
    }

    @Test
    void case138_queuesAreNamedOnceAndWell() {
        refused(
                "queues",
                () -> closing(define().handle(WORK, (payload, context) -> {}).start()));
        refused("queue", () -> define().queue(QUEUE, 1).queue(QUEUE, 2));
        for (var name : List.of("", " mail", "Mail", "mail\n", "a".repeat(101), "-mail")) {
            refused("queue", () -> define().queue(name, 1));
        }
        assertThatThrownBy(() -> define().handle(WORK, (p, c) -> {}).handle(WORK, (p, c) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(TYPE);
        refused("worker name", () -> define().name(""));
    }

    @Test
    void case138_whatTravelsWithJobsAndNamespacesIsChecked() {
        for (var value : List.of(0, -1)) {
            refused("maxAttempts", () -> type(b -> b.maxAttempts(value)));
            refused("maxCrashes", () -> type(b -> b.maxCrashes(value)));
        }
        refused("priority", () -> type(b -> b.priority(5)));
        refused("backoff base", () -> Backoff.exponential(Duration.ofHours(2), 2, Duration.ofHours(1)));
        refused("backoff factor", () -> Backoff.exponential(Duration.ofSeconds(1), 0.5, Duration.ofHours(1)));
        refused("backoff factor", () -> Backoff.exponential(Duration.ofSeconds(1), Double.NaN, Duration.ofHours(1)));
        refused("keepFinished", () -> QueueSettings.DEFAULT.withFinished(Duration.ofSeconds(-1), 1));
        refused("keepFinishedCount", () -> QueueSettings.DEFAULT.withFinished(Duration.ZERO, -1));
        var namespace = new ArrayList<Function<Duration, NamespaceSettings>>();
        namespace.add(d -> NamespaceSettings.DEFAULT.withReaping(d, Duration.ofSeconds(10)));
        namespace.add(d -> NamespaceSettings.DEFAULT.withReaping(Duration.ofSeconds(1), d));
        for (var value : SENSELESS) {
            namespace.forEach(settings -> refused("reap", () -> settings.apply(value)));
            refused("timeout", () -> type(b -> b.timeout(value)));
            refused("expiresAfter", () -> type(b -> b.expiresAfter(value)));
            refused("enqueueTimeout", () -> Belay.builder(broker).enqueueTimeout(value));
        }
        refused(
                "dedupWindow",
                () -> new NamespaceSettings(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(9),
                        Duration.ofSeconds(-1),
                        Duration.ofHours(1),
                        Duration.ofDays(1),
                        1));
        refused(
                "maxPayloadBytes",
                () -> new NamespaceSettings(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(9),
                        Duration.ofHours(1),
                        Duration.ofHours(1),
                        Duration.ofDays(1),
                        0));
    }

    @Test
    void case138_anIdleWorkerIsIdle() {
        start(define().poll(Duration.ofMillis(100))
                .queue(QUEUE, 10)
                .queue(OTHER_QUEUE, 10)
                .handle(WORK, (payload, context) -> {}));
        var leases = wire.calls("lease");
        var beats = wire.calls("heartbeat");
        var from = System.nanoTime();
        eventually(() -> assertThat(wire.calls("heartbeat")).isGreaterThan(beats + 15));
        var polls = (System.nanoTime() - from) / Duration.ofMillis(50).toNanos() + 1;
        assertThat(wire.calls("lease") - (long) leases)
                .as("lease calls for two queues")
                .isLessThanOrEqualTo(2 * polls + 2);
        assertThat(ManagementFactory.getThreadMXBean().getThreadCount()).isLessThan(200);
    }
}
