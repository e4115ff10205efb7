package dev.belay.cli.demo;

import dev.belay.broker.Broker;
import dev.belay.cli.shell.CommandName;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.OutputOptions;
import dev.belay.cli.shell.Problem;
import dev.belay.cli.shell.StoreOptions;
import dev.belay.cli.shell.Style;
import dev.belay.job.Limits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code belay demo}. */
@Command(
        name = "demo",
        description = {
            "Runs an online shop's background work: receipts by SMTP, thumbnails, a CRM that is down for a while,",
            "payments. Kills a worker in mid-work, and checks that nothing was lost and nobody charged twice."
        })
public final class DemoCommand implements Callable<Integer> {

    private static final int MOST_ORDERS = 20_000;

    private final Console console;

    @Option(
            names = "--orders",
            paramLabel = "N",
            defaultValue = "300",
            description = "so many orders, 1 to 20000 (default: 300); each is four jobs")
    private int orders;

    @Option(names = "--keep", description = "stay up afterwards, with the world and two workers, until Ctrl-C")
    private boolean keep;

    @Option(names = "--no-kill", description = "kill no worker")
    private boolean noKill;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "of the world's faults and of the moment of the kill (default: 1)")
    private long seed;

    @Option(
            names = "--broker",
            paramLabel = "ADDRESS",
            description = "the store (default: a fresh file in a temporary folder, named at the end)")
    private @Nullable String broker;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "the namespace in it, which must be empty (default: a fresh one)")
    private @Nullable String namespace;

    @Mixin
    private OutputOptions output = new OutputOptions();

    public DemoCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        Limits.range("--orders", orders, 1, MOST_ORDERS);
        var folder = Files.createTempDirectory("belay-demo-").toRealPath();
        var store = store(folder);
        refuseMixing(store);
        var options = new Demo.Options(orders, !noKill, keep, seed, output.json());
        if (!output.json()) {
            console.line(
                    Console.styled(Style.BOLD, "Belay demo: "),
                    orders + " orders, " + orders * 4 + " jobs, two workers"
                            + (noKill ? "" : ", one of them to be killed"));
        }
        var report = new Demo(options, store, folder, console)
                .run((figures, seconds) -> tell(figures, store, folder, seconds));
        return report.brokenPromises().isEmpty() ? ExitCode.DONE : ExitCode.NO;
    }

    private Store store(Path folder) {
        var fresh = broker == null;
        var address = broker == null ? "sqlite:" + folder.resolve("belay.db") : broker;
        if (namespace != null) {
            return new Store(address, Limits.name("--namespace", namespace));
        }
        return new Store(
                address, fresh ? Broker.DEFAULT_NAMESPACE : "demo-" + Long.toString(System.currentTimeMillis(), 36));
    }

    /** The demo counts everything that it finds: what others left there must not be among it. */
    private static void refuseMixing(Store store) {
        try (var opened = StoreOptions.open(store.address(), store.namespace())) {
            if (!opened.capabilities().shared()) {
                throw Problem.wrongUse(
                        "the demo runs several processes on one store, which " + store.shown() + " can't serve",
                        "Use --broker sqlite:PATH, or none.");
            }
            if (!opened.admin().queues().isEmpty()) {
                throw Problem.wrongUse(
                        "namespace '" + store.namespace() + "' of " + store.shown() + " is in use already",
                        "Give another --namespace, or none: then the demo takes a fresh one.");
            }
        }
    }

    private void tell(DemoReport report, Store store, Path folder, double seconds) {
        if (output.json()) {
            console.json(Json.text(DemoJson.of(report, store, seconds)));
            return;
        }
        new DemoText(console).print(report, seconds);
        var where = " --broker " + store.shown()
                + (store.namespace().equals(Broker.DEFAULT_NAMESPACE) ? "" : " --namespace " + store.namespace());
        console.line();
        console.line(Console.styled(Style.DIM, "Look around: "), CommandName.text() + " dead list" + where);
        console.line(Console.styled(Style.DIM, "Files:       "), folder.toString());
    }
}
