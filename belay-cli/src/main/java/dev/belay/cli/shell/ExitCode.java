package dev.belay.cli.shell;

import java.util.LinkedHashMap;
import java.util.Map;

/** What the command ends with: for scripts. */
public final class ExitCode {

    public static final int DONE = 0;
    public static final int NO = 1;
    public static final int WRONG_USE = 2;
    public static final int UNREACHABLE = 3;

    private ExitCode() {}

    /** For {@code --help}. */
    public static Map<String, String> described() {
        var codes = new LinkedHashMap<String, String>();
        codes.put(" 0", "done");
        codes.put(" 1", "it ran, and the answer is no: not found, refused, or a promise was broken");
        codes.put(" 2", "wrong use: an option or a value that can't be");
        codes.put(" 3", "the broker can't be reached");
        return codes;
    }
}
