package dev.belay.cli.command;

import dev.belay.broker.Broker;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.StoreCommand;
import dev.belay.cli.shell.Table;
import dev.belay.cli.shell.Times;
import dev.belay.operation.MassOperation;
import dev.belay.operation.MassOperations;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code belay dead operations}. */
@Command(name = "operations", description = "Shows the mass operations that run, or ended within a week.")
final class Operations extends StoreCommand {

    @Option(names = "--watch", description = "stay, and go on with them, until none runs")
    private boolean watch;

    Operations(Console console) {
        super(console);
    }

    @Override
    protected int run(Broker broker) throws InterruptedException {
        var operations = new MassOperations(broker);
        var all = operations.list();
        while (watch && all.stream().anyMatch(one -> one.state() == MassOperation.State.RUNNING)) {
            Thread.sleep(Math.min(500, operations.step().toMillis()));
            all = operations.list();
            all.stream()
                    .filter(one -> one.state() == MassOperation.State.RUNNING)
                    .findFirst()
                    .ifPresent(one -> console.rewrite(OperationsText.line(one)));
        }
        print(all, broker.admin().time());
        return ExitCode.DONE;
    }

    private void print(List<MassOperation> all, long now) {
        if (output.json()) {
            var json = Json.object();
            var array = json.putArray("operations");
            all.forEach(operation -> array.add(OperationsText.json(operation)));
            console.json(Json.text(json));
        } else if (all.isEmpty()) {
            console.line("no mass operations");
        } else {
            var table = new Table()
                    .column("OPERATION")
                    .column("WHAT")
                    .column("STATE")
                    .number("DONE")
                    .number("OF")
                    .number("SKIPPED")
                    .number("REFUSED")
                    .number("STARTED")
                    .column("BY")
                    .column("WHICH");
            all.forEach(one -> table.row(
                    one.id(),
                    one.kind().name().toLowerCase(Locale.ROOT),
                    one.state().name().toLowerCase(Locale.ROOT),
                    one.done(),
                    one.expected(),
                    one.skipped(),
                    one.refused(),
                    Times.length(now - one.startedAt()) + " ago",
                    one.by().who(),
                    OperationsText.filters(one.query())));
            table.print(console);
        }
    }
}
