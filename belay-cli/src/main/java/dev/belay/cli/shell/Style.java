package dev.belay.cli.shell;

/** How a piece of text looks on a terminal. Nothing is said by style alone. */
public enum Style {
    PLAIN(""),
    BOLD("1"),
    DIM("2"),
    GOOD("32"),
    BAD("31"),
    WARN("33");

    private final String code;

    Style(String code) {
        this.code = code;
    }

    /** The text in this style. */
    String on(String text) {
        return code.isEmpty() || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
