package dev.belay.engine;

import dev.belay.broker.Broker;
import dev.belay.broker.Histogram;
import dev.belay.broker.TimesDelta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;

/** Folds wait and run times into histograms and sends them every few seconds, in one call. Thread-safe. */
final class Times implements Service {

    private static final Duration INTERVAL = Duration.ofSeconds(3);

    private record Key(String queue, String type, TimesDelta.Kind kind) {}

    private final Broker broker;
    private Map<Key, Histogram> observed = new HashMap<>();

    Times(Broker broker) {
        this.broker = broker;
    }

    synchronized void observe(String queue, String type, long waitedMicros, long ranMicros) {
        add(new Key(queue, type, TimesDelta.Kind.WAIT), waitedMicros);
        add(new Key(queue, type, TimesDelta.Kind.RUN), ranMicros);
    }

    @Override
    public String name() {
        return "times";
    }

    /** Sends what was observed. What a failed call may have added is not sent again: better a little less than twice. */
    @Override
    public Duration runOnce() {
        var taken = take();
        if (!taken.isEmpty()) {
            broker.record(taken);
        }
        return INTERVAL;
    }

    private synchronized ArrayList<TimesDelta> take() {
        var taken = new ArrayList<TimesDelta>();
        observed.forEach((key, histogram) -> taken.add(new TimesDelta(key.queue, key.type, key.kind, histogram)));
        observed = new HashMap<>();
        return taken;
    }

    private void add(Key key, long micros) {
        observed.computeIfAbsent(key, k -> new Histogram()).add(micros);
    }
}
