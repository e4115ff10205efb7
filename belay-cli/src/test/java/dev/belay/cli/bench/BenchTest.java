package dev.belay.cli.bench;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class BenchTest {

    @Test
    void aFileIsMeasuredBesideItsRawLimit(@TempDir Path folder) throws Exception {
        var store = "sqlite:" + folder.resolve("bench.db");
        var said = Cli.on(store).run("bench", "--jobs", "500", "--pairs", "1", "--waiting", "0");
        assertThat(said.exit()).as(said.err()).isZero();
        var json = said.json();
        assertThat(json.path("raw").path("insertPerS").asDouble()).isPositive();
        assertThat(json.path("raw").path("leaseSettlePerS").asDouble()).isPositive();
        assertThat(json.path("raw").path("roundTripMs").path("p50").asDouble()).isPositive();
        assertThat(json.path("raw").path("roundTripMs").path("p99").asDouble()).isPositive();
        common(json);
        for (var ratio :
                new String[] {"drain", "enqueueConcurrent", "enqueueBulk", "enqueueVsSingle", "enqueueVsUnbatched"}) {
            assertThat(json.path("ratio").path(ratio).asDouble()).as(ratio).isPositive();
            assertThat(json.path("ratioQuartiles").path(ratio)).hasSize(2);
        }
        try (var files = Files.list(folder)) {
            assertThat(files.map(Path::toString)).noneMatch(file -> file.contains(".raw.db"));
        }
        var again = Cli.on(store).run("bench", "--jobs", "500", "--pairs", "1");
        assertThat(again.exit()).isEqualTo(2);
        assertThat(again.err()).contains("in use already");
    }

    @Test
    void memoryHasNoRawLimit() {
        var json = Cli.on("memory:bench-test")
                .run("bench", "--jobs", "500", "--pairs", "1")
                .json();
        assertThat(json.path("raw").isNull()).isTrue();
        assertThat(json.path("ratio").path("drain").isNull()).isTrue();
        common(json);
    }

    @Test
    void aBacklogStandsAllTheTime() {
        var said = Cli.on("memory:bench-backlog")
                .run(
                        "bench",
                        "--jobs",
                        "300",
                        "--pairs",
                        "1",
                        "--waiting",
                        "2000",
                        "--dead",
                        "50",
                        "--retention",
                        "on");
        assertThat(said.exit()).as(said.err()).isZero();
        assertThat(said.json().path("pickupMs").isNull()).isTrue();
        var queue = Cli.on("memory:bench-backlog")
                .run("queues", "list", "--json", "--namespace=bench")
                .json()
                .path("queues")
                .get(0);
        assertThat(queue.path("dead").asInt()).isEqualTo(50);
        assertThat(queue.path("ready").asInt()).isEqualTo(2_000);
        assertThat(queue.path("succeeded").asInt()).isPositive();
    }

    @Test
    void quantilesAreThoseOfTheSamples() {
        var samples = new Samples();
        for (var i = 1; i <= 5; i++) {
            samples.add(i);
        }
        assertThat(samples.median()).isEqualTo(3);
        assertThat(samples.quantile(0.25)).isEqualTo(2);
        assertThat(samples.quantile(1)).isEqualTo(5);
        var doubled = new Samples();
        for (var i = 1; i <= 5; i++) {
            doubled.add(2 * i);
        }
        var ratios = Samples.ratios(doubled, samples);
        assertThat(requireNonNull(ratios).median()).isEqualTo(2);
        assertThat(Samples.ratios(new Samples(), samples)).isNull();
    }

    private static void common(JsonNode json) {
        for (var field : new String[] {"single1", "single10", "single100", "bulk"}) {
            assertThat(json.path("enqueue").path(field).asDouble()).as(field).isPositive();
        }
        assertThat(json.path("drainPerS").asDouble()).isPositive();
        assertThat(json.path("drainCpuUs").asDouble()).isPositive();
        assertThat(json.path("bothPerS").asDouble()).isPositive();
        assertThat(json.path("pickupMs").path("p50").asDouble()).isPositive();
        assertThat(json.path("pickupMs").path("p99").asDouble()).isPositive();
    }
}
