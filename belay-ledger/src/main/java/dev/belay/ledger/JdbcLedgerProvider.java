package dev.belay.ledger;

import dev.belay.once.Ledger;
import dev.belay.once.LedgerProvider;
import java.nio.file.Path;
import java.util.Set;

/** Opens {@code sqlite:PATH} and {@code jdbc:postgresql:…}. */
public final class JdbcLedgerProvider implements LedgerProvider {

    private static final String SQLITE = "sqlite:";

    @Override
    public Set<String> schemes() {
        return Set.of(SQLITE, "jdbc:postgresql:");
    }

    @Override
    public Ledger open(String address) {
        return address.startsWith(SQLITE)
                ? LedgerBuilder.of(Path.of(address.substring(SQLITE.length()))).open()
                : LedgerBuilder.of(address).open();
    }
}
