package dev.belay.cli;

import dev.belay.cli.bench.BenchCommand;
import dev.belay.cli.bench.LedgerBenchCommand;
import dev.belay.cli.bench.SnapshotBenchCommand;
import dev.belay.cli.command.DeadCommands;
import dev.belay.cli.command.DoctorCommand;
import dev.belay.cli.command.JobsCommands;
import dev.belay.cli.command.LedgerCommands;
import dev.belay.cli.command.MigrateCommand;
import dev.belay.cli.command.OutboxCommands;
import dev.belay.cli.command.QueuesCommands;
import dev.belay.cli.command.StatsCommand;
import dev.belay.cli.demo.DemoCommand;
import dev.belay.cli.demo.WorkerCommand;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.Errors;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Logging;
import java.util.List;
import picocli.CommandLine;

/** The {@code belay} command. */
public final class Main {

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true");
        Logging.configure(List.of(args));
        System.exit(run(Console.ofProcess(), args));
    }

    /** Runs the command in this process; answers its exit code. */
    static int run(Console console, String... args) {
        var errors = new Errors(console);
        var command = new CommandLine(new BelayCommand(console))
                .addSubcommand(new DemoCommand(console))
                .addSubcommand(new WorkerCommand(console))
                .addSubcommand(new StatsCommand(console))
                .addSubcommand("jobs", JobsCommands.all(console))
                .addSubcommand("dead", DeadCommands.all(console))
                .addSubcommand("ledger", LedgerCommands.all(console))
                .addSubcommand("outbox", OutboxCommands.all(console))
                .addSubcommand("queues", QueuesCommands.all(console))
                .addSubcommand(new DoctorCommand(console))
                .addSubcommand(new MigrateCommand(console))
                .addSubcommand(new CommandLine(new BenchCommand(console))
                        .addSubcommand(new LedgerBenchCommand(console))
                        .addSubcommand(new SnapshotBenchCommand(console)))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAbbreviatedOptionsAllowed(false)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setOut(console.outWriter())
                .setErr(console.errWriter());
        describeExitCodes(command);
        return command.execute(args);
    }

    private static void describeExitCodes(CommandLine command) {
        command.getCommandSpec()
                .usageMessage()
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(ExitCode.described())
                .abbreviateSynopsis(true);
        command.getSubcommands().values().forEach(Main::describeExitCodes);
    }
}
