package dev.belay.once;

import dev.belay.job.Addresses;
import dev.belay.job.InvalidInputException;
import java.sql.Connection;
import java.util.ServiceLoader;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency ledger: which effects happened, and with which results. Its unique constraint, not a read before a write,
 * decides every race. Handlers use it through their context; who is outside of a job, through {@link dev.belay.Once}.
 * Thread-safe; one per program is enough.
 *
 * <p>Every call throws {@link LedgerException} where the database can't be asked.
 */
public interface Ledger extends AutoCloseable {

    /**
     * Opens a ledger by its address, for example {@code sqlite:belay.db} or {@code jdbc:postgresql://host/database}; needs
     * {@code belay-ledger} and the database's driver on the class path.
     *
     * @throws InvalidInputException where nobody on the class path knows the address
     */
    static Ledger open(String address) {
        var known = new TreeSet<String>();
        for (var provider : ServiceLoader.load(LedgerProvider.class)) {
            known.addAll(provider.schemes());
            if (provider.schemes().stream().anyMatch(address::startsWith)) {
                return provider.open(address);
            }
        }
        throw new InvalidInputException(
                "ledger",
                known.isEmpty()
                        ? "can't be opened, as no ledger is on the class path: add dev.belay:belay-ledger"
                        : "must begin with one of " + known + ", but is '" + Addresses.withoutSecrets(address) + "'");
    }

    /** What somebody outside of any job claims with: of this process's session, with a token of its own. */
    Owner.Caller caller();

    /** Reserves the key, or answers why not. Committed when it returns. */
    Reservation reserve(Claim claim, OwnerCheck owners);

    /**
     * Records that the effect was made. Tries for a while where the database is away: what happened should not be forgotten.
     *
     * @return whether it was: not where the claimant no longer holds the reservation
     */
    boolean complete(Claim claim, byte @Nullable [] result, String encoding);

    /** Records that it failed for good. Answers as {@link #complete}. */
    boolean fail(Claim claim, String error);

    /** The claimant's attempt is over, and it may have been made: the next may make it again, with the same key. */
    boolean abandon(Claim claim);

    /** It was certainly not made: the key is free. */
    boolean release(Claim claim);

    /** It may have been made and must not be made twice: it waits for a person. */
    boolean doubt(Claim claim);

    /**
     * Makes the effect and its record in one transaction; or answers why not, as {@link #reserve}.
     *
     * @return never {@link Reservation.Reserved}
     * @throws Exception what the work threw: the transaction was rolled back, so nothing is left of it
     */
    Reservation inTransaction(Claim claim, OwnerCheck owners, Work work) throws Exception;

    /** Ends this process's session, and frees the database. Idempotent. */
    @Override
    void close();

    /** An effect in the ledger's own database. */
    @FunctionalInterface
    interface Work {
        Reservation.Recorded run(Connection connection) throws Exception;
    }
}
