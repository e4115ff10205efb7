package dev.belay.memory;

import dev.belay.broker.Event;
import dev.belay.broker.EventCount;
import dev.belay.broker.Histogram;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.TimesDelta;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The exact counts and the histograms of one queue. */
final class Statistics {

    private static final int TYPES = 500;
    /** Where the types beyond the first 500 are counted. */
    private static final String OTHER = "other";

    private final String queue;
    private final Set<String> types = new HashSet<>();
    private final Slices<Map<EventKey, Long>> events =
            new Slices<>(HashMap::new, (sum, more) -> more.forEach((key, count) -> sum.merge(key, count, Long::sum)));
    private final Slices<Map<TimesKey, Histogram>> times = new Slices<>(
            HashMap::new,
            (sum, more) -> more.forEach((key, histogram) -> histogram(sum, key).add(histogram)));

    Statistics(String queue) {
        this.queue = queue;
    }

    void count(StoredJob job, Event event, long now) {
        events.at(now).merge(new EventKey(counted(job.type()), event), 1L, Long::sum);
    }

    void record(TimesDelta delta, long now) {
        histogram(times.at(now), new TimesKey(counted(delta.type()), delta.kind()))
                .add(delta.histogram());
    }

    List<EventCount> events(StatisticsQuery query) {
        return events.sum(query.from(), query.to()).entrySet().stream()
                .filter(entry -> query.type() == null || query.type().equals(entry.getKey().type))
                .map(entry -> new EventCount(queue, entry.getKey().type, entry.getKey().event, entry.getValue()))
                .toList();
    }

    List<TimesDelta> times(StatisticsQuery query) {
        return times.sum(query.from(), query.to()).entrySet().stream()
                .filter(entry -> query.type() == null || query.type().equals(entry.getKey().type))
                .map(entry -> new TimesDelta(queue, entry.getKey().type, entry.getKey().kind, entry.getValue()))
                .toList();
    }

    void fold(long now) {
        events.fold(now);
        times.fold(now);
    }

    private String counted(String type) {
        if (types.contains(type)) {
            return type;
        }
        return types.size() < TYPES && types.add(type) ? type : OTHER;
    }

    private static Histogram histogram(Map<TimesKey, Histogram> table, TimesKey key) {
        return table.computeIfAbsent(key, any -> new Histogram());
    }

    private record EventKey(String type, Event event) {}

    private record TimesKey(String type, TimesDelta.Kind kind) {}
}
