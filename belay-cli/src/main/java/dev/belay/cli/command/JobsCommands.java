package dev.belay.cli.command;

import dev.belay.broker.Broker;
import dev.belay.cli.shell.ByOptions;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.StoreCommand;
import dev.belay.job.JobState;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay jobs …}. */
public final class JobsCommands {

    private JobsCommands() {}

    public static CommandLine all(Console console) {
        return new CommandLine(new Group(console, "Jobs in every state."))
                .addSubcommand(new JobsList(console))
                .addSubcommand(new Show(console, false))
                .addSubcommand(new Cancel(console));
    }

    @Command(name = "list", description = "Lists jobs, the newest first.")
    static final class JobsList extends StoreCommand {

        @Mixin
        private QueryOptions which = new QueryOptions();

        @Option(
                names = "--state",
                paramLabel = "STATE",
                split = ",",
                description = "in one of these states: ${COMPLETION-CANDIDATES}")
        private List<JobState> states = List.of();

        @Mixin
        private PageOptions page = new PageOptions();

        JobsList(Console console) {
            super(console);
        }

        @Override
        protected int run(Broker broker) {
            var query = which.query().inState(states.toArray(JobState[]::new));
            page.print(console, broker.admin(), query, output.json());
            return ExitCode.DONE;
        }
    }

    @Command(name = "cancel", description = "Cancels jobs that are not final; a running one's handler is told.")
    static final class Cancel extends StoreCommand {

        @Parameters(arity = "1..*", paramLabel = "ID", description = "the jobs")
        private List<String> ids = List.of();

        @Option(names = "--queue", paramLabel = "NAME", description = "their queue, where it is known")
        private @Nullable String queue;

        @Mixin
        private ByOptions by = new ByOptions();

        Cancel(Console console) {
            super(console);
        }

        @Override
        protected int run(Broker broker) {
            var who = by.by();
            return Each.job(
                    console,
                    output.json(),
                    ids,
                    "is cancelled",
                    id -> broker.admin().cancel(queue, id, who));
        }
    }
}
