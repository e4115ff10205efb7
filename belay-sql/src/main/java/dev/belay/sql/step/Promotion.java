package dev.belay.sql.step;

import dev.belay.broker.Broker.Death;
import dev.belay.broker.PromoteReply;
import dev.belay.job.DeadReason;
import dev.belay.job.JobState;
import dev.belay.sql.row.JobRow;
import dev.belay.sql.row.Lines;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Moves due jobs of a queue into line, and buries what can't be started any more. */
public final class Promotion {

    /** As many jobs are promoted by one step: the rest is due at once, so the next step comes at once. */
    private static final int BATCH = 1000;

    /** As many jobs of unknown types are promoted in one second, so that they never crowd out the others. */
    private static final int UNKNOWN_PER_SECOND = 100;

    private static final long SECOND = 1000;

    private final Tx tx;
    private final QueueRow queue;
    private final Moves moves;
    private long windowAt;
    private int windowCount;
    private int promoted;
    private @Nullable Heads heads;

    Promotion(Tx tx, QueueRow queue) {
        this.tx = tx;
        this.queue = queue;
        this.moves = new Moves(tx);
        var last = queue.unknownWindowAt;
        var current = last != null && last <= tx.now && tx.now - last < SECOND;
        this.windowAt = current && last != null ? last : tx.now;
        this.windowCount = current ? queue.unknownPromoted : 0;
    }

    /** A pass of its own; one within half of the interval of the last does nothing. */
    public static PromoteReply run(Tx tx, String name, Duration interval) throws SQLException {
        var queue = tx.knownQueue(name);
        if (queue == null || isTooSoon(queue.lastPromotionAt, interval, tx.now)) {
            return PromoteReply.TOO_SOON;
        }
        var promotion = new Promotion(tx, queue);
        var deaths = new ArrayList<Death>();
        promotion.run(deaths);
        promotion.note(tx.now);
        return new PromoteReply(promotion.promoted, promotion.nextDue(promotion.heads()), List.copyOf(deaths));
    }

    /** Whether a pass at this time follows another, by anyone, within half of its interval. */
    static boolean isTooSoon(@Nullable Long last, Duration interval, long now) {
        // A last pass in the future is none: the clock was set back.
        return last != null && last <= now && (now - last) * 2 < interval.toMillis();
    }

    /** Promotes what is due. */
    void run(List<Death> deaths) throws SQLException {
        tx.placeAccepted();
        heads = tx.heads(queue);
        var known = promote(Lines.SCHEDULED, BATCH, deaths);
        var unknown = promote(Lines.UNKNOWN, UNKNOWN_PER_SECOND - windowCount, deaths);
        promoted = known + unknown;
        if (unknown > 0) {
            windowCount += unknown;
            note(queue.lastPromotionAt);
        }
        if (promoted > 0 || !deaths.isEmpty()) {
            heads = tx.heads(queue);
        }
    }

    /** The lines as they stand after {@link #run}. */
    Heads heads() {
        return java.util.Objects.requireNonNull(heads, "promoted");
    }

    /** How long until the next scheduled job can be promoted; null where none is scheduled. */
    @Nullable
    Duration nextDue(Heads at) {
        var slow = windowCount < UNKNOWN_PER_SECOND ? tx.now : windowAt + SECOND;
        return Stream.concat(
                        Stream.ofNullable(at.at(Lines.SCHEDULED)),
                        Stream.ofNullable(at.at(Lines.UNKNOWN)).map(due -> Math.max(due, slow)))
                .map(due -> Duration.ofMillis(Math.max(0, due - tx.now)))
                .min(Duration::compareTo)
                .orElse(null);
    }

    private int promote(int line, int atMost, List<Death> deaths) throws SQLException {
        var head = heads().at(line);
        if (head == null || head > tx.now || atMost <= 0) {
            return 0;
        }
        var due = tx.standing(tx.sql
                .get("line-due")
                .set("queue", queue.id)
                .set("line", line)
                .set("now", tx.now)
                .set("limit", atMost));
        var startable = new ArrayList<JobRow>();
        for (var job : due) {
            if (moves.isCorrupt(job, null)) {
                deaths.add(Moves.death(queue, job, DeadReason.CORRUPT));
                moves.save(job);
            } else if (job.isExpired(tx.now)) {
                deaths.add(moves.expire(queue, job));
                moves.save(job);
            } else {
                startable.add(job);
            }
        }
        moveToReady(startable, line);
        var taken = startable.size();
        if (taken > 0) {
            tx.tally.jobs(queue.id, JobState.SCHEDULED, -taken);
            tx.tally.jobs(queue.id, JobState.READY, taken);
            tx.ready(queue);
        }
        return taken;
    }

    private void moveToReady(List<JobRow> jobs, int from) throws SQLException {
        var take = tx.sql.get("promote-take");
        var remove = tx.sql.get("place-remove").set("queue", queue.id).set("line", from);
        var place = tx.sql.get("place-add").set("queue", queue.id);
        for (var job : jobs) {
            tx.stands(queue.id, job.runAt);
            take.set("seq", job.seq).set("line", job.readyLine()).add();
            remove.set("at", job.at).set("job", job.seq).add();
            place.set("line", job.readyLine())
                    .set("at", job.runAt)
                    .set("job", job.seq)
                    .add();
        }
        take.batchLater();
        remove.batchLater();
        place.batchLater();
    }

    private void note(@Nullable Long lastPromotion) throws SQLException {
        tx.sql
                .get("queue-promoted")
                .set("queue", queue.id)
                .set("now", lastPromotion)
                .set("windowAt", windowAt)
                .set("promoted", windowCount)
                .later();
        queue.lastPromotionAt = lastPromotion;
        queue.unknownWindowAt = windowAt;
        queue.unknownPromoted = windowCount;
    }
}
