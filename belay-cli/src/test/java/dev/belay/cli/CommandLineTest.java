package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {

    private final Cli cli = Cli.on("memory:command-line");

    @Test
    void helpTellsTheExitCodes() {
        for (var command : List.of("demo", "worker", "stats", "jobs", "dead", "queues", "doctor", "migrate", "bench")) {
            var said = cli.bare(command, "--help");
            assertThat(said.exit()).isZero();
            assertThat(said.out()).contains("Usage: belay " + command, "Exit codes:", "the broker can't be reached");
        }
    }

    @Test
    void versionIsPrinted() {
        assertThat(cli.bare("--version").out()).startsWith("belay ");
    }

    @Test
    void theStructureOfAStoreIsPrintedAsSql() {
        var said = cli.bare("migrate", "--print", "--broker=postgresql://db/shop?belaySchema=jobs");
        assertThat(said.exit()).as(said.err()).isZero();
        assertThat(said.out())
                .startsWith("CREATE SCHEMA jobs;")
                .contains("CREATE TABLE jobs.job ")
                .doesNotContain("belay.");
    }

    @Test
    void onlyPostgresqlIsMigratedApart() {
        var said = cli.run("migrate");
        assertThat(said.exit()).isEqualTo(2);
        assertThat(said.err()).contains("memory:command-line");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "jobs", "dead", "queues"})
    void nothingToDoIsWrongUse(String command) {
        var said = command.isEmpty() ? cli.bare() : cli.bare(command);
        assertThat(said.exit()).isEqualTo(2);
        assertThat(said.err()).contains("Usage:");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jbos list",
                "jobs list --stat DEAD",
                "jobs show",
                "jobs list --state ASLEEP",
                "jobs show not-an-id",
                "jobs list --queue Emails!",
                "jobs list --limit 0",
                "jobs list --limit x",
                "demo --orders 0",
                "bench --retention maybe",
                "bench --jobs -1",
                "bench snapshot",
                "bench snapshot --broker sqlite:jobs.db",
                "bench snapshot --broker postgresql://db/shop --rate 0",
                "dead replay --why x",
                "dead replay --all",
                "dead list --finished-from yesterday",
                "jobs list --finished-from 99999999999999999999",
                "stats --last 0",
                "queues pause Upper",
                "dead stop 12",
            })
    void wrongUseIsToldInTwoLines(String line) {
        var said = line.startsWith("demo") || line.startsWith("bench") || line.startsWith("jbos")
                ? cli.bare(line.split(" "))
                : cli.run(line.split(" "));
        assertThat(said.exit()).as(said.err()).isEqualTo(2);
        assertThat(said.out()).isEmpty();
        assertThat(said.err().lines()).hasSizeBetween(1, 2);
        assertThat(said.err()).startsWith("error: ").doesNotContain("\tat ", "Exception");
    }

    @Test
    void aTypoGetsASuggestion() {
        assertThat(cli.bare("jbos", "list").err()).contains("jbos", "did you mean", "jobs");
    }

    @Test
    void aSchemeThatNobodyKnowsIsWrongUse() {
        var said = Cli.on("redsi://localhost").run("stats");
        assertThat(said.exit()).isEqualTo(2);
        assertThat(said.err()).contains("redsi://localhost", "memory");
    }

    @Test
    void aStoreThatIsNotThereIsNotMadeByLooking(@TempDir Path folder) {
        var file = folder.resolve("typo.db");
        for (var line : List.of("stats", "jobs list", "dead groups", "queues list", "doctor", "queues pause mail")) {
            var said = Cli.on("sqlite:" + file).run(line.split(" "));
            assertThat(said.exit()).as(line).isEqualTo(3);
            assertThat(said.err()).contains("there is no store at " + file);
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void aFileThatIsNoStoreCantBeReached(@TempDir Path folder) throws Exception {
        var file =
                Files.writeString(folder.resolve("notes.txt"), "not a database\n".repeat(100), StandardCharsets.UTF_8);
        var said = Cli.on("sqlite:" + file).run("stats");
        assertThat(said.exit()).isEqualTo(3);
        assertThat(said.err()).contains("notes.txt").doesNotContain("\tat ");
        assertThat(file).hasContent("not a database\n".repeat(100));
    }

    @Test
    void whatIsNotFoundIsNo() {
        assertThat(cli.run("jobs", "show", "0198c2f0-5b7e-7c3a-9d1e-2f4a6b8c0d1e")
                        .exit())
                .isEqualTo(1);
        assertThat(cli.run("jobs", "cancel", "0198c2f0-5b7e-7c3a-9d1e-2f4a6b8c0d1e")
                        .exit())
                .isEqualTo(1);
        var pause = cli.run("queues", "pause", "nobody-knows-it");
        assertThat(pause.exit()).isEqualTo(1);
        assertThat(pause.err()).contains("there is no queue 'nobody-knows-it'");
        assertThat(cli.run("queues", "list", "--json").json().path("queues")).isEmpty();
    }

    @Test
    void anEmptyStoreIsNoError() {
        assertThat(cli.run("jobs", "list").out()).contains("no jobs");
        assertThat(cli.run("dead", "groups").out()).contains("no dead letters");
        assertThat(cli.run("dead", "operations").out()).contains("no mass operations");
        assertThat(cli.run("stats").exit()).isZero();
    }
}
