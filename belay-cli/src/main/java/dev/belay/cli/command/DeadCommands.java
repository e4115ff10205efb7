package dev.belay.cli.command;

import dev.belay.broker.Broker;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.StoreCommand;
import dev.belay.cli.shell.Table;
import dev.belay.cli.shell.Times;
import dev.belay.job.JobState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code belay dead …}. */
public final class DeadCommands {

    private DeadCommands() {}

    public static CommandLine all(Console console) {
        return new CommandLine(new Group(console, "Dead letters: what waits for a person."))
                .addSubcommand(new DeadList(console))
                .addSubcommand(new Groups(console))
                .addSubcommand(new Show(console, true))
                .addSubcommand(new Replay(console))
                .addSubcommand(new Discard(console))
                .addSubcommand(new Operations(console))
                .addSubcommand(new StopOperation(console));
    }

    @Command(name = "list", description = "Lists dead letters, the newest job first.")
    static final class DeadList extends StoreCommand {

        @Mixin
        private QueryOptions which = new QueryOptions();

        @Mixin
        private PageOptions page = new PageOptions();

        DeadList(Console console) {
            super(console);
        }

        @Override
        protected int run(Broker broker) {
            page.print(console, broker.admin(), which.query().inState(JobState.DEAD), output.json());
            return ExitCode.DONE;
        }
    }

    @Command(name = "groups", description = "Shows dead letters by kind of error, the most first.")
    static final class Groups extends StoreCommand {

        @Option(names = "--queue", paramLabel = "NAME", description = "of this queue")
        private @Nullable String queue;

        @Option(names = "--limit", paramLabel = "N", defaultValue = "50", description = "at most so many (default: 50)")
        private int limit;

        Groups(Console console) {
            super(console);
        }

        @Override
        protected int run(Broker broker) {
            var groups = broker.admin().deadGroups(queue, limit);
            if (output.json()) {
                var json = Json.object();
                var array = json.putArray("groups");
                groups.forEach(group -> array.addObject()
                        .put("queue", group.queue())
                        .put("type", group.type())
                        .put("fingerprint", group.fingerprint())
                        .put("reason", group.reason())
                        .put("errorClass", group.errorClass())
                        .put("message", group.message())
                        .put("count", group.count())
                        .put("firstSeen", group.firstSeen())
                        .put("lastSeen", group.lastSeen()));
                console.json(Json.text(json));
            } else if (groups.isEmpty()) {
                console.line("no dead letters");
            } else {
                var now = broker.admin().time();
                var table = new Table()
                        .number("COUNT")
                        .column("QUEUE")
                        .column("TYPE")
                        .column("REASON")
                        .number("LAST")
                        .number("FIRST")
                        .column("FINGERPRINT")
                        .column("ERROR");
                groups.forEach(group -> table.row(
                        group.count(),
                        group.queue(),
                        group.type(),
                        group.reason(),
                        Times.length(now - group.lastSeen()),
                        Times.length(now - group.firstSeen()),
                        group.fingerprint().isEmpty() ? "-" : group.fingerprint(),
                        (group.errorClass() == null ? "" : PageOptions.simpleName(group.errorClass()))
                                + (group.message() == null ? "" : ": " + group.message())));
                table.print(console);
            }
            return ExitCode.DONE;
        }
    }
}
