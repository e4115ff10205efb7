package dev.belay.redis.record;

/** A stored record does not say what it must say. */
public final class CorruptRecordException extends Exception {

    private static final long serialVersionUID = 1;

    CorruptRecordException(String problem) {
        super(problem);
    }
}
