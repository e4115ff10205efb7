package dev.belay.memory;

import dev.belay.broker.Event;
import dev.belay.broker.JobEdit;
import dev.belay.broker.Verdict;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.HistoryEntry.Kind;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.NewJob;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a person, or a tool for them, does to one job. Each is written to the audit log in the same step. */
final class JobActions {

    private final Store store;
    private final Moves moves;
    private final Enqueuing enqueuing;

    JobActions(Store store, Moves moves, Enqueuing enqueuing) {
        this.store = store;
        this.moves = moves;
        this.enqueuing = enqueuing;
    }

    Verdict cancel(@Nullable String queue, JobId id, By by) {
        var now = store.now();
        return act(queue, id, now, job -> {
            if (job.state.isFinal()) {
                return wrongState(job);
            }
            audit("cancel", job, by, "was " + job.state, now);
            moves.cancel(job, by, now);
            return applied(job);
        });
    }

    Verdict runNow(@Nullable String queue, JobId id, By by) {
        var now = store.now();
        return act(queue, id, now, job -> {
            if (!job.isScheduled()) {
                return wrongState(job);
            }
            audit("run-now", job, by, null, now);
            moves.note(job, Kind.RUN_NOW, by, null, null, now);
            moves.change(job, () -> job.runAt = now);
            moves.ready(job, now);
            return applied(job);
        });
    }

    Verdict edit(@Nullable String queue, JobId id, JobEdit edit, By by) {
        var now = store.now();
        return act(queue, id, now, job -> {
            if (job.state.isFinal() || (job.isRunning() && edit.runAt() != null)) {
                return wrongState(job);
            }
            var what = describe(edit, now);
            audit("edit", job, by, what, now);
            moves.note(job, Kind.EDITED, by, what, null, now);
            moves.change(job, () -> {
                job.options = edit.priority() == null ? job.options : job.options.withPriority(edit.priority());
                job.options = edit.tags() == null ? job.options : job.options.withTags(edit.tags());
            });
            if (edit.runAt() != null) {
                startAt(job, Math.max(now, edit.runAt().resolve(now)), now);
            }
            return applied(job);
        });
    }

    private void startAt(StoredJob job, long runAt, long now) {
        if (runAt > now) {
            moves.schedule(job, runAt);
        } else if (!job.isReady()) {
            moves.change(job, () -> job.runAt = runAt);
            moves.ready(job, now);
        }
    }

    Verdict replay(@Nullable String queue, JobId id, @Nullable Long onlyIfFinishedBy, By by) {
        var now = store.now();
        return act(queue, id, now, job -> {
            if (!canReplay(job) || job.raw != null || isFinishedAfter(job, onlyIfFinishedBy)) {
                return wrongState(job);
            }
            var holder = enqueuing.holder(job.request, now);
            if (holder != null && !holder.holder().equals(id)) {
                var other = store.job(job.queue(), holder.holder());
                return new Verdict.Conflict(
                        holder.holder(),
                        other == null ? null : other.state,
                        Enqueuing.keyConflict(job.request, holder));
            }
            audit("replay", job, by, "was " + job.state + " " + job.reason, now);
            moves.note(job, Kind.REPLAYED, by, null, null, now);
            moves.count(job, Event.REPLAYED, now);
            moves.change(job, () -> startAnew(job, now));
            if (holder == null && job.key().explicit()) {
                store.queueOf(job).dedup.claim(job.request, job.createdAt);
            }
            store.signals.ready(job.queue());
            return applied(job);
        });
    }

    private static void startAnew(StoredJob job, long now) {
        job.state = JobState.READY;
        job.reason = null;
        job.runAt = now;
        job.readyAt = now;
        job.finishedAt = null;
        job.unknownSince = null;
        job.expiresAt = job.lifetime == null ? null : (Long) (now + job.lifetime);
        job.failures = 0;
        job.crashes = 0;
        job.stepsTaken = 0;
        job.replays++;
    }

    Verdict replace(@Nullable String queue, JobId id, NewJob replacement, By by) {
        store.checkPayload(replacement);
        if (!id.equals(replacement.links().replaces())) {
            throw new InvalidInputException(
                    "replaces",
                    "must be " + id + ", but is " + replacement.links().replaces());
        }
        var now = store.now();
        return act(queue, id, now, job -> {
            if (!canReplay(job)) {
                return wrongState(job);
            }
            if (!replacement.queue().equals(job.queue())) {
                throw new InvalidInputException(
                        "queue",
                        "must be '" + job.queue() + "', the queue of job " + id + ", but is '" + replacement.queue()
                                + "'");
            }
            var holder = enqueuing.holder(replacement, now);
            var heldByOther = holder != null && !holder.holder().equals(id);
            if (heldByOther || store.queueOf(job).jobs.containsKey(replacement.id())) {
                return Objects.requireNonNull(enqueuing.taken(replacement, now));
            }
            audit("replace", job, by, "replaced by " + replacement.id(), now);
            discard(job, now);
            store.queueOf(job).replaced.put(id, new QueueState.Replacement(replacement.id(), now));
            var successor = moves.accept(replacement, now);
            moves.count(successor, Event.REPLAYED, now);
            moves.note(successor, Kind.REPLACED, by, "takes the place of " + id, null, now);
            return applied(successor);
        });
    }

    Verdict discard(@Nullable String queue, JobId id, @Nullable Long onlyIfFinishedBy, By by) {
        var now = store.now();
        return act(queue, id, now, job -> {
            if (!job.state.isFinal() || isFinishedAfter(job, onlyIfFinishedBy)) {
                return wrongState(job);
            }
            var reason = job.reason == null ? "" : " " + job.reason;
            audit("discard", job, by, "type " + job.type() + ", was " + job.state + reason, now);
            discard(job, now);
            return Verdict.APPLIED;
        });
    }

    private void discard(StoredJob job, long now) {
        store.queueOf(job).dedup.free(job);
        moves.remove(job, Event.DISCARDED, now);
    }

    /** Does something to a job, if it is there and can be read by this version. */
    private Verdict act(@Nullable String queue, JobId id, long now, Function<StoredJob, Verdict> action) {
        var job = store.job(queue, id);
        if (job == null) {
            return replacement(queue, id);
        }
        var corrupt = moves.isCorrupt(job, now);
        return job.isNewer() && !corrupt ? wrongState(job) : action.apply(job);
    }

    private Verdict replacement(@Nullable String queue, JobId id) {
        for (var known : store.knownQueues(queue)) {
            var replacement = known.replaced.get(id);
            if (replacement != null) {
                return new Verdict.Replaced(replacement.by());
            }
        }
        return Verdict.MISSING;
    }

    private void audit(String action, StoredJob job, By by, @Nullable String detail, long now) {
        store.audit.add(now, action, job.queue(), job.id(), by, detail);
    }

    private static boolean canReplay(StoredJob job) {
        return job.isDead() || job.state == JobState.CANCELLED;
    }

    private static boolean isFinishedAfter(StoredJob job, @Nullable Long limit) {
        return limit != null && Objects.requireNonNull(job.finishedAt) > limit;
    }

    private static Verdict applied(StoredJob job) {
        return new Verdict.Applied(job.state, job.isDead() ? DeadReason.valueOf(String.valueOf(job.reason)) : null);
    }

    private static Verdict wrongState(StoredJob job) {
        return new Verdict.WrongState(job.state);
    }

    private static String describe(JobEdit edit, long now) {
        var text = new StringBuilder();
        if (edit.priority() != null) {
            text.append(", priority = ").append(edit.priority());
        }
        if (edit.runAt() != null) {
            text.append(", runAt = ")
                    .append(java.time.Instant.ofEpochMilli(edit.runAt().resolve(now)));
        }
        if (edit.tags() != null) {
            text.append(", tags = ").append(edit.tags());
        }
        return text.substring(2);
    }
}
