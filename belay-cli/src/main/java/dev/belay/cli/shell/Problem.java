package dev.belay.cli.shell;

import org.jspecify.annotations.Nullable;

/** Why a command could not do what it was asked: one line on what was wrong, one on what to do. Never a stack trace. */
public final class Problem extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int exitCode;
    private final @Nullable String hint;

    private Problem(int exitCode, String message, @Nullable String hint, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
        this.hint = hint;
    }

    /** The answer is no. */
    public static Problem no(String message, String hint) {
        return new Problem(ExitCode.NO, message, hint, null);
    }

    /** The command was used in a way that makes no sense. */
    public static Problem wrongUse(String message, String hint) {
        return new Problem(ExitCode.WRONG_USE, message, hint, null);
    }

    /** The store can't be reached. */
    public static Problem unreachable(String message, String hint, @Nullable Throwable cause) {
        return new Problem(ExitCode.UNREACHABLE, message, hint, cause);
    }

    public int exitCode() {
        return exitCode;
    }

    /** What to do; null where the message says it. */
    public @Nullable String hint() {
        return hint;
    }
}
