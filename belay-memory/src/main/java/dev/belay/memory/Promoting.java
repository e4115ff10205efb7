package dev.belay.memory;

import dev.belay.broker.Broker.Death;
import dev.belay.broker.PromoteReply;
import dev.belay.job.DeadReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Moves due jobs into line. */
final class Promoting {

    /** As many jobs of unknown types are promoted in one second, so that they never crowd out the others. */
    private static final int UNKNOWN_PER_SECOND = 100;

    private final Store store;
    private final Moves moves;

    Promoting(Store store, Moves moves) {
        this.store = store;
        this.moves = moves;
    }

    PromoteReply promote(String name, Duration interval) {
        var now = store.now();
        var queue = store.knownQueue(name);
        if (queue == null || isTooSoon(queue.lastPromotion, interval, now)) {
            return PromoteReply.TOO_SOON;
        }
        queue.lastPromotion = now;
        var deaths = new ArrayList<Death>();
        var promoted = promoteDue(queue, now, deaths);
        return new PromoteReply(promoted, nextDue(queue, now), List.copyOf(deaths));
    }

    /** Whether a pass at this time follows another, by anyone, within half of its interval. */
    static boolean isTooSoon(@Nullable Long last, Duration interval, long now) {
        // A last pass in the future is none: the clock was set back.
        return last != null && last <= now && (now - last) * 2 < interval.toMillis();
    }

    /** Promotes all that is due, and buries what can't be started any more. */
    int promoteDue(QueueState queue, long now, List<Death> deaths) {
        var promoted = 0;
        for (var job = due(queue.lines.scheduled, now); job != null; job = due(queue.lines.scheduled, now)) {
            promoted += promote(job, deaths, now) ? 1 : 0;
        }
        var recent = queue.unknownPromotions;
        while (!recent.isEmpty() && (recent.element() <= now - 1000 || recent.element() > now)) {
            recent.remove();
        }
        var unknown = queue.lines.scheduledUnknown;
        for (var job = due(unknown, now); job != null && recent.size() < UNKNOWN_PER_SECOND; job = due(unknown, now)) {
            if (promote(job, deaths, now)) {
                promoted++;
                recent.add(now);
            }
        }
        return promoted;
    }

    /** How long until the next scheduled job can be promoted; null where none is scheduled. */
    @Nullable
    Duration nextDue(QueueState queue, long now) {
        var known = Lines.first(queue.lines.scheduled);
        var unknown = Lines.first(queue.lines.scheduledUnknown);
        var slow = queue.unknownPromotions.size() < UNKNOWN_PER_SECOND ? now : queue.unknownPromotions.element() + 1000;
        return Stream.concat(
                        Stream.ofNullable(known).map(job -> job.runAt),
                        Stream.ofNullable(unknown).map(job -> Math.max(slow, job.runAt)))
                .map(at -> Duration.ofMillis(Math.max(0, at - now)))
                .min(Duration::compareTo)
                .orElse(null);
    }

    private boolean promote(StoredJob job, List<Death> deaths, long now) {
        if (moves.isCorrupt(job, now)) {
            deaths.add(Moves.death(job, DeadReason.CORRUPT));
            return false;
        }
        if (job.isExpired(now)) {
            deaths.add(moves.expire(job, now));
            return false;
        }
        // Ready since it was due, not since somebody looked: its place in line does not depend on when that was.
        moves.ready(job, job.runAt);
        return true;
    }

    private static @Nullable StoredJob due(SortedSet<StoredJob> line, long now) {
        var first = Lines.first(line);
        return first != null && first.runAt <= now ? first : null;
    }
}
