package dev.belay.cli.command;

import dev.belay.broker.Broker;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.Problem;
import dev.belay.operation.MassOperation;
import dev.belay.operation.MassOperations;
import java.util.UUID;

/** Shows a mass operation, and goes on with it: so it ends also where no worker runs. */
final class Watching {

    private static final long SHOWN_EVERY_NANOS = 2_000_000_000L;

    private final Console console;
    private final boolean json;
    private final MassOperations operations;

    Watching(Console console, boolean json, Broker broker) {
        this.console = console;
        this.json = json;
        operations = new MassOperations(broker);
    }

    /** Shows how it is, and leaves. */
    int show(MassOperation operation) {
        if (json) {
            console.json(Json.text(OperationsText.json(operation)));
        } else {
            console.line(OperationsText.line(operation));
            console.line("see how it goes: belay dead operations; call it off: belay dead stop " + operation.id());
        }
        return ExitCode.DONE;
    }

    /** Stays until it is over. */
    int untilOver(MassOperation started) throws InterruptedException {
        if (!json) {
            console.line("operation " + started.id() + " (call it off: belay dead stop " + started.id() + ")");
        }
        var operation = started;
        var shown = System.nanoTime();
        while (operation.state() == MassOperation.State.RUNNING) {
            var wait = operations.step();
            operation = find(started.id());
            console.rewrite(OperationsText.line(operation));
            if (!json && !console.isTerminal() && System.nanoTime() - shown > SHOWN_EVERY_NANOS) {
                shown = System.nanoTime();
                console.line(OperationsText.line(operation));
            }
            if (operation.state() == MassOperation.State.RUNNING) {
                Thread.sleep(Math.min(500, wait.toMillis()));
            }
        }
        if (json) {
            console.json(Json.text(OperationsText.json(operation)));
        } else {
            console.line(OperationsText.line(operation));
        }
        return operation.state() == MassOperation.State.DONE && operation.refused() == 0 ? ExitCode.DONE : ExitCode.NO;
    }

    private MassOperation find(UUID id) {
        return operations
                .find(id)
                .orElseThrow(() -> Problem.no("operation " + id + " is gone", "See belay dead operations."));
    }
}
