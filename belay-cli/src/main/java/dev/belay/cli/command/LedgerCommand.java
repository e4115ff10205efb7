package dev.belay.cli.command;

import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.OutputOptions;
import dev.belay.cli.shell.Problem;
import dev.belay.cli.shell.StoreOptions;
import dev.belay.ledger.JdbcLedger;
import dev.belay.ledger.LedgerAdmin;
import dev.belay.ledger.LedgerBuilder;
import dev.belay.once.LedgerException;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that works on a ledger which is there. */
abstract class LedgerCommand implements Callable<Integer> {

    final Console console;

    @Option(
            names = "--ledger",
            paramLabel = "ADDRESS",
            defaultValue = "${BELAY_LEDGER:-sqlite:belay.db}",
            description = "the ledger: sqlite:PATH or jdbc:postgresql:… (default: $BELAY_LEDGER, else sqlite:belay.db)")
    private String address = "";

    @Mixin
    OutputOptions output = new OutputOptions();

    LedgerCommand(Console console) {
        this.console = console;
    }

    /** Does it; answers the exit code. */
    abstract int run(LedgerAdmin ledger);

    @Override
    public final Integer call() {
        try (var ledger = open()) {
            return run(ledger.admin());
        } catch (LedgerException e) {
            throw Problem.unreachable(
                    "the ledger can't be used: " + e.getMessage(),
                    "Check the address, and that its user may read and write the tables belay_ledger*.",
                    e);
        }
    }

    private JdbcLedger open() {
        var file = StoreOptions.file(address);
        if (file.isEmpty()) {
            return LedgerBuilder.of(address).open();
        }
        if (!Files.exists(file.get())) {
            throw Problem.unreachable(
                    "there is no ledger at " + file.get().toAbsolutePath(),
                    "Name its file with --ledger sqlite:PATH.",
                    null);
        }
        return LedgerBuilder.of(file.get()).open();
    }
}
