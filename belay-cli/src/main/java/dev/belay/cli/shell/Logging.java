package dev.belay.cli.shell;

import java.util.List;

/** Sets how much is logged to standard error: warnings in one line each, unless more was asked for. */
public final class Logging {

    private Logging() {}

    /** Must be called before the first logger is made. */
    public static void configure(List<String> arguments) {
        var verbose = arguments.contains(OutputOptions.VERBOSE);
        setDefault("belay.log.level", verbose ? "INFO" : "WARN");
        setDefault("belay.log.stack", verbose ? "%ex" : "%nopex");
    }

    private static void setDefault(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
