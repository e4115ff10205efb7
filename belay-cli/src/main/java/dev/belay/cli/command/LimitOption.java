package dev.belay.cli.command;

import dev.belay.job.Limits;
import picocli.CommandLine.Option;

/** How many are listed at most. */
final class LimitOption {

    private static final int MOST = 1_000;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "at most so many, 1 to 1000 (default: 50)")
    private int limit;

    int value() {
        return Limits.range("--limit", limit, 1, MOST);
    }
}
