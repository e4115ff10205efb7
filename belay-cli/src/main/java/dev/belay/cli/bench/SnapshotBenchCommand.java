package dev.belay.cli.bench;

import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.OutputOptions;
import dev.belay.cli.shell.Problem;
import dev.belay.job.Addresses;
import dev.belay.job.Limits;
import dev.belay.postgres.PostgresAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code belay bench snapshot}. */
@Command(
        name = "snapshot",
        description = {
            "Measures how long lease calls take on PostgreSQL while a forgotten transaction holds a snapshot open, so that"
                    + " no dead row can be removed: 10 s before, as long as it is held, 30 s after, at a steady rate.",
            "Prints JSON: milliseconds where a name ends in Ms; ratios are the last ten seconds held over the first.",
            "Takes the namespace 'bench' unless told otherwise, and leaves in it what it made."
        })
public final class SnapshotBenchCommand implements Callable<Integer> {

    private final Console console;

    @Option(
            names = "--broker",
            paramLabel = "ADDRESS",
            required = true,
            description = "the store: postgresql://USER:PASSWORD@HOST:PORT/DATABASE")
    private String broker = "";

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "bench",
            description = "the namespace (default: bench)")
    private String namespace = "";

    @Option(names = "--rate", paramLabel = "N", defaultValue = "800", description = "jobs a second (default: 800)")
    private int rate;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "120",
            description = "how long the snapshot is held (default: 120)")
    private int seconds;

    @Option(names = "--slots", paramLabel = "N", defaultValue = "64", description = "slots of the worker (default: 64)")
    private int slots;

    // Read before anything is logged; there is no other form of output to choose.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private OutputOptions output = new OutputOptions();

    public SnapshotBenchCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        var shown = Addresses.withoutSecrets(broker);
        if (!broker.startsWith("postgresql:")) {
            throw Problem.wrongUse(
                    "only a store in PostgreSQL keeps dead rows for a snapshot, but --broker is " + shown,
                    "Give --broker postgresql://USER:PASSWORD@HOST:PORT/DATABASE.");
        }
        Limits.range("--rate", rate, 1, 100_000);
        Limits.range("--seconds", seconds, 1, 86_400);
        Limits.range("--slots", slots, 1, 10_000);
        var options = SnapshotOptions.of(rate, slots, seconds);
        var address = PostgresAddress.parse(broker);
        try (var opened = FreshStore.open(broker, namespace)) {
            var figures = new SnapshotBench(options, opened, () -> HeldSnapshot.take(address), console::note).run();
            console.json(Json.text(new SnapshotJson(figures).build(options, shown)));
        }
        return ExitCode.DONE;
    }
}
