package dev.belay.sql.row;

/** A stored record can't be read. Always caught: the record becomes a dead letter, and nothing else suffers. */
public final class CorruptRecordException extends Exception {

    private static final long serialVersionUID = 1;

    public CorruptRecordException(String problem) {
        super(problem);
    }

    CorruptRecordException(String problem, Throwable cause) {
        super(problem, cause);
    }
}
