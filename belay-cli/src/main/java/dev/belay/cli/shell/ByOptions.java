package dev.belay.cli.shell;

import dev.belay.job.By;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who asks for a change, and why: for the audit log. */
public final class ByOptions {

    @Option(names = "--by", paramLabel = "WHO", description = "who asks for it (default: the user of the system)")
    private @Nullable String by;

    @Option(names = "--why", paramLabel = "TEXT", description = "why, for the audit log")
    private @Nullable String why;

    public By by() {
        var user = System.getProperty("user.name");
        var who = by != null ? by : user == null || user.isBlank() ? "unknown" : user;
        return new By(who, why);
    }
}
