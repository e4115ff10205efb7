package dev.belay.cli.bench;

import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.OutputOptions;
import dev.belay.cli.shell.Problem;
import dev.belay.cli.shell.StoreOptions;
import dev.belay.job.Addresses;
import dev.belay.job.Limits;
import dev.belay.postgres.PostgresAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code belay bench}. */
@Command(
        name = "bench",
        description = {
            "Measures a store through Belay, and beside it, pair by pair, the store's own limit without it.",
            "Prints JSON: per second, or milliseconds where a name ends in Ms; ratios are Belay over raw.",
            "Takes the namespace 'bench' unless told otherwise, and leaves in it what it made."
        })
public final class BenchCommand implements Callable<Integer> {

    private final Console console;

    @Option(
            names = "--broker",
            paramLabel = "ADDRESS",
            defaultValue = "sqlite:belay-bench.db",
            description = "the store (default: sqlite:belay-bench.db)")
    private String broker = "";

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "bench",
            description = "the namespace (default: bench)")
    private String namespace = "";

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "20000",
            description = "jobs in each step (default: 20000)")
    private int jobs;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            defaultValue = "200",
            description = "the size of a payload (default: 200)")
    private int payload;

    @Option(names = "--slots", paramLabel = "N", defaultValue = "64", description = "slots of the worker (default: 64)")
    private int slots;

    @Option(
            names = "--producers",
            paramLabel = "N",
            defaultValue = "4",
            description = "callers of bulk enqueues (default: 4)")
    private int producers;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            defaultValue = "10",
            description = "pairs of (raw, Belay) after the warm-up (default: 10)")
    private int pairs;

    @Option(
            names = "--retention",
            paramLabel = "on|off",
            defaultValue = "off",
            description = "whether finished jobs are kept (default: off)")
    private String retention = "";

    @Option(
            names = "--waiting",
            paramLabel = "N",
            defaultValue = "0",
            description = "jobs that wait in the queue all the time (default: 0)")
    private int waiting;

    @Option(
            names = "--dead",
            paramLabel = "N",
            defaultValue = "0",
            description = "dead letters that lie in the queue all the time (default: 0)")
    private int dead;

    // Read before anything is logged; there is no other form of output to choose.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private OutputOptions output = new OutputOptions();

    public BenchCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        var options = options();
        try (var opened = FreshStore.open(broker, namespace)) {
            var file = rawFile();
            try (var raw = raw(file)) {
                var samples = new Bench(options, opened, raw, console::note).run();
                console.json(Json.text(new BenchJson(samples).build(options, Addresses.withoutSecrets(broker))));
            } finally {
                if (file != null) {
                    remove(file);
                }
            }
        }
        return ExitCode.DONE;
    }

    private BenchOptions options() {
        Limits.range("--jobs", jobs, 100, 10_000_000);
        Limits.range("--payload", payload, 2, Limits.PAYLOAD_BYTES);
        Limits.range("--slots", slots, 1, 10_000);
        Limits.range("--producers", producers, 1, 1_000);
        Limits.range("--pairs", pairs, 1, 1_000);
        Limits.range("--waiting", waiting, 0, 10_000_000);
        Limits.range("--dead", dead, 0, 10_000_000);
        if (!retention.equals("on") && !retention.equals("off")) {
            throw Problem.wrongUse("--retention must be on or off, but is '" + retention + "'", "Off is the default.");
        }
        return new BenchOptions(jobs, payload, slots, producers, pairs, retention.equals("on"), waiting, dead);
    }

    /** Null where the store has no limit of its own to be compared with. */
    private @Nullable RawStore raw(@Nullable Path file) throws SQLException {
        if (file != null) {
            return new RawSqlite(file, payload);
        }
        if (broker.startsWith("postgresql:")) {
            return new RawPostgres(PostgresAddress.parse(broker), payload);
        }
        return broker.startsWith("redis") ? new RawRedis(broker, payload) : null;
    }

    /** Beside the store's own file, so on the same disk. Null where the store is no file. */
    private @Nullable Path rawFile() {
        return StoreOptions.file(broker)
                .map(path -> path.resolveSibling(path.getFileName() + ".raw.db"))
                .orElse(null);
    }

    private static void remove(Path file) throws java.io.IOException {
        for (var suffix : new String[] {"", "-wal", "-shm"}) {
            Files.deleteIfExists(file.resolveSibling(file.getFileName() + suffix));
        }
    }
}
