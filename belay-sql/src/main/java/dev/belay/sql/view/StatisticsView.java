package dev.belay.sql.view;

import dev.belay.broker.Event;
import dev.belay.broker.EventCount;
import dev.belay.broker.Histogram;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.TimesDelta;
import dev.belay.jdbc.Bound;
import dev.belay.jdbc.Statements;
import dev.belay.sql.step.Statistics;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;

/** Counts of events and histograms of times, summed over a span of slices. */
public final class StatisticsView {

    private final Statements sql;
    private final long namespace;
    private final StatisticsQuery query;

    public StatisticsView(Statements sql, long namespace, StatisticsQuery query) {
        this.sql = sql;
        this.namespace = namespace;
        this.query = query;
    }

    public List<EventCount> events() throws SQLException {
        var sums = new LinkedHashMap<List<String>, Long>();
        if (query.from() == null) {
            // All of all time, without what came after the span.
            add(sums, bind("events").set("first", Statistics.TOTAL).set("last", Statistics.TOTAL), 1);
            if (query.to() != null) {
                add(sums, bind("events").set("first", firstAfter()).set("last", Long.MAX_VALUE), -1);
            }
        } else {
            add(sums, bind("events").set("first", first()).set("last", firstAfter() - 1), 1);
        }
        var known = new HashSet<>(Arrays.stream(Event.values()).map(Event::name).toList());
        var counts = new ArrayList<EventCount>();
        sums.forEach((key, n) -> {
            // Events of a newer version are none of this one's.
            if (n != 0 && known.contains(key.get(2))) {
                counts.add(new EventCount(key.get(0), key.get(1), Event.valueOf(key.get(2)), n));
            }
        });
        return List.copyOf(counts);
    }

    private static void add(LinkedHashMap<List<String>, Long> sums, Bound events, int sign) throws SQLException {
        events.list(row -> sums.merge(
                List.of(row.getString(1), row.getString(2), row.getString(3)), sign * row.getLong(4), Long::sum));
    }

    public List<TimesDelta> times() throws SQLException {
        var sums = new LinkedHashMap<List<String>, Histogram>();
        if (query.from() == null && query.to() == null) {
            add(sums, bind("times").set("first", Statistics.TOTAL).set("last", Statistics.TOTAL));
        } else {
            if (query.from() == null) {
                add(sums, bind("times").set("first", Statistics.OLDER).set("last", Statistics.OLDER));
            }
            add(sums, bind("times").set("first", first()).set("last", firstAfter() - 1));
        }
        var times = new ArrayList<TimesDelta>();
        sums.forEach((key, histogram) ->
                times.add(new TimesDelta(key.get(0), key.get(1), TimesDelta.Kind.valueOf(key.get(2)), histogram)));
        return List.copyOf(times);
    }

    private static void add(LinkedHashMap<List<String>, Histogram> sums, Bound times) throws SQLException {
        times.list(row -> {
            var sum = sums.computeIfAbsent(
                    List.of(row.getString(1), row.getString(2), row.getString(3)), any -> new Histogram());
            sum.add(Histogram.fromBytes(row.getBytes(4)));
            return sum;
        });
    }

    private Bound bind(String what) throws SQLException {
        return sql.get("statistics-" + what)
                .set("namespace", namespace)
                .set("queue", query.queue())
                .set("type", query.type());
    }

    /** The first slice that has a part in the span. */
    private long first() {
        var from = query.from();
        return from == null ? 0 : Math.max(0, Math.floorDiv(from, StatisticsQuery.SLICE_MILLIS));
    }

    /** The first slice that begins after the span. */
    private long firstAfter() {
        var to = query.to();
        return to == null ? Long.MAX_VALUE : -Math.floorDiv(-to, StatisticsQuery.SLICE_MILLIS);
    }
}
