package dev.belay.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import dev.belay.cli.Cli;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SnapshotBenchTest {

    private static final SnapshotOptions SHORT = new SnapshotOptions(205, 16, 0, 1, 2, 1);

    @Test
    void leasesAreTimedBeforeWhileAndAfterASnapshotIsHeld() throws Exception {
        var said = new ArrayList<String>();
        try (var broker = Broker.open("memory:snapshot-bench", "bench")) {
            var figures = new SnapshotBench(
                            SHORT,
                            broker,
                            () -> {
                                said.add("taken");
                                return () -> said.add("ended");
                            },
                            said::add)
                    .run();
            assertThat(said)
                    .containsExactly(
                            "1 s without a snapshot",
                            "taken",
                            "2 s with a snapshot held",
                            "ended",
                            "1 s without it again");
            var json = new SnapshotJson(figures).build(SHORT, "memory:");
            assertThat(json.path("rate").asInt()).isEqualTo(205);
            assertThat(json.path("seconds").asInt()).isEqualTo(2);
            for (var span :
                    new String[] {"before", "firstSecond", "firstTenSeconds", "lastSecond", "lastTenSeconds", "after"
                    }) {
                assertThat(json.path(span).path("leases").asInt()).as(span).isPositive();
                assertThat(json.path(span).path("leaseMs").path("p99").asDouble())
                        .as(span)
                        .isPositive();
            }
            assertThat(json.path("firstTenSeconds").path("leases").asInt())
                    .isGreaterThan(json.path("firstSecond").path("leases").asInt());
            assertThat(json.path("enqueuedPerS").asInt()).isPositive();
            assertThat(json.path("backlog").path("mostWhileHeld").isNumber()).isTrue();
            assertThat(json.path("backlog").path("atEnd").isNumber()).isTrue();
            assertThat(json.path("ratio").path("p99LastToFirst").asDouble()).isPositive();
            assertThat(json.path("ratio").path("p99LastToFirstTen").asDouble()).isEqualTo(1);
        }
    }

    @Test
    void whatEndsTheFlowEndsTheBenchmark() throws Exception {
        var full = new AtomicBoolean();
        var ended = new AtomicInteger();
        try (var broker = Broker.open("memory:snapshot-bench-full", "bench")) {
            var bench = new SnapshotBench(
                    new SnapshotOptions(100, 4, 0, 1, 600, 1),
                    refusingWhen(full, broker),
                    () -> {
                        full.set(true);
                        return ended::incrementAndGet;
                    },
                    text -> {});
            assertThatThrownBy(bench::run)
                    .isInstanceOf(BrokerException.Rejected.class)
                    .hasMessageContaining("no room");
            assertThat(ended).hasValue(1);
        }
    }

    private static Broker refusingWhen(AtomicBoolean full, Broker broker) {
        return (Broker) Proxy.newProxyInstance(
                Broker.class.getClassLoader(), new Class<?>[] {Broker.class}, (self, method, args) -> {
                    if (full.get() && method.getName().equals("enqueue")) {
                        throw new BrokerException.Rejected("no room", null);
                    }
                    return method.invoke(broker, args);
                });
    }

    @Test
    void partsOfATimeEndWithIt() {
        var second = 1_000_000_000L;
        var span = new Span(0, 12 * second);
        assertThat(span.first(10)).isEqualTo(new Span(0, 10 * second));
        assertThat(span.last(10)).isEqualTo(new Span(2 * second, 12 * second));
        assertThat(span.first(20)).isEqualTo(span);
        assertThat(span.last(20)).isEqualTo(span);
        assertThat(span.has(0)).isTrue();
        assertThat(span.has(12 * second)).isFalse();
    }

    @Test
    void onlyPostgresqlKeepsDeadRowsForASnapshot() {
        var said = Cli.on("memory:snapshot").run("bench", "snapshot");
        assertThat(said.exit()).isEqualTo(2);
        assertThat(said.err()).contains("memory:snapshot", "--broker postgresql://");
    }
}
