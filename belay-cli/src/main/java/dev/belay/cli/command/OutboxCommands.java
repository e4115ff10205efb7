package dev.belay.cli.command;

import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.LedgerOptions;
import dev.belay.cli.shell.OutputOptions;
import dev.belay.cli.shell.Problem;
import dev.belay.cli.shell.Table;
import dev.belay.job.JobId;
import dev.belay.ledger.JdbcOutbox;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay outbox …}. */
public final class OutboxCommands {

    private OutboxCommands() {}

    public static CommandLine all(Console console) {
        return new CommandLine(
                        new Group(console, "The outbox: jobs that were committed, and wait to be moved to the broker."))
                .addSubcommand(new ListWaiting(console))
                .addSubcommand(new Retry(console))
                .addSubcommand(new Discard(console));
    }

    /** A command that works on an outbox which is there. */
    abstract static class OnOutbox implements Callable<Integer> {

        final Console console;

        @Mixin
        private LedgerOptions ledger = new LedgerOptions();

        @Mixin
        OutputOptions output = new OutputOptions();

        OnOutbox(Console console) {
            this.console = console;
        }

        abstract int run(JdbcOutbox outbox);

        @Override
        public final Integer call() {
            return ledger.use(builder -> {
                try (var outbox = builder.openOutbox()) {
                    return run(outbox);
                }
            });
        }
    }

    @Command(name = "list", description = "Lists what waits, oldest first.")
    static final class ListWaiting extends OnOutbox {

        @Option(names = "--problems", description = "only what waits for a person")
        private boolean problems;

        @Mixin
        private LimitOption limit = new LimitOption();

        ListWaiting(Console console) {
            super(console);
        }

        @Override
        int run(JdbcOutbox outbox) {
            var waiting = outbox.list(problems, limit.value());
            if (output.json()) {
                printJson(waiting);
            } else if (waiting.isEmpty()) {
                console.line(problems ? "nothing waits for a person" : "nothing waits");
            } else {
                printTable(waiting);
            }
            return ExitCode.DONE;
        }

        private void printJson(List<JdbcOutbox.Waiting> waiting) {
            var json = Json.object();
            var jobs = json.putArray("jobs");
            waiting.forEach(each -> jobs.addObject()
                    .put("id", each.id().toString())
                    .put("namespace", each.namespace())
                    .put("queue", each.queue())
                    .put("bytes", each.bytes())
                    .put("addedAt", each.addedAt().toEpochMilli())
                    .put(
                            "sendingAt",
                            each.sendingAt() == null
                                    ? null
                                    : (Long) each.sendingAt().toEpochMilli())
                    .put("problem", each.problem()));
            console.json(Json.text(json));
        }

        private void printTable(List<JdbcOutbox.Waiting> waiting) {
            var table = new Table()
                    .column("ID")
                    .column("NAMESPACE")
                    .column("QUEUE")
                    .column("SINCE")
                    .column("PROBLEM");
            waiting.forEach(each -> table.row(
                    each.id(),
                    each.namespace(),
                    each.queue(),
                    each.addedAt(),
                    each.problem() == null ? "" : each.problem()));
            table.print(console);
        }
    }

    /** A command on one job that waits for a person. */
    abstract static class OnOne extends OnOutbox {

        private final String done;

        @Parameters(paramLabel = "JOB", description = "the job's id")
        private String job = "";

        OnOne(Console console, String done) {
            super(console);
            this.done = done;
        }

        abstract boolean change(JdbcOutbox outbox, JobId id);

        @Override
        final int run(JdbcOutbox outbox) {
            var id = JobId.parse(job);
            if (!change(outbox, id)) {
                throw Problem.no("job " + id + " does not wait for a person in this outbox", "See 'outbox list'.");
            }
            if (output.json()) {
                console.json(Json.text(Json.object().put("id", id.toString()).put("done", done)));
            } else {
                console.line("job " + id + " " + done);
            }
            return ExitCode.DONE;
        }
    }

    @Command(
            name = "retry",
            description = "Lets a job be sent that may have been sent long ago: look first whether it was run.")
    static final class Retry extends OnOne {
        Retry(Console console) {
            super(console, "is sent again");
        }

        @Override
        boolean change(JdbcOutbox outbox, JobId id) {
            return outbox.retry(id);
        }
    }

    @Command(name = "discard", description = "Removes a job from the outbox: it is not sent.")
    static final class Discard extends OnOne {
        Discard(Console console) {
            super(console, "is discarded");
        }

        @Override
        boolean change(JdbcOutbox outbox, JobId id) {
            return outbox.discard(id);
        }
    }
}
