package dev.belay.redis;

import dev.belay.broker.Event;
import dev.belay.broker.EventCount;
import dev.belay.broker.Histogram;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.TimesDelta;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts of events and histograms, of all time or of a span of slices. */
final class Counts {

    private static final long SLICES_KEPT = StatisticsQuery.KEPT_MILLIS / StatisticsQuery.SLICE_MILLIS;

    private final RedisStore store;

    Counts(RedisStore store) {
        this.store = store;
    }

    List<EventCount> events(StatisticsQuery query) {
        var counts = new ArrayList<EventCount>();
        for (var queue : queues(query)) {
            sums(queue, query).forEach((field, n) -> {
                var names = field.split("\\|", -1);
                if (names.length == 2 && (query.type() == null || query.type().equals(names[0]))) {
                    counts.add(new EventCount(queue, names[0], Event.valueOf(names[1]), n));
                }
            });
        }
        return List.copyOf(counts);
    }

    List<TimesDelta> times(StatisticsQuery query) {
        var times = new ArrayList<TimesDelta>();
        for (var queue : queues(query)) {
            var buckets = new TreeMap<String, List<Bucket>>();
            sums(queue, query).forEach((field, n) -> {
                var names = field.split("\\|", -1);
                if (names.length == 4 && (query.type() == null || query.type().equals(names[1]))) {
                    buckets.computeIfAbsent(names[1] + "|" + names[2], key -> new ArrayList<>())
                            .add(new Bucket(Integer.parseInt(names[3]), n));
                }
            });
            buckets.forEach((key, counts) -> {
                var names = key.split("\\|", -1);
                times.add(new TimesDelta(queue, names[0], TimesDelta.Kind.valueOf(names[1]), Bucket.histogram(counts)));
            });
        }
        return List.copyOf(times);
    }

    private List<String> queues(StatisticsQuery query) {
        return query.queue() == null ? store.queues() : List.of(query.queue());
    }

    private Map<String, Long> sums(String queue, StatisticsQuery query) {
        var sums = new HashMap<String, Long>();
        var keys = store.keys(queue);
        var from = query.from();
        var to = query.to();
        var newest = store.time() / StatisticsQuery.SLICE_MILLIS + 1;
        if (from == null) {
            // All of all time, without what came later.
            add(keys.key("events"), sums, 1);
            for (var slice = to == null ? newest + 1 : ceil(to); slice <= newest; slice++) {
                add(keys.slice(slice), sums, -1);
            }
            return sums;
        }
        var first = Math.max(Math.floorDiv(from, StatisticsQuery.SLICE_MILLIS), newest - SLICES_KEPT - 2);
        var last = to == null ? newest : Math.min(newest, ceil(to) - 1);
        for (var slice = first; slice <= last; slice++) {
            add(keys.slice(slice), sums, 1);
        }
        return sums;
    }

    private static long ceil(long millis) {
        return Math.floorDiv(millis + StatisticsQuery.SLICE_MILLIS - 1, StatisticsQuery.SLICE_MILLIS);
    }

    private void add(byte[] key, Map<String, Long> sums, int sign) {
        store.texts(key).forEach((name, n) -> {
            if (name.indexOf('|') > 0) {
                sums.merge(name, sign * Long.parseLong(n), Long::sum);
            }
        });
    }

    /** One of a histogram. */
    private record Bucket(int number, long count) {

        /** By way of the form in which histograms are stored elsewhere. */
        static Histogram histogram(List<Bucket> buckets) {
            var packed = ByteBuffer.wrap(new byte[12 * buckets.size()]);
            buckets.forEach(bucket -> packed.putInt(bucket.number).putLong(bucket.count));
            return Histogram.fromBytes(packed.array());
        }
    }
}
