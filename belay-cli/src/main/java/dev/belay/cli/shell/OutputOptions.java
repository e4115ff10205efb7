package dev.belay.cli.shell;

import picocli.CommandLine.Option;

/** Options that every command has. */
public final class OutputOptions {

    /** Read from the arguments before anything logs: see {@link Logging}. */
    public static final String VERBOSE = "--verbose";

    @Option(names = "--json", description = "print JSON: stable names, numbers with every digit, times in epoch ms")
    private boolean json;

    @Option(names = VERBOSE, description = "log more, and show stack traces of errors")
    private boolean verbose;

    // Acted on by picocli before the command is called.
    @SuppressWarnings("UnusedVariable")
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    private boolean help;

    public boolean json() {
        return json;
    }

    public boolean verbose() {
        return verbose;
    }
}
