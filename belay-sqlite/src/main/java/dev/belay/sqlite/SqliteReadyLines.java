package dev.belay.sqlite;

import dev.belay.sql.row.JobRow;
import dev.belay.sql.row.Jobs;
import dev.belay.sql.row.Lines;
import dev.belay.sql.step.Heads;
import dev.belay.sql.step.QueueRow;
import dev.belay.sql.step.ReadyLines;
import dev.belay.sql.step.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lines of ready jobs of a queue, read side by side: each is opened when its head may be needed, and a row is fetched
 * only when it becomes the head.
 */
final class SqliteReadyLines implements ReadyLines {

    private static final int PLACE = JobRow.NEXT_COLUMN;
    private static final int TRUE = JobRow.NEXT_COLUMN + 1;
    private static final int PAYLOAD = JobRow.NEXT_COLUMN + 2;

    private final Tx tx;
    private final List<Line> lines;
    private @Nullable Line current;

    private SqliteReadyLines(Tx tx, List<Line> lines) {
        this.tx = tx;
        this.lines = lines;
    }

    static SqliteReadyLines open(Tx tx, QueueRow queue, Heads heads, boolean suspects) {
        var lines = new ArrayList<Line>();
        var first = suspects ? Lines.SUSPECT : Lines.SOUND;
        var last = suspects ? Lines.SUSPECT + Lines.PRIORITIES : Lines.SUSPECT;
        for (var line = first; line < last; line++) {
            var at = heads.at(line);
            if (at != null) {
                lines.add(new Line(tx, queue.id, line, at));
            }
        }
        return new SqliteReadyLines(tx, lines);
    }

    @Override
    public @Nullable JobRow next(boolean longestWaiting, boolean fragileToo) throws SQLException {
        Line best = null;
        for (var line : lines) {
            if ((fragileToo || !line.isFragile())
                    && !line.isEmpty()
                    && (best == null || line.isBefore(best, longestWaiting))) {
                best = line;
            }
        }
        current = best;
        return best == null ? null : best.head();
    }

    @Override
    public void skip() throws SQLException {
        if (current != null) {
            current.advance();
        }
    }

    @Override
    public boolean isMore() {
        return lines.stream().anyMatch(line -> !line.isEmpty());
    }

    @Override
    public boolean isTrue() throws SQLException {
        return current != null && current.isTrue();
    }

    @Override
    public void takePlaces() throws SQLException {
        for (var line : lines) {
            line.takePlaces();
        }
    }

    @Override
    public byte[] payload(JobRow job) throws SQLException {
        var line = current;
        var inline = line == null ? null : line.payload();
        if (inline != null) {
            return inline;
        }
        var bytes = tx.sql.get("job-payload").set("seq", job.seq).first(row -> row.getBytes(1));
        // A payload without bytes is stored as an empty one, which the driver may answer as null.
        return bytes == null ? new byte[0] : bytes;
    }

    @Override
    public void close() throws SQLException {
        for (var line : lines) {
            line.close();
        }
    }

    /** One line: its rows are opened only when its head alone does not say enough. */
    private static final class Line {
        private final Tx tx;
        private final long queue;
        private final int number;
        private final int priority;
        private long at;
        private @Nullable ResultSet rows;
        private @Nullable JobRow head;
        private boolean empty;
        private long lastJob;
        private long lastAt;

        Line(Tx tx, long queue, int number, long at) {
            this.tx = tx;
            this.queue = queue;
            this.number = number;
            this.priority = number % Lines.PRIORITIES;
            this.at = at;
        }

        boolean isFragile() {
            return number >= Lines.FRAGILE && number < Lines.SUSPECT;
        }

        boolean isEmpty() {
            return empty;
        }

        boolean isBefore(Line other, boolean longestWaiting) throws SQLException {
            if (!longestWaiting && priority != other.priority) {
                return priority < other.priority;
            }
            return at != other.at ? at < other.at : head().seq < other.head().seq;
        }

        JobRow head() throws SQLException {
            if (head == null) {
                open();
            }
            return java.util.Objects.requireNonNull(head, "a line that is not empty has a head");
        }

        void advance() throws SQLException {
            lastJob = head().seq;
            lastAt = at;
            read(java.util.Objects.requireNonNull(rows));
        }

        void takePlaces() throws SQLException {
            close();
            if (lastJob != 0) {
                tx.sql
                        .get("place-take")
                        .set("queue", queue)
                        .set("line", number)
                        .set("at", lastAt)
                        .set("job", lastJob)
                        .update();
            }
        }

        boolean isTrue() throws SQLException {
            return rows != null && rows.getInt(TRUE) != 0;
        }

        byte @Nullable [] payload() throws SQLException {
            return rows == null ? null : rows.getBytes(PAYLOAD);
        }

        void close() throws SQLException {
            if (rows != null) {
                rows.close();
            }
        }

        private void open() throws SQLException {
            var opened = tx.sql
                    .get("line-jobs", number)
                    .set("queue", queue)
                    .set("line", number)
                    .open();
            rows = opened;
            read(opened);
        }

        private void read(ResultSet from) throws SQLException {
            if (from.next()) {
                head = Jobs.complete(tx.sql, JobRow.standing(from));
                at = from.getLong(PLACE);
            } else {
                empty = true;
                head = null;
            }
        }
    }
}
