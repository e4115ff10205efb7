package dev.belay.memory;

import dev.belay.job.IdempotencyKey;
import dev.belay.job.Job;
import dev.belay.job.JobCounts;
import dev.belay.job.JobError;
import dev.belay.job.JobId;
import dev.belay.job.JobOptions;
import dev.belay.job.JobState;
import dev.belay.job.JobTimes;
import dev.belay.job.LastSettled;
import dev.belay.job.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * The record of a job. What decides a job's places in line (state, priority, times, crashes, unknownSince, the payload's
 * version) is changed only inside {@link QueueState#change}.
 */
final class StoredJob {

    /** Acceptance order over the whole store: the last word in every line. */
    final long order;

    /** With the payload that it has now. */
    NewJob request;

    final long createdAt;
    /** From acceptance to expiry, for the new expiry of a replay; null where it never expires. */
    final @Nullable Long lifetime;

    final History history = new History();

    JobOptions options;
    JobState state;

    @Nullable
    String reason;

    long runAt;

    @Nullable
    Long readyAt;

    @Nullable
    Long expiresAt;

    @Nullable
    Long leasedAt;

    @Nullable
    Long begunAt;

    @Nullable
    Long finishedAt;

    @Nullable
    Long unknownSince;

    int failures;
    int crashes;
    int stepsTaken;
    int deliveries;
    int snoozes;
    int releases;
    int replays;

    long token;

    @Nullable
    SessionState session;

    @Nullable
    LastSettled lastSettled;

    @Nullable
    JobError lastError;

    @Nullable
    String progress;

    byte @Nullable [] result;

    int format = Job.FORMAT;
    /** Set where the record can't be read: what stands in its place. */
    byte @Nullable [] raw;

    StoredJob(long order, NewJob request, long now) {
        this.order = order;
        this.request = request;
        this.options = request.options();
        this.createdAt = now;
        // One that is past means now: nobody can have waited from before the acceptance.
        this.runAt = Math.max(now, request.start().resolve(now));
        var expiry = request.expiry();
        this.expiresAt = expiry == null ? null : (Long) expiry.resolve(now);
        this.lifetime = expiresAt == null ? null : (Long) (expiresAt - now);
        this.state = runAt <= now ? JobState.READY : JobState.SCHEDULED;
        this.readyAt = state == JobState.READY ? (Long) now : null;
    }

    JobId id() {
        return request.id();
    }

    String queue() {
        return request.queue();
    }

    String type() {
        return request.type();
    }

    IdempotencyKey key() {
        return request.key();
    }

    TypeVersion typeVersion() {
        return new TypeVersion(request.type(), request.payload().schemaVersion());
    }

    boolean isReady() {
        return state == JobState.READY;
    }

    boolean isScheduled() {
        return state == JobState.SCHEDULED;
    }

    boolean isWaiting() {
        return isReady() || isScheduled();
    }

    /** Whether it may still be started, and has not been. */
    boolean isToStart(long now) {
        return isWaiting() && !isExpired(now);
    }

    boolean isRunning() {
        return state == JobState.RUNNING;
    }

    boolean isDead() {
        return state == JobState.DEAD;
    }

    boolean isNewer() {
        return format > Job.FORMAT;
    }

    boolean isExpired(long now) {
        return expiresAt != null && expiresAt <= now;
    }

    boolean hasOneCrashLeft() {
        return crashes + 1 >= options.maxCrashes();
    }

    boolean isSuspect() {
        return crashes >= 1 && hasOneCrashLeft();
    }

    int attempt() {
        return failures + 1;
    }

    /** The job as the SPI shows it. */
    Job view() {
        var payload = request.payload();
        return new Job(
                id(),
                queue(),
                type(),
                payload.encoding(),
                payload.schemaVersion(),
                payload.size(),
                key(),
                options,
                state,
                reason,
                new JobTimes(createdAt, runAt, readyAt, expiresAt, leasedAt, begunAt, finishedAt, unknownSince),
                new JobCounts(failures, crashes, stepsTaken, deliveries, snoozes, releases, replays),
                token,
                session == null ? null : session.id(),
                lastSettled,
                lastError,
                progress,
                request.links(),
                history.count(),
                format);
    }
}
