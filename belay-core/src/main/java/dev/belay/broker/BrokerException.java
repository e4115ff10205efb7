package dev.belay.broker;

import dev.belay.job.InvalidInputException;
import org.jspecify.annotations.Nullable;

/** A call to a broker failed. The subclass says what is known about it. */
public abstract sealed class BrokerException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private BrokerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Nothing was changed: safe to send anew. */
    public static final class NotApplied extends BrokerException {
        private static final long serialVersionUID = 1;

        public NotApplied(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** It may have been applied: reconcile, or send it again unchanged, with the same number or id. */
    public static final class Unknown extends BrokerException {
        private static final long serialVersionUID = 1;

        public Unknown(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** Will never be applied: the message names field, limit and value. Nothing was changed. */
    public static final class Rejected extends BrokerException {
        private static final long serialVersionUID = 1;

        public Rejected(String message, @Nullable Throwable cause) {
            super(message, cause);
        }

        public Rejected(InvalidInputException cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }
    }
}
