package dev.belay.handler;

import org.jspecify.annotations.Nullable;

/** Bytes that are not what they should be. A job whose payload is so goes to the dead letters at once, untouched. */
public final class UndecodableException extends Exception {

    private static final long serialVersionUID = 1;

    public UndecodableException(String message) {
        this(message, null);
    }

    public UndecodableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
