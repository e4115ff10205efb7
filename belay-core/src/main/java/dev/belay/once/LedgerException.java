package dev.belay.once;

import org.jspecify.annotations.Nullable;

/** The ledger's database could not be asked. The effect was not made because of it. */
public final class LedgerException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public LedgerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
