package dev.belay.cli.command;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.BrokerAdmin.QueueView;
import dev.belay.broker.EventCount;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.TimesDelta;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.StoreCommand;
import dev.belay.cli.shell.Table;
import dev.belay.cli.shell.Times;
import dev.belay.job.Limits;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** {@code belay stats}: what waits, what happened, how long it took. */
@Command(name = "stats", description = "Shows what waits in each queue, what happened, and how long it took.")
public final class StatsCommand extends StoreCommand {

    @Option(names = "--queue", paramLabel = "NAME", description = "of this queue only")
    private @Nullable String queue;

    @Option(
            names = "--last",
            paramLabel = "MINUTES",
            description = "events and times of the last minutes only, 1 to 2880")
    private @Nullable Integer last;

    public StatsCommand(Console console) {
        super(console);
    }

    @Override
    protected int run(Broker broker) {
        var admin = broker.admin();
        var now = admin.time();
        var queues = admin.queues().stream()
                .filter(view -> queue == null || view.queue().equals(queue))
                .toList();
        var span = new StatisticsQuery(queue, null, from(now), null);
        var events = admin.statistics(span).stream()
                .sorted(Comparator.comparing(EventCount::queue)
                        .thenComparing(EventCount::type)
                        .thenComparing(EventCount::event))
                .toList();
        var times = times(admin, span);
        if (output.json()) {
            console.json(Json.text(json(now, queues, events, times)));
        } else {
            print(now, queues, events, times);
        }
        return ExitCode.DONE;
    }

    private @Nullable Long from(long now) {
        return last == null ? null : now - Limits.range("--last", last, 1, 2_880) * 60_000L;
    }

    private static List<TimesDelta> times(BrokerAdmin admin, StatisticsQuery span) {
        return admin.times(span).stream()
                .sorted(Comparator.comparing(TimesDelta::queue)
                        .thenComparing(TimesDelta::type)
                        .thenComparing(TimesDelta::kind))
                .toList();
    }

    private void print(long now, List<QueueView> queues, List<EventCount> events, List<TimesDelta> times) {
        QueuesText.table(queues, now).print(console);
        if (!events.isEmpty()) {
            console.line();
            var table =
                    new Table().column("QUEUE").column("TYPE").column("EVENT").number("COUNT");
            events.forEach(event -> table.row(event.queue(), event.type(), event.event(), event.count()));
            table.print(console);
        }
        if (!times.isEmpty()) {
            console.line();
            var table = new Table()
                    .column("QUEUE")
                    .column("TYPE")
                    .column("TIME")
                    .number("COUNT")
                    .number("P50")
                    .number("P95")
                    .number("P99");
            times.forEach(time -> table.row(
                    time.queue(),
                    time.type(),
                    time.kind(),
                    time.histogram().count(),
                    Times.length(millis(time, 0.5)),
                    Times.length(millis(time, 0.95)),
                    Times.length(millis(time, 0.99))));
            table.print(console);
        }
    }

    private static ObjectNode json(long now, List<QueueView> queues, List<EventCount> events, List<TimesDelta> times) {
        var json = Json.object();
        json.put("time", now);
        json.set("queues", QueuesText.json(queues));
        var eventNodes = json.putArray("events");
        events.forEach(event -> eventNodes
                .addObject()
                .put("queue", event.queue())
                .put("type", event.type())
                .put("event", event.event().name())
                .put("count", event.count()));
        var timeNodes = json.putArray("times");
        times.forEach(time -> timeNodes
                .addObject()
                .put("queue", time.queue())
                .put("type", time.type())
                .put("kind", time.kind().name())
                .put("count", time.histogram().count())
                .put("p50Ms", millis(time, 0.5))
                .put("p95Ms", millis(time, 0.95))
                .put("p99Ms", millis(time, 0.99)));
        return json;
    }

    private static double millis(TimesDelta times, double share) {
        return Math.round(times.histogram().quantile(share)) / 1_000.0;
    }
}
