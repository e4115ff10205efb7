package dev.belay.cli.command;

import dev.belay.broker.BrokerAdmin.QueueView;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.Style;
import dev.belay.cli.shell.Table;
import dev.belay.cli.shell.Times;
import dev.belay.job.JobState;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/** Queues, for people and as JSON. */
final class QueuesText {

    private QueuesText() {}

    static Table table(List<QueueView> queues, long now) {
        var table = new Table()
                .column("QUEUE")
                .number("SCHEDULED")
                .number("READY")
                .number("RUNNING")
                .number("SUCCEEDED")
                .number("DEAD")
                .number("CANCELLED")
                .number("WORKERS")
                .number("OLDEST")
                .column("NOTE");
        for (var queue : queues) {
            var oldest = queue.oldestReadyAt();
            table.row(
                    queue.queue(),
                    queue.count(JobState.SCHEDULED),
                    queue.count(JobState.READY),
                    queue.count(JobState.RUNNING),
                    queue.count(JobState.SUCCEEDED),
                    dead(queue.count(JobState.DEAD)),
                    queue.count(JobState.CANCELLED),
                    queue.liveSessions(),
                    oldest == null ? "-" : Times.length(Math.max(0, now - oldest)),
                    note(queue));
        }
        return table;
    }

    static ArrayNode json(List<QueueView> queues) {
        var array = Json.array();
        for (var queue : queues) {
            var settings = queue.settings();
            var keepDead = settings.keepDead();
            array.addObject()
                    .put("queue", queue.queue())
                    .put("paused", queue.paused())
                    .put("scheduled", queue.count(JobState.SCHEDULED))
                    .put("ready", queue.count(JobState.READY))
                    .put("running", queue.count(JobState.RUNNING))
                    .put("succeeded", queue.count(JobState.SUCCEEDED))
                    .put("dead", queue.count(JobState.DEAD))
                    .put("cancelled", queue.count(JobState.CANCELLED))
                    .put("workers", queue.liveSessions())
                    .put("oldestReadyAt", queue.oldestReadyAt())
                    .put("keepFinishedMs", settings.keepFinished().toMillis())
                    .put("keepFinishedCount", settings.keepFinishedCount())
                    .put("keepDeadMs", keepDead == null ? null : (Long) keepDead.toMillis())
                    .put("keepDeadCount", settings.keepDeadCount())
                    .put("keepDeadBytes", settings.keepDeadBytes());
        }
        return array;
    }

    private static Console.Piece dead(long count) {
        return Console.styled(count == 0 ? Style.PLAIN : Style.BAD, Long.toString(count));
    }

    private static Console.Piece note(QueueView queue) {
        if (queue.paused()) {
            return Console.styled(Style.WARN, "paused");
        }
        var waiting = queue.count(JobState.READY) + queue.count(JobState.SCHEDULED);
        return queue.liveSessions() == 0 && waiting > 0
                ? Console.styled(Style.WARN, "no worker serves it")
                : Console.styled(Style.PLAIN, "");
    }
}
