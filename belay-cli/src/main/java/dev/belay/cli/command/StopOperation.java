package dev.belay.cli.command;

import dev.belay.broker.Broker;
import dev.belay.cli.shell.ByOptions;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.Problem;
import dev.belay.cli.shell.StoreCommand;
import dev.belay.operation.MassOperations;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code belay dead stop}. */
@Command(name = "stop", description = "Calls a mass operation off; what it has done stays done.")
final class StopOperation extends StoreCommand {

    @Parameters(paramLabel = "OPERATION", description = "its id")
    private String id = "";

    @Mixin
    private ByOptions by = new ByOptions();

    StopOperation(Console console) {
        super(console);
    }

    @Override
    protected int run(Broker broker) {
        var stopped = new MassOperations(broker)
                .stop(parsed(), by.by())
                .orElseThrow(() -> Problem.no("there is no operation " + id, "See belay dead operations."));
        if (output.json()) {
            console.json(Json.text(OperationsText.json(stopped)));
        } else {
            console.line(OperationsText.line(stopped));
        }
        return ExitCode.DONE;
    }

    private UUID parsed() {
        try {
            return UUID.fromString(id);
        } catch (IllegalArgumentException e) {
            throw Problem.wrongUse("'" + id + "' is no operation's id", "See belay dead operations.");
        }
    }
}
