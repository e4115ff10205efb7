package dev.belay.cli.bench;

import dev.belay.broker.Broker;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A steady flow of jobs through a store: before, while, and after a snapshot of it is held. */
final class SnapshotBench {

    private final SnapshotOptions options;
    private final Broker broker;
    private final Callable<? extends AutoCloseable> snapshot;
    private final Bench.Note note;
    private final LeaseTimes leases = new LeaseTimes();
    private final Backlog backlog = new Backlog();
    private volatile boolean over;

    /** @param snapshot takes one, which is held until it is closed */
    SnapshotBench(SnapshotOptions options, Broker broker, Callable<? extends AutoCloseable> snapshot, Bench.Note note) {
        this.options = options;
        this.broker = broker;
        this.snapshot = snapshot;
        this.note = note;
    }

    SnapshotFigures run() throws Exception {
        try (var load = new BelayLoad(leases.around(broker), options.load())) {
            var flow = new FutureTask<>(() -> {
                load.flow(options.rate(), () -> !over, backlog);
                return true;
            });
            new Thread(flow, "bench-flow").start();
            try {
                return measured(flow);
            } finally {
                over = true;
                flow.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private SnapshotFigures measured(FutureTask<?> flow) throws Exception {
        note.say(options.before() + " s without a snapshot");
        var before = watch(flow, options.before()).span.last(options.before() - options.warmUp());
        Watched held;
        try (var taken = snapshot.call()) {
            note.say(options.held() + " s with a snapshot held");
            held = watch(flow, options.held());
        }
        note.say(options.after() + " s without it again");
        var after = watch(flow, options.after()).span;
        return new SnapshotFigures(
                leases, before, held.span, after, held.accepted / held.span.seconds(), held.mostWaiting, backlog.now());
    }

    private record Watched(Span span, long accepted, long mostWaiting) {}

    /** Looks each second; throws what ended the flow where something did. */
    private Watched watch(FutureTask<?> flow, int seconds) throws InterruptedException, ExecutionException {
        var from = System.nanoTime();
        var acceptedBefore = backlog.accepted();
        var most = 0L;
        var pace = new Pace(1);
        pace.next();
        for (var second = 0; second < seconds; second++) {
            pace.next();
            most = Math.max(most, backlog.now());
            if (flow.isDone()) {
                flow.get();
            }
        }
        return new Watched(new Span(from, System.nanoTime()), backlog.accepted() - acceptedBefore, most);
    }
}
