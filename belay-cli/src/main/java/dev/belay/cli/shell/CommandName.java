package dev.belay.cli.shell;

/** How this command was called: for hints that can be copied. */
public final class CommandName {

    private CommandName() {}

    /** {@code ./belay} where the launcher in the repository said so, else {@code belay}. */
    public static String text() {
        var named = System.getenv("BELAY_COMMAND");
        return named == null || named.isBlank() ? "belay" : named;
    }
}
