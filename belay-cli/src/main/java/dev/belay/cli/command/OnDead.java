package dev.belay.cli.command;

import dev.belay.Belay;
import dev.belay.DeadLetters;
import dev.belay.broker.Broker;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Verdict;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.Problem;
import dev.belay.cli.shell.StoreCommand;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.operation.MassOperation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What can be done to dead letters: to some by their ids, or to all that match, as a durable operation. */
abstract class OnDead extends StoreCommand {

    private final String verb;
    private final String done;

    @Parameters(arity = "0..*", paramLabel = "ID", description = "the dead letters")
    private List<String> ids = List.of();

    @Option(names = "--all", description = "all that match the filters, as an operation that survives restarts")
    private boolean all;

    @Mixin
    private QueryOptions which = new QueryOptions();

    @Option(names = "--rate", paramLabel = "N", description = "at most so many a second, with --all")
    private @Nullable Integer rate;

    @Option(names = "--yes", description = "do it to all without asking")
    private boolean yes;

    @Option(names = "--detach", description = "start the operation and leave it to the workers")
    private boolean detach;

    @Option(names = "--by", paramLabel = "WHO", description = "who asks for it (default: the user of the system)")
    private @Nullable String by;

    @Option(names = "--why", paramLabel = "TEXT", required = true, description = "why, for the audit log")
    private String why = "";

    OnDead(Console console, String verb, String done) {
        super(console);
        this.verb = verb;
        this.done = done;
    }

    abstract Verdict one(DeadLetters dead, JobId id, By who);

    abstract MassOperation many(DeadLetters dead, JobQuery query, @Nullable Integer atMost, By who);

    @Override
    protected int run(Broker broker) throws InterruptedException {
        checkUse();
        var who = By.of(by == null ? System.getProperty("user.name", "unknown") : by, why);
        try (var belay = Belay.on(broker)) {
            var dead = belay.deadLetters();
            return all
                    ? all(broker, dead, who)
                    : Each.job(console, output.json(), ids, "is " + done, id -> one(dead, id, who));
        }
    }

    private void checkUse() {
        if (all == !ids.isEmpty()) {
            throw Problem.wrongUse(
                    all ? "ids and --all were given: which is meant?" : "nothing says which dead letters are meant",
                    "Give ids, or --all, with filters like --queue and --type.");
        }
        if (!all && (which.any() || rate != null || detach)) {
            throw Problem.wrongUse("filters, --rate and --detach go with --all, not with ids", "Leave them out.");
        }
    }

    private int all(Broker broker, DeadLetters dead, By who) throws InterruptedException {
        var count = dead.count(which.query());
        if (count == 0) {
            if (output.json()) {
                console.json(Json.text(Json.object().putNull("operation").put("matched", 0)));
            } else {
                console.line("no dead letters match");
            }
            return ExitCode.DONE;
        }
        confirm(count);
        var operation = many(dead, which.query(), rate, who);
        var watch = new Watching(console, output.json(), broker);
        return detach ? watch.show(operation) : watch.untilOver(operation);
    }

    private void confirm(long count) {
        if (yes) {
            return;
        }
        var what = verb + " " + count + (count == 1 ? " dead letter" : " dead letters");
        var answer = console.ask(what + "? [y/N]");
        if (answer == null) {
            throw Problem.wrongUse("to " + what + " needs a yes", "Add --yes.");
        }
        if (!answer.equalsIgnoreCase("y") && !answer.equalsIgnoreCase("yes")) {
            throw Problem.no("nothing was done", "The answer was '" + answer + "'.");
        }
    }
}
