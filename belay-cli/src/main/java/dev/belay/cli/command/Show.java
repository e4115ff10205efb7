package dev.belay.cli.command;

import dev.belay.broker.Broker;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.Problem;
import dev.belay.cli.shell.StoreCommand;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code show}: one job with all that is kept of it. */
@Command(name = "show", description = "Shows a job: state, phases, history, payload, result.")
final class Show extends StoreCommand {

    private final boolean deadOnly;

    @Parameters(paramLabel = "ID", description = "the job")
    private String id = "";

    @Option(names = "--queue", paramLabel = "NAME", description = "its queue, where it is known")
    private @Nullable String queue;

    @Option(names = "--full", description = "show payload, result and stack traces whole")
    private boolean full;

    Show(Console console, boolean deadOnly) {
        super(console);
        this.deadOnly = deadOnly;
    }

    @Override
    protected int run(Broker broker) {
        var job = JobId.parse(id);
        var found = broker.admin().find(queue, job);
        if (found.isEmpty()) {
            throw Problem.no(
                    "there is no job " + job + (queue == null ? "" : " in queue '" + queue + "'"),
                    "It may be in another namespace or store, or its retention has ended; jobs list shows what is there.");
        }
        var detail = found.get();
        if (deadOnly && detail.job().state() != JobState.DEAD) {
            throw Problem.no(
                    "job " + job + " is no dead letter: it is " + detail.job().state(),
                    "Use belay jobs show " + job + ".");
        }
        if (output.json()) {
            console.json(Json.text(JobJson.of(detail)));
        } else {
            new ShowText(console, broker.admin().time(), full).print(detail);
        }
        return ExitCode.DONE;
    }
}
