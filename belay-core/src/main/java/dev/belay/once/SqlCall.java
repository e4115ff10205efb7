package dev.belay.once;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Makes an effect in the ledger's own database.
 *
 * @param <R> what it answers
 */
@FunctionalInterface
public interface SqlCall<R> {

    /**
     * Called within a transaction that the caller commits. May be called again after the transaction was rolled back
     * (a deadlock, a serialization failure): so it must touch nothing but this connection.
     *
     * @param connection must not be committed, rolled back or closed: that is refused
     * @return what is recorded, and answered from then on
     */
    @Nullable
    R call(Connection connection) throws Exception;
}
