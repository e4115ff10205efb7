package dev.belay.sql.step;

import dev.belay.broker.Histogram;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.TimesDelta;
import dev.belay.job.Limits;
import java.sql.SQLException;
import java.util.List;

/** The observed times of a namespace, and the end of old slices. */
public final class Statistics {

    /** The slice that holds the sum of all time. */
    public static final long TOTAL = Tally.TOTAL;

    /** The slice that holds the sum of those no longer kept. */
    public static final long OLDER = -2;

    private final Tx tx;

    public Statistics(Tx tx) {
        this.tx = tx;
    }

    /** Adds observed times. */
    public void record(List<TimesDelta> times) throws SQLException {
        for (var delta : times) {
            Limits.name("queue", delta.queue());
            Limits.name("type", delta.type());
        }
        tx.lock("times");
        var slice = Math.floorDiv(tx.now, StatisticsQuery.SLICE_MILLIS);
        for (var delta : times) {
            var queue = tx.noted(delta.queue());
            var type = tx.namespace.countedTypes().counted(tx.sql, queue.id, delta.type());
            add(queue.id, slice, type, delta.kind().name(), delta.histogram());
            add(queue.id, TOTAL, type, delta.kind().name(), delta.histogram());
        }
    }

    /** Sums up slices that are kept no longer. */
    void prune(QueueRow queue) throws SQLException {
        tx.lock("times");
        var before = Math.floorDiv(
                tx.now - StatisticsQuery.KEPT_MILLIS - StatisticsQuery.SLICE_MILLIS, StatisticsQuery.SLICE_MILLIS);
        tx.sql.get("event-prune").set("queue", queue.id).set("before", before).later();
        var old = tx.sql
                .get("times-prune")
                .set("queue", queue.id)
                .set("before", before)
                .returning(row -> new Old(row.getString(1), row.getString(2), Histogram.fromBytes(row.getBytes(3))));
        for (var times : old) {
            add(queue.id, OLDER, times.type, times.kind, times.histogram);
        }
    }

    private void add(long queue, long slice, String type, String kind, Histogram histogram) throws SQLException {
        var before = tx.sql
                .get("times-find")
                .set("queue", queue)
                .set("slice", slice)
                .set("type", type)
                .set("kind", kind)
                .first(row -> row.getBytes(1));
        var sum = before == null ? new Histogram() : Histogram.fromBytes(before);
        sum.add(histogram);
        tx.sql
                .get("times-save")
                .set("queue", queue)
                .set("slice", slice)
                .set("type", type)
                .set("kind", kind)
                .set("histogram", sum.toBytes())
                .later();
    }

    private record Old(String type, String kind, Histogram histogram) {}
}
