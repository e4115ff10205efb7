package dev.belay.cli.command;

import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.JobPage;
import dev.belay.broker.JobQuery;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.Style;
import dev.belay.cli.shell.Table;
import dev.belay.cli.shell.Times;
import dev.belay.job.Job;
import dev.belay.job.JobState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A page of jobs: which one, and how it is shown. */
final class PageOptions {

    @Mixin
    private LimitOption limit = new LimitOption();

    @Option(names = "--cursor", paramLabel = "TEXT", description = "go on where the page before ended, as it said")
    private @Nullable String cursor;

    void print(Console console, BrokerAdmin admin, JobQuery query, boolean json) {
        var page = admin.list(query, cursor, limit.value());
        if (json) {
            printJson(console, page);
        } else {
            printTable(console, page, admin.time());
        }
    }

    private static void printJson(Console console, JobPage page) {
        var json = Json.object();
        var jobs = json.putArray("jobs");
        page.jobs().forEach(job -> jobs.add(JobJson.of(job)));
        json.put("next", page.next());
        console.json(Json.text(json));
    }

    private static void printTable(Console console, JobPage page, long now) {
        if (page.jobs().isEmpty()) {
            console.line("no jobs");
            return;
        }
        var table = new Table()
                .column("ID")
                .column("STATE")
                .column("QUEUE")
                .column("TYPE")
                .number("FAILURES")
                .number("CRASHES")
                .number("AGE")
                .column("NOTE");
        for (var job : page.jobs()) {
            table.row(
                    job.id(),
                    state(job.state()),
                    job.queue(),
                    job.type(),
                    job.counts().failures() + "/" + job.options().maxAttempts(),
                    job.counts().crashes() + "/" + job.options().maxCrashes(),
                    Times.length(now - job.times().createdAt()),
                    note(job));
        }
        table.print(console);
        if (page.next() != null) {
            console.line(Console.styled(Style.DIM, "there are more: --cursor " + page.next()));
        }
    }

    /** A state in its colour. */
    static Console.Piece state(JobState state) {
        return Console.styled(
                switch (state) {
                    case SUCCEEDED -> Style.GOOD;
                    case DEAD -> Style.BAD;
                    case RUNNING -> Style.BOLD;
                    case CANCELLED -> Style.DIM;
                    case READY, SCHEDULED -> Style.PLAIN;
                },
                state.name());
    }

    /** A class's name without its packages. */
    static String simpleName(String className) {
        return className.substring(Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
    }

    private static String note(Job job) {
        var error = job.lastError();
        if (job.isNewer()) {
            return "written by a newer Belay (format " + job.format() + ")";
        }
        var reason = job.reason();
        if (error != null && !job.state().equals(JobState.SUCCEEDED)) {
            return (reason == null ? "" : reason + ": ") + simpleName(error.errorClass()) + " " + error.message();
        }
        return reason == null ? "" : reason;
    }
}
