package dev.belay.cli.command;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerAdmin;
import dev.belay.cli.shell.ByOptions;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.Problem;
import dev.belay.cli.shell.StoreCommand;
import dev.belay.job.By;
import dev.belay.job.Limits;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code belay queues …}. */
public final class QueuesCommands {

    private QueuesCommands() {}

    public static CommandLine all(Console console) {
        return new CommandLine(new Group(console, "Queues: what waits, and whether they are paused."))
                .addSubcommand(new QueuesList(console))
                .addSubcommand(new Pause(console))
                .addSubcommand(new Resume(console));
    }

    @Command(name = "list", description = "Lists the queues with their exact counts.")
    static final class QueuesList extends StoreCommand {
        QueuesList(Console console) {
            super(console);
        }

        @Override
        protected int run(Broker broker) {
            var queues = broker.admin().queues();
            if (output.json()) {
                console.json(Json.text(Json.object().set("queues", QueuesText.json(queues))));
            } else if (queues.isEmpty()) {
                console.line("no queues in namespace '" + store.namespace() + "'");
            } else {
                QueuesText.table(queues, broker.admin().time()).print(console);
            }
            return ExitCode.DONE;
        }
    }

    @Command(name = "pause", description = "Pauses a queue: nothing is started from it; what runs goes on.")
    static final class Pause extends Change {
        Pause(Console console) {
            super(console, "paused");
        }

        @Override
        void change(BrokerAdmin admin, String queue, By by) {
            admin.pause(queue, by);
        }
    }

    @Command(name = "resume", description = "Ends a pause.")
    static final class Resume extends Change {
        Resume(Console console) {
            super(console, "resumed");
        }

        @Override
        void change(BrokerAdmin admin, String queue, By by) {
            admin.resume(queue, by);
        }
    }

    /** A change of one queue, which must be known: a typo does not make a new one. */
    abstract static class Change extends StoreCommand {

        private final String done;

        @Parameters(paramLabel = "QUEUE", description = "the queue")
        private String queue = "";

        @Mixin
        private ByOptions by = new ByOptions();

        Change(Console console, String done) {
            super(console);
            this.done = done;
        }

        abstract void change(BrokerAdmin admin, String queue, By by);

        @Override
        protected int run(Broker broker) {
            Limits.name("queue", queue);
            var known = broker.admin().queues().stream()
                    .map(BrokerAdmin.QueueView::queue)
                    .toList();
            if (!known.contains(queue)) {
                throw Problem.no(
                        "there is no queue '" + queue + "' in namespace '" + store.namespace() + "'",
                        known.isEmpty() ? "No queue is known there." : "Known are " + String.join(", ", known) + ".");
            }
            change(broker.admin(), queue, by.by());
            if (output.json()) {
                console.json(Json.text(Json.object().put("queue", queue).put("done", done)));
            } else {
                console.line("queue '" + queue + "' is " + done);
            }
            return ExitCode.DONE;
        }
    }
}
