package dev.belay.cli.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.belay.broker.Broker;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The benchmark: a warm-up, then pairs of (raw, Belay), so that both meet the same moods of the machine. */
final class Bench {

    private static final int[] CONNECTIONS = {1, 2, 4};
    private static final int CALLERS = 100;
    private static final int PER_SECOND = 100;

    private final BenchOptions options;
    private final Broker broker;
    private final @Nullable RawStore raw;
    private final Note note;
    private final Map<Figure, Samples> samples = new LinkedHashMap<>();

    /** Is told how far it is. */
    interface Note {
        void say(String text);
    }

    Bench(BenchOptions options, Broker broker, @Nullable RawStore raw, Note note) {
        this.options = options;
        this.broker = broker;
        this.raw = raw;
        this.note = note;
    }

    /** What was measured, in the order of the pairs. */
    Map<Figure, Samples> run() throws Exception {
        try (var load = new BelayLoad(broker, options)) {
            backlog(load);
            note.say("warm-up");
            pair(load);
            samples.clear();
            for (var i = 1; i <= options.pairs(); i++) {
                pair(load);
                note.say("pair " + i + " of " + options.pairs());
            }
        }
        return samples;
    }

    private void backlog(BelayLoad load) throws InterruptedException {
        if (options.dead() > 0) {
            note.say(options.dead() + " dead letters");
            load.bury(options.dead());
        }
        if (options.waiting() > 0) {
            note.say(options.waiting() + " waiting jobs");
            load.topUp();
        }
    }

    private void pair(BelayLoad load) throws Exception {
        if (raw != null) {
            raw(raw);
        }
        belay(load);
    }

    private void raw(RawStore store) throws Exception {
        var insert = 0.0;
        var leaseSettle = 0.0;
        for (var connections : CONNECTIONS) {
            insert = Math.max(insert, store.insert(options.jobs(), connections));
            leaseSettle = Math.max(leaseSettle, store.leaseAndSettle(connections));
        }
        add(Figure.RAW_INSERT, insert);
        add(Figure.RAW_LEASE_SETTLE, leaseSettle);
        add(Figure.RAW_ONE_BY_ONE, store.insertOneByOne(options.jobs(), CALLERS));
        roundTrips(store);
    }

    /** At the pace at which pick-up is measured: a disk and a processor that rest in between answer later. */
    private void roundTrips(RawStore store) throws Exception {
        var millis = store.roundTrips(steady(), PER_SECOND);
        add(Figure.RAW_ROUND_TRIP_P50, millis.median());
        add(Figure.RAW_ROUND_TRIP_P99, millis.quantile(0.99));
    }

    /** Each step finds the standing backlog as long as it should be. */
    private void belay(BelayLoad load) throws InterruptedException {
        add(Figure.SINGLE_1, enqueuedAndDrained(load, options.few(), 1));
        add(Figure.SINGLE_10, enqueuedAndDrained(load, options.jobs(), 10));
        add(Figure.SINGLE_100, enqueuedAndDrained(load, options.jobs(), CALLERS));
        load.topUp();
        add(Figure.UNBATCHED_100, load.enqueueUnbatched(options.jobs(), CALLERS));
        load.drain(options.jobs() / CALLERS * CALLERS);
        load.topUp();
        add(Figure.BULK, load.enqueueBulk(options.jobs(), options.producers()));
        drain(load);
        load.topUp();
        add(Figure.BOTH, load.both(options.jobs(), options.producers()));
        if (options.waiting() == 0) {
            var millis = load.pickup(steady(), PER_SECOND);
            add(Figure.PICKUP_P50, millis.median());
            add(Figure.PICKUP_P99, millis.quantile(0.99));
        }
        load.topUp();
    }

    private void drain(BelayLoad load) throws InterruptedException {
        var before = processorNanos();
        var serverBefore = raw == null ? 0 : raw.serverNanos();
        add(Figure.DRAIN, load.drain(options.jobs()));
        add(Figure.DRAIN_CPU, (processorNanos() - before) / 1e3 / options.jobs());
        add(Figure.DRAIN_SERVER_CPU, ((raw == null ? 0 : raw.serverNanos()) - serverBefore) / 1e3 / options.jobs());
    }

    private static long processorNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private int steady() {
        return Math.min(3 * PER_SECOND, options.jobs());
    }

    private static double enqueuedAndDrained(BelayLoad load, int jobs, int callers) throws InterruptedException {
        load.topUp();
        var perSecond = load.enqueueSingle(jobs, callers);
        load.drain(Math.max(1, jobs / callers) * callers);
        return perSecond;
    }

    private void add(Figure figure, double value) {
        samples.computeIfAbsent(figure, any -> new Samples()).add(value);
    }
}
