package dev.belay.cli.demo;

import dev.belay.Belay;
import dev.belay.broker.Broker;
import dev.belay.broker.NamespaceSettings;
import dev.belay.cli.demo.world.World;
import dev.belay.cli.shell.CommandName;
import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.StoreOptions;
import dev.belay.cli.shell.Style;
import dev.belay.job.By;
import dev.belay.job.JobState;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The demo, from start to end. */
final class Demo {

    private static final long LOOK_MILLIS = 150;
    private static final int JOBS_AN_ORDER = 4;

    private final Options options;
    private final Store store;
    private final Path folder;
    private final Console console;

    /** What was asked for. */
    record Options(int orders, boolean kill, boolean keep, long seed, boolean json) {}

    Demo(Options options, Store store, Path folder, Console console) {
        this.options = options;
        this.store = store;
        this.folder = folder;
        this.console = console;
    }

    /** Runs it; {@code whenOver} is told the figures while the world is still up. */
    DemoReport run(Ending whenOver) throws InterruptedException {
        var orders = Orders.read(options.orders());
        Orders.unpackPictures(orders, Thumbnails.pictures(folder));
        var progress = new Progress(console, options.json(), (long) orders.size() * JOBS_AN_ORDER);
        ExecutorService acts = Executors.newCachedThreadPool();
        try (var world = new World(options.seed());
                var broker = StoreOptions.open(store.address(), store.namespace());
                var belay = Belay.on(broker);
                var fleet = new Fleet(store, world.address(), folder, broker.admin())) {
            reapFast(broker);
            startTwo(fleet);
            var submitter = new Submitter(belay, orders);
            var kill = kill(acts, world, fleet, broker);
            var orderTaking = acts.submit(() -> {
                submitter.run();
                return submitter;
            });
            var inTime = awaitAllFinal(broker, fleet, submitter, orderTaking, kill, progress);
            var ended = fleet.endedUnasked();
            fleet.stop();
            var evidence = Evidence.collect(
                    orders, submitter, broker.admin(), world, folder, now(kill), options.kill(), ended, inTime);
            var report = DemoReport.of(evidence);
            whenOver.tell(report, progress.seconds());
            if (options.keep()) {
                keep(fleet, world);
            }
            return report;
        } finally {
            acts.shutdownNow();
        }
    }

    /** Is told the figures. */
    interface Ending {
        void tell(DemoReport report, double seconds);
    }

    private static void reapFast(Broker broker) {
        broker.admin()
                .configure(
                        NamespaceSettings.DEFAULT.withReaping(ShopWorker.REAP_INTERVAL, ShopWorker.REAP_GRACE),
                        By.of("belay demo", "crashes are to be healed within seconds"));
    }

    private void startTwo(Fleet fleet) throws InterruptedException {
        for (var worker : List.of(fleet.start(), fleet.start())) {
            fleet.awaitServing(worker);
            tell(Style.GOOD, "✓ ", "started " + worker.name() + " (pid " + worker.pid() + ")");
        }
    }

    private Future<Killer.@Nullable Kill> kill(ExecutorService acts, World world, Fleet fleet, Broker broker) {
        if (!options.kill()) {
            return CompletableFuture.completedFuture(null);
        }
        var share = 0.2 + 0.2 * new Random(options.seed()).nextDouble();
        var trap = world.payments().holdAfter((int) (options.orders() * share));
        var killer = new Killer(trap, fleet, broker.admin(), console, options.json());
        return acts.submit(killer::run);
    }

    /** Waits until every job is final; answers whether they were before time was up. */
    private boolean awaitAllFinal(
            Broker broker, Fleet fleet, Submitter submitter, Future<?> orderTaking, Future<?> kill, Progress progress)
            throws InterruptedException {
        var secondsAtMost = 180 + options.orders() * 0.2;
        while (progress.seconds() < secondsAtMost) {
            var taken = orderTaking.isDone() && kill.isDone();
            var queues = broker.admin().queues();
            progress.show(queues, submitter.accepted().size());
            if (taken
                    && List.of(JobState.SCHEDULED, JobState.READY, JobState.RUNNING).stream()
                            .allMatch(state -> Progress.sum(queues, state) == 0)) {
                now(orderTaking);
                return true;
            }
            if (!fleet.endedUnasked().isEmpty()) {
                return false;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return false;
    }

    /** What a task that is done resulted in; null where it is not done. */
    private static <T> @Nullable T now(Future<T> task) throws InterruptedException {
        if (!task.isDone()) {
            return null;
        }
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("a part of the demo failed: " + e.getCause(), e.getCause());
        }
    }

    private void keep(Fleet fleet, World world) throws InterruptedException {
        fleet.start();
        fleet.start();
        var address = world.address();
        console.note("The world and two workers stay up until Ctrl-C. One more worker:");
        console.note(
                "  " + CommandName.text() + " worker --broker " + store.shown() + " --namespace " + store.namespace()
                        + " --smtp-port " + address.smtpPort() + " --crm " + address.crm() + " --payments "
                        + address.payments() + " --folder " + folder);
        Thread.currentThread().join();
    }

    private void tell(Style style, String mark, String text) {
        if (options.json()) {
            console.note(text);
        } else {
            console.line(Console.styled(style, mark), text);
        }
    }
}
