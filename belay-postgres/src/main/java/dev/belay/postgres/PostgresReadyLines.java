package dev.belay.postgres;

import dev.belay.sql.row.JobRow;
import dev.belay.sql.row.Lines;
import dev.belay.sql.step.Heads;
import dev.belay.sql.step.QueueRow;
import dev.belay.sql.step.ReadyLines;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lines of ready jobs of a queue, as far as others have not locked them. A line is opened when its head may be needed:
 * then as many of its places are locked as may be, and their jobs are read.
 */
final class PostgresReadyLines implements ReadyLines {

    private static final int PAYLOAD = JobRow.NEXT_COLUMN;

    private final PostgresTx tx;
    private final QueueRow queue;
    private final List<Line> lines;
    private final List<Place> skipped = new ArrayList<>();
    private int wanted;
    private @Nullable Line current;

    private PostgresReadyLines(PostgresTx tx, QueueRow queue, int wanted) {
        this.tx = tx;
        this.queue = queue;
        this.lines = new ArrayList<>();
        this.wanted = wanted;
    }

    static PostgresReadyLines open(PostgresTx tx, QueueRow queue, Heads heads, boolean suspects, int wanted) {
        var opened = new PostgresReadyLines(tx, queue, wanted);
        var first = suspects ? Lines.SUSPECT : Lines.SOUND;
        var last = suspects ? Lines.SUSPECT + Lines.PRIORITIES : Lines.SUSPECT;
        for (var line = first; line < last; line++) {
            var at = heads.at(line);
            if (at != null) {
                opened.lines.add(opened.new Line(line, at));
            }
        }
        return opened;
    }

    @Override
    public @Nullable JobRow next(boolean longestWaiting, boolean fragileToo) throws SQLException {
        while (true) {
            current = best(longestWaiting, fragileToo);
            if (current == null) {
                return null;
            }
            var head = current.head();
            // What stood first when the heads were read may have been leased by others: then it is another line's turn.
            if (head != null && current.equals(best(longestWaiting, fragileToo))) {
                return head.job;
            }
        }
    }

    private @Nullable Line best(boolean longestWaiting, boolean fragileToo) throws SQLException {
        Line best = null;
        for (var line : lines) {
            if (!line.isEmpty()
                    && (fragileToo || !line.isFragile())
                    && (best == null || line.isBefore(best, longestWaiting))) {
                best = line;
            }
        }
        return best;
    }

    @Override
    public void skip() {
        if (current != null) {
            skipped.add(current.remove());
            wanted = Math.max(1, wanted - 1);
        }
    }

    @Override
    public boolean isMore() {
        return lines.stream().anyMatch(line -> !line.isEmpty());
    }

    @Override
    public boolean isTrue() {
        var head = current == null ? null : current.locked.peek();
        return head != null && head.isTrue;
    }

    @Override
    public byte[] payload(JobRow job) throws SQLException {
        var head = current == null ? null : current.locked.peek();
        if (head != null && head.payload != null) {
            return head.payload;
        }
        var bytes = tx.sql.get("job-payload").set("seq", job.seq).first(row -> row.getBytes(1));
        return bytes == null ? new byte[0] : bytes;
    }

    @Override
    public void takePlaces() throws SQLException {
        if (!skipped.isEmpty()) {
            tx.sql
                    .get("places-take")
                    .setArray("row", "text", skipped.stream().map(Place::row).toArray())
                    .later();
        }
    }

    @Override
    public void close() {}

    /** @param row where the database has it */
    private record Place(long at, long seq, String row) {}

    /** A job whose place is locked. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Ready(JobRow job, Place place, boolean isTrue, byte @Nullable [] payload) {}

    /** One line. */
    private final class Line {
        private final int number;
        private final ArrayDeque<Ready> locked = new ArrayDeque<>();
        private long at;
        private Place last;
        private boolean exhausted;

        Line(int number, long at) {
            this.number = number;
            this.at = at;
            // Behind all that would stand before it: there is nothing, but what was there once may take long to pass.
            this.last = new Place(at, Long.MIN_VALUE, "");
        }

        boolean isFragile() {
            return number >= Lines.FRAGILE && number < Lines.SUSPECT;
        }

        boolean isEmpty() {
            return exhausted && locked.isEmpty();
        }

        /** By what is known of the two heads: of lines that are not open, as they were when the heads were read. */
        boolean isBefore(Line other, boolean longestWaiting) throws SQLException {
            var priority = Integer.compare(number % Lines.PRIORITIES, other.number % Lines.PRIORITIES);
            if (!longestWaiting && priority != 0) {
                return priority < 0;
            }
            return at != other.at ? at < other.at : headSeq() < other.headSeq();
        }

        private long headSeq() throws SQLException {
            var head = head();
            return head == null ? Long.MAX_VALUE : head.job.seq;
        }

        @Nullable
        Ready head() throws SQLException {
            if (locked.isEmpty() && !exhausted) {
                lock();
            }
            var head = locked.peek();
            at = head == null ? Long.MAX_VALUE : head.place.at;
            return head;
        }

        Place remove() {
            var head = locked.remove();
            var next = locked.peek();
            // Behind the last that is locked stands one that is not earlier.
            at = next == null ? head.place.at : next.place.at;
            return head.place;
        }

        private void lock() throws SQLException {
            var places = tx.sql
                    .get("line-lock")
                    .set("queue", queue.id)
                    .set("line", number)
                    .set("at", last.at)
                    .set("job", last.seq)
                    // One more, to know whether there are more.
                    .set("limit", wanted + 1)
                    .list(row -> new Place(row.getLong(2), row.getLong(1), row.getString(3)));
            exhausted = places.size() <= wanted;
            if (places.isEmpty()) {
                return;
            }
            last = places.get(places.size() - 1);
            read(places);
        }

        private void read(List<Place> places) throws SQLException {
            var jobs = new HashMap<Long, JobRow>();
            var payloads = new HashMap<Long, byte[]>();
            tx.sql
                    .get("line-jobs")
                    .setArray("seqs", "bigint", places.stream().map(Place::seq).toArray())
                    .list(row -> {
                        var job = JobRow.standing(row);
                        payloads.put(job.seq, row.getBytes(PAYLOAD));
                        return jobs.put(job.seq, job);
                    });
            tx.complete(jobs);
            for (var place : places) {
                var job = jobs.get(place.seq);
                var isTrue = job != null && job.line == number && job.at == place.at;
                locked.add(new Ready(job == null ? absent(place) : job, place, isTrue, payloads.get(place.seq)));
            }
        }

        /** Stands for the job of a place that has none. */
        private JobRow absent(Place place) {
            var job = new JobRow();
            job.seq = place.seq;
            job.queue = queue.id;
            job.line = number;
            job.at = place.at;
            return job;
        }
    }
}
