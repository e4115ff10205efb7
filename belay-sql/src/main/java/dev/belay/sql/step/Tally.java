package dev.belay.sql.step;

import dev.belay.broker.Event;
import dev.belay.broker.StatisticsQuery;
import dev.belay.jdbc.Statements;
import dev.belay.job.JobState;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a transaction adds to the counts: gathered while it runs, and written once before the commit, so that the cost is
 * one of batches and not one of jobs.
 */
public final class Tally {

    /** The slice that holds the sums of all time. */
    static final long TOTAL = -1;

    private final CountedTypes types;
    private final Map<Long, QueueChange> queues = new HashMap<>();
    /** In order of first events: it decides which types are among the first that are counted by name. */
    private final Map<EventKey, long[]> events = new LinkedHashMap<>();

    Tally(CountedTypes types) {
        this.types = types;
    }

    void event(long queue, String type, Event event, long n) {
        events.computeIfAbsent(new EventKey(queue, type, event), key -> new long[1])[0] += n;
    }

    /** Jobs that came to be in a state, or, below 0, that are not any more. */
    void jobs(long queue, JobState state, long n) {
        change(queue).jobs[state.ordinal()] += n;
    }

    void deadBytes(long queue, long n) {
        change(queue).deadBytes += n;
    }

    /** Jobs became ready, or the queue was resumed. */
    void wake(long queue) {
        change(queue).wake = true;
    }

    /** The newest token of a queue. */
    public void token(long queue, long token) {
        change(queue).token = token;
    }

    /** By how much the transaction has changed the number of jobs in a state. */
    long change(long queue, JobState state) {
        var change = queues.get(queue);
        return change == null ? 0 : change.jobs[state.ordinal()];
    }

    /** By how much the transaction has changed the payload bytes of dead letters. */
    long deadBytesChange(long queue) {
        var change = queues.get(queue);
        return change == null ? 0 : change.deadBytes;
    }

    void write(Statements sql, long now) throws SQLException {
        writeQueues(sql);
        writeEvents(sql, now);
    }

    private void writeQueues(Statements sql) throws SQLException {
        for (var entry : queues.entrySet()) {
            var change = entry.getValue();
            sql.get("queue-change")
                    .set("queue", entry.getKey().longValue())
                    .set("token", change.token)
                    .set("scheduled", change.jobs[JobState.SCHEDULED.ordinal()])
                    .set("ready", change.jobs[JobState.READY.ordinal()])
                    .set("running", change.jobs[JobState.RUNNING.ordinal()])
                    .set("succeeded", change.jobs[JobState.SUCCEEDED.ordinal()])
                    .set("dead", change.jobs[JobState.DEAD.ordinal()])
                    .set("cancelled", change.jobs[JobState.CANCELLED.ordinal()])
                    .set("deadBytes", change.deadBytes)
                    .set("wake", change.wake ? 1L : 0L)
                    .later();
        }
    }

    private void writeEvents(Statements sql, long now) throws SQLException {
        if (events.isEmpty()) {
            return;
        }
        var slice = Math.floorDiv(now, StatisticsQuery.SLICE_MILLIS);
        var add = sql.get("event-add");
        for (var entry : events.entrySet()) {
            var key = entry.getKey();
            add.set("queue", key.queue)
                    .set("type", types.counted(sql, key.queue, key.type))
                    .set("event", key.event.name())
                    .set("n", entry.getValue()[0]);
            add.set("slice", slice).add();
            add.set("slice", TOTAL).add();
        }
        add.batchLater();
    }

    private QueueChange change(long queue) {
        return queues.computeIfAbsent(queue, key -> new QueueChange());
    }

    private static final class QueueChange {
        final long[] jobs = new long[JobState.values().length];
        long deadBytes;
        long token;
        boolean wake;
    }

    private record EventKey(long queue, String type, Event event) {}
}
