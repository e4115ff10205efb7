package dev.belay.once;

import java.util.Set;

/** Opens ledgers by address; found by {@link java.util.ServiceLoader}. */
public interface LedgerProvider {

    /** What the addresses that it knows begin with. */
    Set<String> schemes();

    /**
     * Opens a ledger.
     *
     * @throws dev.belay.job.InvalidInputException where the address makes no sense
     * @throws LedgerException where the database can't be reached
     */
    Ledger open(String address);
}
