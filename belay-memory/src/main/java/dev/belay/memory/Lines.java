package dev.belay.memory;

import dev.belay.job.JobState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ordered lines that the jobs of one queue stand in. Each line says which jobs belong to it, and in which order. */
final class Lines {

    private static final Comparator<StoredJob> BY_WAIT = Comparator.comparingLong(
                    (StoredJob job) -> Objects.requireNonNull(job.readyAt))
            .thenComparingLong(job -> job.order);
    private static final Comparator<StoredJob> BY_PRIORITY =
            Comparator.comparingInt((StoredJob job) -> job.options.priority()).thenComparing(BY_WAIT);
    private static final Comparator<StoredJob> BY_RUN_AT =
            Comparator.comparingLong((StoredJob job) -> job.runAt).thenComparingLong(job -> job.order);
    private static final Comparator<StoredJob> BY_EXPIRY = Comparator.comparingLong(
                    (StoredJob job) -> Objects.requireNonNull(job.expiresAt))
            .thenComparingLong(job -> job.order);
    private static final Comparator<StoredJob> BY_FINISH = Comparator.comparingLong(
                    (StoredJob job) -> Objects.requireNonNull(job.finishedAt))
            .thenComparingLong(job -> job.order);
    private static final Comparator<StoredJob> BY_OWN_RETENTION =
            Comparator.comparingLong(Lines::keptUntil).thenComparingLong(job -> job.order);

    private final List<Line> all = new ArrayList<>();

    /** Ready, with more than one crash left. */
    private final SortedSet<StoredJob> sound = line(BY_PRIORITY, Lines::isSound);

    private final SortedSet<StoredJob> soundByWait = line(BY_WAIT, Lines::isSound);
    /** Ready, never crashed, and yet with one crash left: {@code maxCrashes = 1}. Never prefetched. */
    private final SortedSet<StoredJob> fragile = line(BY_PRIORITY, Lines::isFragile);

    private final SortedSet<StoredJob> fragileByWait = line(BY_WAIT, Lines::isFragile);

    /** Ready, crashed before, one crash left: leased alone. */
    final SortedSet<StoredJob> suspects = line(BY_PRIORITY, job -> job.isReady() && job.isSuspect());
    /** Not yet due, of types that somebody knows or nobody asked for yet. */
    final SortedSet<StoredJob> scheduled = line(BY_RUN_AT, job -> job.isScheduled() && job.unknownSince == null);
    /** Not yet due, put off because a worker did not know the type: promoted slowly. */
    final SortedSet<StoredJob> scheduledUnknown = line(BY_RUN_AT, job -> job.isScheduled() && job.unknownSince != null);
    /** Waiting, and not to be started any more after some time. */
    final SortedSet<StoredJob> expiring = line(BY_EXPIRY, job -> job.isWaiting() && job.expiresAt != null);
    /** Succeeded and cancelled. */
    final SortedSet<StoredJob> finished = line(BY_FINISH, Lines::isFinished);

    final SortedSet<StoredJob> finishedByQueue =
            line(BY_FINISH, job -> isFinished(job) && job.options.retention() == null);
    final SortedSet<StoredJob> finishedByOwn =
            line(BY_OWN_RETENTION, job -> isFinished(job) && job.options.retention() != null);
    final SortedSet<StoredJob> dead = line(BY_FINISH, StoredJob::isDead);

    private long deadBytes;

    void enter(StoredJob job) {
        all.forEach(line -> line.enter(job));
        deadBytes += job.isDead() ? job.request.payload().size() : 0;
    }

    void leave(StoredJob job) {
        all.forEach(line -> line.leave(job));
        deadBytes -= job.isDead() ? job.request.payload().size() : 0;
    }

    /** The payload bytes of all dead letters. */
    long deadBytes() {
        return deadBytes;
    }

    /** When a job with a retention of its own may be removed. */
    static long keptUntil(StoredJob job) {
        return Objects.requireNonNull(job.finishedAt)
                + Objects.requireNonNull(job.options.retention()).toMillis();
    }

    boolean hasReady() {
        return !sound.isEmpty() || !fragile.isEmpty();
    }

    /**
     * The next ready job that is no suspect.
     *
     * @param longestWaiting whether the one that has waited longest is next, whatever its priority
     * @param fragileToo whether it may be one with one crash left
     */
    @Nullable
    StoredJob next(boolean longestWaiting, boolean fragileToo) {
        var order = longestWaiting ? BY_WAIT : BY_PRIORITY;
        var one = first(longestWaiting ? soundByWait : sound);
        var other = fragileToo ? first(longestWaiting ? fragileByWait : fragile) : null;
        return one == null || (other != null && order.compare(other, one) < 0) ? other : one;
    }

    /** When the longest waiting ready job became ready; null where none is. */
    @Nullable
    Long oldestReadyAt() {
        var heads = new ArrayList<>(suspects);
        Stream.of(soundByWait, fragileByWait).filter(line -> !line.isEmpty()).forEach(line -> heads.add(line.first()));
        return heads.isEmpty() ? null : Collections.min(heads, BY_WAIT).readyAt;
    }

    static @Nullable StoredJob first(SortedSet<StoredJob> line) {
        return line.isEmpty() ? null : line.first();
    }

    private static boolean isSound(StoredJob job) {
        return job.isReady() && !job.hasOneCrashLeft();
    }

    private static boolean isFragile(StoredJob job) {
        return job.isReady() && job.hasOneCrashLeft() && !job.isSuspect();
    }

    private static boolean isFinished(StoredJob job) {
        return job.state == JobState.SUCCEEDED || job.state == JobState.CANCELLED;
    }

    private SortedSet<StoredJob> line(Comparator<StoredJob> order, Predicate<StoredJob> belongs) {
        var line = new Line(new TreeSet<>(order), belongs);
        all.add(line);
        return line.jobs;
    }

    private record Line(SortedSet<StoredJob> jobs, Predicate<StoredJob> belongs) {
        void enter(StoredJob job) {
            if (belongs.test(job)) {
                jobs.add(job);
            }
        }

        void leave(StoredJob job) {
            if (belongs.test(job)) {
                jobs.remove(job);
            }
        }
    }
}
