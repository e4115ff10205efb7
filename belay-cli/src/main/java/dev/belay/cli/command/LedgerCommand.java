package dev.belay.cli.command;

import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.LedgerOptions;
import dev.belay.cli.shell.OutputOptions;
import dev.belay.ledger.LedgerAdmin;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that works on a ledger which is there. */
abstract class LedgerCommand implements Callable<Integer> {

    final Console console;

    @Mixin
    private LedgerOptions options = new LedgerOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    LedgerCommand(Console console) {
        this.console = console;
    }

    /** Does it; answers the exit code. */
    abstract int run(LedgerAdmin ledger);

    @Override
    public final Integer call() {
        return options.use(builder -> {
            try (var ledger = builder.open()) {
                return run(ledger.admin());
            }
        });
    }
}
