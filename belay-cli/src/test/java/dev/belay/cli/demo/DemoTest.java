package dev.belay.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a person runs it: real processes, a real SIGKILL. */
class DemoTest {

    @TempDir
    private Path folder;

    @Test
    void G2_nothingIsLostWhenAWorkerIsKilledInMidWork() throws Exception {
        try (var demo = Program.start(folder, "demo", "--orders", "40", "--json")) {
            var exit = demo.awaitExit(240);
            var json = demo.json();
            assertThat(json.path("brokenPromises")).as(demo.err()).isEmpty();
            assertThat(exit).isZero();
            assertThat(json.path("accepted").asInt()).isEqualTo(160);
            assertThat(json.path("succeeded").asInt()).isEqualTo(158);
            assertThat(json.path("dead").asInt()).isEqualTo(2);
            assertThat(json.path("lost").asInt()).isZero();
            assertThat(json.path("maxChargesPerOrder").asInt()).isEqualTo(1);
            assertThat(json.path("providerDeaths").asInt())
                    .as("before a charge was written, and after another was")
                    .isEqualTo(2);
            assertThat(json.path("crashedDeliveries").asInt()).isPositive();
            assertThat(json.path("retried").asInt()).isPositive();
            assertThat(json.path("killed").path("inFlight").asInt()).isPositive();
            assertThat(json.path("chargesAsked").asInt())
                    .as("the killed worker's charge was asked for again, under its key")
                    .isGreaterThan(json.path("chargesMade").asInt());
            for (var times : new String[] {"pickupMs", "runMs"}) {
                assertThat(json.path(times).path("p50").asDouble()).isPositive();
                assertThat(json.path(times).path("p95").asDouble())
                        .isGreaterThanOrEqualTo(json.path(times).path("p50").asDouble());
                assertThat(json.path(times).path("p99").asDouble())
                        .isGreaterThanOrEqualTo(json.path(times).path("p95").asDouble());
            }
            assertThat(demo.children()).as("three workers were started").hasSizeGreaterThanOrEqualTo(3);
            assertNoneSurvives(demo);
        }
    }

    @Test
    void noChildSurvivesWhenTheDemoIsKilled() throws Exception {
        try (var demo = Program.start(folder, "demo", "--json", "--no-kill")) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> demo.children().size() >= 2 && demo.err().contains("worker-2"));
            demo.process().destroyForcibly().waitFor();
            assertNoneSurvives(demo);
        }
    }

    @Test
    void noChildSurvivesWhenTheDemoIsInterrupted() throws Exception {
        try (var demo = Program.start(folder, "demo", "--json", "--no-kill")) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> demo.children().size() >= 2 && demo.err().contains("worker-2"));
            // As Ctrl-C: the JVM treats SIGINT and SIGTERM alike.
            demo.process().destroy();
            demo.awaitExit(60);
            assertNoneSurvives(demo);
        }
    }

    @Test
    void aNamespaceInUseIsNotMixedUp() throws Exception {
        var store = "sqlite:" + folder.resolve("shop.db");
        try (var first = Program.start(
                folder, "demo", "--orders=1", "--no-kill", "--json", "--broker=" + store, "--namespace=mine")) {
            assertThat(first.awaitExit(120)).as(first.err()).isZero();
        }
        try (var second = Program.start(folder, "demo", "--orders=1", "--broker=" + store, "--namespace=mine")) {
            assertThat(second.awaitExit(60)).isEqualTo(2);
            assertThat(second.err()).contains("namespace 'mine'", "in use already");
        }
        try (var third = Program.start(folder, "demo", "--orders=1", "--no-kill", "--json", "--broker=" + store)) {
            assertThat(third.awaitExit(120)).as(third.err()).isZero();
            assertThat(third.json().path("namespace").asString()).startsWith("demo-");
        }
    }

    private static void assertNoneSurvives(Program demo) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(demo.children()).noneMatch(ProcessHandle::isAlive));
    }
}
