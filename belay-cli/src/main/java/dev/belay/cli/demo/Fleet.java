package dev.belay.cli.demo;

import dev.belay.broker.BrokerAdmin;
import dev.belay.cli.demo.world.World;
import dev.belay.cli.shell.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The worker processes. None of them survives this one: not its end, not Ctrl-C, not SIGKILL (they watch their input). */
final class Fleet implements AutoCloseable {

    private static final long START_MILLIS = 60_000;

    private final Store store;
    private final World.Address world;
    private final Path folder;
    private final BrokerAdmin admin;
    private final List<WorkerProcess> workers = new CopyOnWriteArrayList<>();
    private final Thread hook = new Thread(this::killAll, "end-workers");

    Fleet(Store store, World.Address world, Path folder, BrokerAdmin admin) {
        this.store = store;
        this.world = world;
        this.folder = folder;
        this.admin = admin;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts one more. */
    WorkerProcess start() {
        var worker = WorkerProcess.start("worker-" + (workers.size() + 1), store, world, folder);
        workers.add(worker);
        return worker;
    }

    WorkerProcess find(String name) {
        return workers.stream()
                .filter(worker -> worker.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no worker is called " + name));
    }

    /** Waits until a worker serves all queues. */
    void awaitServing(WorkerProcess worker) throws InterruptedException {
        var deadline = System.nanoTime() + START_MILLIS * 1_000_000;
        while (sessions(worker) < ShopJobs.QUEUES.size()) {
            if (worker.endedUnasked() || System.nanoTime() > deadline) {
                throw Problem.no(
                        worker.name() + " (pid " + worker.pid() + ") did not come up: " + worker.lastWords(),
                        "Its log and the store are in " + folder + ".");
            }
            Thread.sleep(50);
        }
    }

    /** How many jobs a worker holds, by the broker's word. */
    int inFlight(WorkerProcess worker) {
        return admin.sessions().stream()
                .filter(session -> session.spec().worker().equals(worker.name()))
                .mapToInt(BrokerAdmin.SessionView::inFlight)
                .sum();
    }

    /** Those that ended although nobody ended them, with their last words. */
    List<String> endedUnasked() {
        return workers.stream()
                .filter(WorkerProcess::endedUnasked)
                .map(worker -> worker.name() + " ended by itself: " + worker.lastWords())
                .toList();
    }

    /** Lets all finish what they do, and end. */
    void stop() throws InterruptedException {
        workers.forEach(WorkerProcess::askToStop);
        for (var worker : workers) {
            worker.awaitStop();
        }
    }

    @Override
    public void close() {
        killAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already, and the hook runs: the same is done.
        }
    }

    private long sessions(WorkerProcess worker) {
        return admin.sessions().stream()
                .filter(session -> !session.ended() && session.spec().worker().equals(worker.name()))
                .count();
    }

    private void killAll() {
        workers.forEach(WorkerProcess::kill);
    }
}
