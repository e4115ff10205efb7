package dev.belay.cli.command;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.StoreCheck;
import dev.belay.broker.StoreCheck.Result;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.StoreCommand;
import dev.belay.cli.shell.Style;
import dev.belay.cli.shell.Times;
import dev.belay.job.JobState;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code belay doctor}: whether what the guarantees rest on holds. */
@Command(
        name = "doctor",
        description = "Checks what the guarantees rest on: the store's settings, clocks, workers, unknown types.")
public final class DoctorCommand extends StoreCommand {

    private static final long SKEW_MILLIS = 2_000;

    public DoctorCommand(Console console) {
        super(console);
    }

    @Override
    protected int run(Broker broker) {
        var checks = new ArrayList<>(broker.admin().check());
        checks.add(clock(broker.admin()));
        checks.add(workers(broker.admin()));
        checks.add(sessions(broker.admin()));
        checks.add(types(broker.admin()));
        if (output.json()) {
            json(broker, checks);
        } else {
            table(checks);
        }
        return checks.stream().anyMatch(check -> check.result() == Result.FAILED) ? ExitCode.NO : ExitCode.DONE;
    }

    private static StoreCheck clock(BrokerAdmin admin) {
        var before = System.currentTimeMillis();
        var broker = admin.time();
        var skew = broker - (before + System.currentTimeMillis()) / 2;
        return Math.abs(skew) <= SKEW_MILLIS
                ? new StoreCheck(
                        "clock skew", Result.OK, "the broker's clock is within " + Times.length(Math.abs(skew)))
                : new StoreCheck(
                        "clock skew",
                        Result.WARNING,
                        "the broker's clock is " + Times.length(Math.abs(skew)) + (skew > 0 ? " ahead" : " behind")
                                + ": deadlines go by the broker's, so nothing breaks, but times in logs disagree");
    }

    private static StoreCheck workers(BrokerAdmin admin) {
        var lonely = admin.queues().stream()
                .filter(queue -> queue.liveSessions() == 0 && !queue.paused())
                .filter(queue -> queue.count(JobState.READY) + queue.count(JobState.SCHEDULED) > 0)
                .map(BrokerAdmin.QueueView::queue)
                .toList();
        return lonely.isEmpty()
                ? new StoreCheck("workers", Result.OK, "every queue with waiting jobs is served or paused")
                : new StoreCheck(
                        "workers",
                        Result.WARNING,
                        "jobs wait and no worker serves " + String.join(", ", lonely)
                                + ": start one, or check the name for a typo");
    }

    private static StoreCheck sessions(BrokerAdmin admin) {
        var late = admin.sessions().stream()
                .filter(session -> session.markedAt() != null || session.ended())
                .map(session -> session.spec().worker() + " (" + session.spec().queue() + ")")
                .toList();
        return late.isEmpty()
                ? new StoreCheck("sessions", Result.OK, "no worker is past its deadline")
                : new StoreCheck(
                        "sessions",
                        Result.WARNING,
                        "past their deadline, their jobs are being taken back: " + String.join(", ", late));
    }

    private static StoreCheck types(BrokerAdmin admin) {
        var unknown = admin.unknownTypes();
        if (unknown.isEmpty()) {
            return new StoreCheck("types", Result.OK, "no job waits for a type that nobody knows");
        }
        var named = unknown.entrySet().stream()
                .map(entry ->
                        entry.getKey().type() + " version " + entry.getKey().schemaVersion() + " in "
                                + entry.getKey().queue() + " (" + entry.getValue() + " jobs)")
                .sorted()
                .toList();
        return new StoreCheck(
                "types", Result.WARNING, "no live worker knows " + String.join(", ", named) + ": deploy one that does");
    }

    private void table(List<StoreCheck> checks) {
        for (var check : checks) {
            console.line(
                    result(check.result()),
                    " ".repeat(Math.max(1, 9 - check.result().name().length())),
                    Console.styled(Style.BOLD, check.name()),
                    ": " + check.detail());
        }
    }

    private static Console.Piece result(Result result) {
        return Console.styled(
                switch (result) {
                    case OK -> Style.GOOD;
                    case WARNING -> Style.WARN;
                    case FAILED -> Style.BAD;
                    case SKIPPED -> Style.DIM;
                },
                result.name());
    }

    private void json(Broker broker, List<StoreCheck> checks) {
        var json = Json.object();
        json.put("broker", store.shown());
        json.put("kind", broker.capabilities().name());
        json.put("namespace", store.namespace());
        var nodes = json.putArray("checks");
        checks.forEach(check -> nodes.addObject()
                .put("name", check.name())
                .put("result", check.result().name())
                .put("detail", check.detail()));
        console.json(Json.text(json));
    }
}
