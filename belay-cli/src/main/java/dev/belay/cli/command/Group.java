package dev.belay.cli.command;

import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that does nothing itself. */
@Command
final class Group implements Callable<Integer> {

    private final Console console;
    private final String description;

    // Acted on by picocli before the command is called.
    @SuppressWarnings("UnusedVariable")
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    private boolean help;

    private CommandSpec spec = CommandSpec.create();

    Group(Console console, String description) {
        this.console = console;
        this.description = description;
    }

    @Spec
    void spec(CommandSpec value) {
        spec = value;
        value.usageMessage().description(description);
    }

    @Override
    public Integer call() {
        console.noteBlock(spec.commandLine().getUsageMessage());
        return ExitCode.WRONG_USE;
    }
}
