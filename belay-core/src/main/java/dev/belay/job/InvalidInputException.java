package dev.belay.job;

/**
 * A value from outside that Belay refuses. Nothing was stored. The message names the field, the limit and the value (or
 * its size), so that it can be shown to whoever sent the value.
 */
public final class InvalidInputException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final String field;

    /**
     * @param field the name of the refused field, as the API spells it
     * @param problem what was wrong: the limit and the value or its size
     */
    public InvalidInputException(String field, String problem) {
        super(field + ": " + problem);
        this.field = field;
    }

    /** The name of the refused field. */
    public String field() {
        return field;
    }
}
