package dev.belay.cli.command;

import dev.belay.broker.BrokerException;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.OutputOptions;
import dev.belay.cli.shell.Problem;
import dev.belay.cli.shell.StoreOptions;
import dev.belay.postgres.PostgresBroker;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code belay migrate}: makes the tables of a store, or brings them up to date, apart from the programs that use it. */
@Command(
        name = "migrate",
        description =
                "Makes the tables of a store in PostgreSQL, or brings them up to this version. Other stores, and brokers"
                        + " whose role may do so, need no such step: it is done when they are opened.")
public final class MigrateCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(
            names = "--print",
            description = "print the SQL of an empty store instead, for other tools, and change nothing")
    private boolean print;

    public MigrateCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (!store.address().startsWith("postgresql:")) {
            throw Problem.wrongUse(
                    "only stores in PostgreSQL are made by a step of their own, but --broker is " + store.shown(),
                    "Others are made, and brought up to date, when they are opened.");
        }
        var builder = PostgresBroker.builder(store.address());
        if (print) {
            console.line(builder.migrationScript());
            return ExitCode.DONE;
        }
        try {
            var version = builder.migrate();
            if (output.json()) {
                var json = Json.object();
                json.put("broker", store.shown());
                json.put("version", version);
                console.json(Json.text(json));
            } else {
                console.line("the store in " + store.shown() + " is of version " + version);
            }
            return ExitCode.DONE;
        } catch (BrokerException e) {
            throw Problem.unreachable(
                    "the store " + store.shown() + " could not be migrated: " + e.getMessage(),
                    "Use a role that may create a schema and tables in this database.",
                    e);
        }
    }
}
