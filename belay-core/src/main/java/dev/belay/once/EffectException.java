package dev.belay.once;

import org.jspecify.annotations.Nullable;

/** An effect was not made, and why. In a handler it decides what becomes of the delivery, unless it is caught. */
public abstract sealed class EffectException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String key;

    private EffectException(String key, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.key = key;
    }

    /** The effect's key. */
    public String key() {
        return key;
    }

    /** Somebody else is making it. The delivery is put off at no cost; a web request answers 409 and is sent again. */
    public static final class InProgress extends EffectException {
        private static final long serialVersionUID = 1;

        public InProgress(String key, String message) {
            super(key, message, null);
        }
    }

    /** The key was used for another request. The job is buried as {@code NOT_RETRYABLE}. */
    public static final class Conflict extends EffectException {
        private static final long serialVersionUID = 1;

        public Conflict(String key, String message) {
            super(key, message, null);
        }
    }

    /** It failed for good. The job is buried as {@code NOT_RETRYABLE}. */
    public static final class Failed extends EffectException {
        private static final long serialVersionUID = 1;

        public Failed(String key, String message) {
            super(key, message, null);
        }
    }

    /** It may have happened, and must not be repeated. The job is buried as {@code OUTCOME_UNKNOWN}. */
    public static final class OutcomeUnknown extends EffectException {
        private static final long serialVersionUID = 1;

        public OutcomeUnknown(String key, String message, @Nullable Throwable cause) {
            super(key, message, cause);
        }
    }

    /** The delivery's lease was lost, so it must not act any more. What its handler says is dropped. */
    public static final class Lost extends EffectException {
        private static final long serialVersionUID = 1;

        public Lost(String key, String message) {
            super(key, message, null);
        }
    }
}
