package dev.belay.cli;

import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command above all commands. */
@Command(
        name = "belay",
        description = "Durable background jobs for Java.",
        versionProvider = BelayCommand.Version.class)
final class BelayCommand implements Callable<Integer> {

    private final Console console;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    // Acted on by picocli before the command is called.
    @SuppressWarnings("UnusedVariable")
    @Option(names = "--version", versionHelp = true, description = "print the version")
    private boolean version;

    @SuppressWarnings("UnusedVariable")
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    private boolean help;

    BelayCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        console.noteBlock(spec.commandLine().getUsageMessage());
        return ExitCode.WRONG_USE;
    }

    /** From the jar's manifest, and from nowhere else. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            var version = BelayCommand.class.getPackage().getImplementationVersion();
            return new String[] {
                "belay " + (version == null ? "(built from sources)" : version) + ", Java " + Runtime.version()
            };
        }
    }
}
