package dev.belay.cli.shell;

import dev.belay.ledger.LedgerBuilder;
import dev.belay.once.LedgerException;
import java.nio.file.Files;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** Which ledger a command works on: its database has the outbox too. */
public final class LedgerOptions {

    @Option(
            names = "--ledger",
            paramLabel = "ADDRESS",
            defaultValue = "${BELAY_LEDGER:-sqlite:belay.db}",
            description =
                    "the ledger's database: sqlite:PATH or jdbc:postgresql:… (default: $BELAY_LEDGER, else sqlite:belay.db)")
    private String address = "";

    /** Does something with a database that must be there. */
    public <T> T use(Function<LedgerBuilder, T> work) {
        try {
            return work.apply(builder());
        } catch (LedgerException e) {
            throw Problem.unreachable(
                    "the ledger can't be used: " + e.getMessage(),
                    "Check the address, and that its user may read and write the tables belay_ledger* and belay_outbox.",
                    e);
        }
    }

    private LedgerBuilder builder() {
        var file = StoreOptions.file(address);
        if (file.isEmpty()) {
            return LedgerBuilder.of(address);
        }
        if (!Files.exists(file.get())) {
            throw Problem.unreachable(
                    "there is no ledger at " + file.get().toAbsolutePath(),
                    "Name its file with --ledger sqlite:PATH.",
                    null);
        }
        return LedgerBuilder.of(file.get());
    }
}
