package dev.belay.cli.demo;

import dev.belay.cli.demo.world.World;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.OutputOptions;
import dev.belay.cli.shell.StoreOptions;
import dev.belay.once.Ledger;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code belay worker}: a worker of the demo's shop, in a process of its own. */
@Command(
        name = "worker",
        description = {
            "Runs a worker with the handlers of the demo's shop, until it is told to stop.",
            "'belay demo --keep' prints the options of the world that it needs."
        })
public final class WorkerCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    private StoreOptions store = new StoreOptions();

    // Read before anything is logged; there is no other form of output to choose.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--name", paramLabel = "NAME", description = "the worker's name (default: host and process)")
    private @Nullable String name;

    @Option(
            names = "--smtp-port",
            paramLabel = "PORT",
            required = true,
            description = "the mail server's port on this machine")
    private int smtpPort;

    @Option(names = "--crm", paramLabel = "URL", required = true, description = "the CRM")
    private URI crm = URI.create("");

    @Option(names = "--payments", paramLabel = "URL", required = true, description = "the payment provider")
    private URI payments = URI.create("");

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            required = true,
            description = "the folder with pictures and thumbnails")
    private Path folder = Path.of("");

    @Option(
            names = "--ledger",
            paramLabel = "ADDRESS",
            description =
                    "where charges are recorded: sqlite:PATH or jdbc:postgresql:… (default: ledger.db in the folder)")
    private @Nullable String ledger;

    @Option(names = "--end-with-input", description = "stop when standard input ends: for whoever starts it as a child")
    private boolean endWithInput;

    public WorkerCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        var workerName = name == null ? "shop-" + ProcessHandle.current().pid() : name;
        try (var broker = store.openOrCreate();
                var recorded = Ledger.open(ledger == null ? ShopWorker.ledger(folder) : ledger);
                var worker = ShopWorker.start(
                        broker, recorded, workerName, new World.Address(smtpPort, crm, payments), folder)) {
            if (endWithInput) {
                watchInput();
            }
            console.note("worker " + workerName + " serves " + String.join(", ", ShopJobs.QUEUES) + " of "
                    + store.shown() + ", namespace " + store.namespace());
            worker.awaitStop();
        }
        return ExitCode.DONE;
    }

    /** Input ends when the parent does, however it dies: so no child survives it. */
    private static void watchInput() {
        var watcher = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // What is said does not matter, only that somebody is still there.
                        }
                    } catch (IOException e) {
                        // The same as its end.
                    }
                    System.exit(ExitCode.DONE);
                },
                "parent-watch");
        watcher.setDaemon(true);
        watcher.start();
    }
}
