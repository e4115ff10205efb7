package dev.belay.postgres;

import dev.belay.job.SessionId;
import dev.belay.sql.row.Lines;
import dev.belay.sql.step.Heads;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * From where on lease calls look for the first job of each line. Usually from the very beginning; but while somebody holds
 * a snapshot open, the places of jobs that are long done can't be removed, and each look would have to pass all of them. Once
 * looks take long, those in between begin where the last one found the first job, and only some begin at the beginning: so
 * few that they take one part in fifty of the time, and one a second at most.
 *
 * <p>What comes to stand before a mark is found all the same: who puts it there in this process lowers the mark, those in
 * others tell where they put it with their signal, and where that is lost the next look from the beginning finds it. A
 * transaction that is under way puts nothing before {@link #MARGIN_MILLIS} ago, unless it is a caller's, which tells so.
 *
 * <p>Safe for use by many threads.
 */
final class Watermarks {

    /** Longer than a transaction of the broker waits for a lock, the connection and the server together. */
    private static final long MARGIN_MILLIS = 10_000;

    private static final long MARGIN_NANOS = MARGIN_MILLIS * 1_000_000;

    /** A look that takes no longer than this, in microseconds, is not worth a thought. */
    private static final long SHORT_MICROS = 2_000;

    private static final long BETWEEN_NANOS = 1_000_000_000;
    private static final long ONE_PART_IN = 50;
    private static final int LINES = Lines.UNKNOWN + 1;

    private final LongSupplier nanos;
    private final Map<String, Marks> queues = new ConcurrentHashMap<>();
    private final Map<SessionId, Marks> sessions = new ConcurrentHashMap<>();

    /** @param nanos a clock that only goes forward */
    Watermarks(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Where a lease call of a session looks, by line. */
    Long[] from(SessionId session) {
        var marks = sessions.get(session);
        return marks == null ? beginning() : marks.from(nanos.getAsLong());
    }

    /**
     * A lease call has looked.
     *
     * @param from as it was told by {@link #from}
     * @param now the server's time
     * @param micros how long the look took the server
     */
    void looked(SessionId session, String queue, Long[] from, Heads heads, long now, long micros) {
        var marks = sessions.computeIfAbsent(session, any -> queues.computeIfAbsent(queue, name -> new Marks()));
        marks.looked(from, heads, now, micros, nanos.getAsLong());
    }

    /** A job came to stand there, or at a later place. */
    void lower(String queue, long at) {
        var marks = queues.get(queue);
        if (marks != null) {
            marks.lower(at, nanos.getAsLong());
        }
    }

    /** As {@link #lower(String, long)}, in whichever queue. */
    void lower(long at) {
        queues.values().forEach(marks -> marks.lower(at, nanos.getAsLong()));
    }

    /** A session leases no more. */
    void ended(SessionId session) {
        sessions.remove(session);
    }

    private static Long[] beginning() {
        var from = new Long[LINES];
        Arrays.fill(from, Long.MIN_VALUE);
        return from;
    }

    /** The marks of one queue. */
    private static final class Marks {
        private final Long[] at = beginning();
        private long lowered = Long.MAX_VALUE;
        private long loweredAt;
        private long lastMicros;
        private long micros;
        private long wholeAt;

        synchronized Long[] from(long nanos) {
            if (isShort() || nanos - wholeAt > Math.max(BETWEEN_NANOS, micros * 1_000 * ONE_PART_IN)) {
                // The others go on as before while this one is under way.
                wholeAt = nanos;
                return beginning();
            }
            return at.clone();
        }

        /** The shorter of two: a pause of the machine is no long look. */
        private boolean isShort() {
            return Math.min(lastMicros, micros) <= SHORT_MICROS;
        }

        synchronized void looked(Long[] from, Heads heads, long now, long took, long nanos) {
            if (from[0] == Long.MIN_VALUE) {
                lastMicros = micros;
                micros = took;
                wholeAt = nanos;
            }
            if (nanos - loweredAt > MARGIN_NANOS) {
                // No look that began before is still under way.
                lowered = Long.MAX_VALUE;
            }
            var newest = Math.min(now - MARGIN_MILLIS, lowered);
            for (var line = 0; line < LINES; line++) {
                var head = heads.at(line);
                at[line] = head == null ? newest : Math.min(head, newest);
            }
        }

        synchronized void lower(long to, long nanos) {
            lowered = Math.min(lowered, to);
            loweredAt = nanos;
            for (var line = 0; line < LINES; line++) {
                at[line] = Math.min(at[line], to);
            }
        }
    }
}
