package dev.belay.memory;

import dev.belay.broker.Broker.Death;
import dev.belay.broker.Command;
import dev.belay.broker.Event;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.HistoryEntry;
import dev.belay.job.HistoryEntry.Kind;
import dev.belay.job.JobError;
import dev.belay.job.JobState;
import dev.belay.job.Moment;
import dev.belay.job.NewJob;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The steps that bring a job from one state to another, shared by the calls. What counts them is beside each step. */
final class Moves {

    private static final By ENQUEUE = By.of("enqueue");

    private final Store store;

    Moves(Store store) {
        this.store = store;
    }

    StoredJob accept(NewJob request, long now) {
        var job = store.add(request, now);
        if (request.key().explicit()) {
            store.queueOf(job).dedup.claim(request, now);
        }
        count(job, Event.ACCEPTED, now);
        if (job.isReady()) {
            store.signals.ready(job.queue());
        }
        return job;
    }

    /** Gives a job that waits the payload of another request with its key. Its place in line and its time stay. */
    void replacePayload(StoredJob job, NewJob by, long now) {
        note(
                job,
                Kind.REPLACED,
                ENQUEUE,
                "the payload with fingerprint " + job.key().fingerprint() + " became one with fingerprint "
                        + by.key().fingerprint(),
                null,
                now);
        var version = job.typeVersion();
        change(job, () -> {
            job.request = job.request.carrying(by);
            if (!job.typeVersion().equals(version)) {
                // Nobody has refused this version.
                job.unknownSince = null;
            }
        });
        store.queueOf(job).dedup.replaced(job);
    }

    void lease(StoredJob job, SessionState session, long token, long now) {
        change(job, () -> {
            job.state = JobState.RUNNING;
            job.token = token;
            job.session = session;
            job.leasedAt = now;
            job.begunAt = null;
            job.deliveries++;
        });
        session.inFlight.put(job.id(), job);
        count(job, Event.LEASED, now);
    }

    /** Into line, at the place that it has by {@code readyAt}. */
    void ready(StoredJob job, long readyAt) {
        change(job, () -> {
            detach(job);
            job.state = JobState.READY;
            job.readyAt = readyAt;
        });
        store.signals.ready(job.queue());
    }

    void schedule(StoredJob job, long runAt) {
        change(job, () -> {
            detach(job);
            job.state = JobState.SCHEDULED;
            job.runAt = runAt;
            job.readyAt = null;
        });
    }

    /** Scheduled after a wait, or ready where there is none. */
    void after(StoredJob job, Duration delay, long now) {
        var runAt = new Moment.After(delay).resolve(now);
        if (runAt > now) {
            schedule(job, runAt);
        } else {
            change(job, () -> job.runAt = now);
            ready(job, now);
        }
    }

    void succeed(StoredJob job, byte @Nullable [] result, long now) {
        count(job, Event.SUCCEEDED, now);
        change(job, () -> job.unknownSince = null);
        finish(job, JobState.SUCCEEDED, null, now);
        job.result = result;
    }

    void cancel(StoredJob job, By by, long now) {
        note(job, Kind.CANCELLED, by, null, null, now);
        count(job, job.isRunning() ? Event.CANCELLED_RUNNING : Event.CANCELLED_WAITING, now);
        revoke(job);
        finish(job, JobState.CANCELLED, reason(by), now);
        store.queueOf(job).dedup.free(job);
    }

    /** Into the dead letters. The caller has counted how the delivery ended, if there was one. */
    void bury(StoredJob job, DeadReason reason, long now) {
        note(
                job,
                reason == DeadReason.EXPIRED && job.isWaiting() ? Kind.EXPIRED : Kind.BURIED,
                null,
                reason.name(),
                null,
                now);
        count(job, Event.DEAD, now);
        finish(job, JobState.DEAD, reason.name(), now);
    }

    /** A waiting job that may not be started any more. */
    Death expire(StoredJob job, long now) {
        count(job, Event.EXPIRED, now);
        bury(job, DeadReason.EXPIRED, now);
        return death(job, DeadReason.EXPIRED);
    }

    void countCrash(StoredJob job, long now) {
        note(job, Kind.CRASHED, null, null, null, now);
        count(job, Event.CRASHED, now);
        change(job, () -> job.crashes++);
    }

    /** A begun job whose last crash this was. */
    Death buryAsLost(StoredJob job, long now) {
        countCrash(job, now);
        bury(job, DeadReason.WORKER_LOST, now);
        return death(job, DeadReason.WORKER_LOST);
    }

    /** Whether the record can't be read; if so, the job is a dead letter from now on. */
    boolean isCorrupt(StoredJob job, long now) {
        if (job.raw == null) {
            return false;
        }
        if (job.isDead()) {
            change(job, () -> job.reason = DeadReason.CORRUPT.name());
        } else {
            if (job.isRunning()) {
                count(job, Event.BURIED, now);
                revoke(job);
            }
            bury(job, DeadReason.CORRUPT, now);
        }
        return true;
    }

    void remove(StoredJob job, Event why, long now) {
        count(job, why, now);
        store.remove(job);
    }

    void count(StoredJob job, Event event, long now) {
        store.statistics(job.queue()).count(job, event, now);
    }

    void note(StoredJob job, Kind kind, @Nullable By by, @Nullable String detail, @Nullable JobError error, long now) {
        var session = job.session;
        job.history.add(new HistoryEntry(
                now,
                kind,
                job.attempt(),
                session == null ? 0 : job.token,
                session == null ? null : session.spec.worker(),
                by,
                detail,
                error));
    }

    void change(StoredJob job, Runnable change) {
        store.queueOf(job).change(job, change);
    }

    static Death death(StoredJob job, DeadReason reason) {
        return new Death(job.id(), job.queue(), job.type(), reason);
    }

    private void finish(StoredJob job, JobState state, @Nullable String reason, long now) {
        change(job, () -> {
            detach(job);
            job.state = state;
            job.reason = reason;
            job.finishedAt = now;
        });
    }

    private static String reason(By by) {
        var why = by.why();
        return why == null ? by.who() : why;
    }

    private static void revoke(StoredJob job) {
        var session = job.session;
        if (session != null) {
            session.tell(number -> new Command.LeaseRevoked(number, job.id(), job.token));
        }
    }

    private static void detach(StoredJob job) {
        if (job.session != null) {
            job.session.inFlight.remove(job.id());
        }
        job.session = null;
        job.leasedAt = null;
        job.begunAt = null;
    }
}
