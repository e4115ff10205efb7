package dev.belay.handler;

import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobRequest;
import dev.belay.once.Effect;
import dev.belay.once.EffectCall;
import dev.belay.once.EffectException;
import dev.belay.once.SqlCall;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One delivery, as its handler sees it. Safe for use by the threads of that delivery, until the handler returns; what is
 * said afterwards is ignored.
 */
public interface JobContext {

    /** The job, as it stood when it was leased. */
    Job job();

    /** Failures + 1. */
    int attempt();

    /** The number of this delivery in the job's life, from 1: failures, crashes, snoozes and releases included. */
    int delivery();

    /** The fencing token of this delivery: grows with each delivery. */
    long token();

    /** What makes effects outside recognisable: the same through every retry and replay. */
    String idempotencyKey();

    /** Whether this delivery is over because its lease was taken back, or the job cancelled. Stop: nothing you say counts. */
    boolean leaseLost();

    /** Whether heartbeats have not been answered for so long that the lease may be lost. */
    boolean leaseUncertain();

    /**
     * Runs {@code callback} once when the lease is lost (at once, if it already is), before the handler is interrupted. It
     * must not block.
     */
    void onLeaseLost(Runnable callback);

    /** Whether the worker is stopping: finish soon; at the end of the drain the handler is interrupted. */
    boolean stopRequested();

    /** Tells how far the work is: at most 4 KiB of UTF-8. Kept by heartbeat and settle, readable by the next delivery. */
    void progress(String text);

    /** What the last delivery (or this one) told; null where none did. */
    @Nullable
    String progress();

    /**
     * The result that is stored with success: encoded by the payload codec, at most 64 KiB.
     *
     * @throws IllegalStateException after {@link #completeIn}
     */
    void result(Object value);

    /**
     * A job that is stored in the same step as this one's success. Its parent is this job.
     *
     * @throws IllegalStateException after {@link #completeIn}
     */
    JobId followUp(JobRequest<?> request);

    /**
     * Makes an effect outside once for its key: reserves the key, calls, records the result. A later delivery, or any other
     * job with that key, gets the recorded result without a call. After a crash or a failure it is called again, with the
     * same key, by one delivery at a time. While another one is making it, this delivery is put off at no cost.
     *
     * @return what the call answered, now or then; null where that was null
     * @throws EffectException where it must not be made; in a handler it is meant to be let through
     * @throws IllegalStateException where the worker has no ledger
     * @throws Exception what the call threw
     */
    <R> R once(Effect<R> effect, EffectCall<R> call) throws Exception;

    /**
     * As {@link #once}, for an effect in the ledger's own database: effect and record commit together, so it happens exactly
     * once.
     */
    <R> R onceInTransaction(Effect<R> effect, SqlCall<R> call) throws Exception;

    /** As {@link #onceInTransaction(Effect, SqlCall)}, once for this job's own idempotency key. */
    <R> R onceInTransaction(Class<R> resultClass, SqlCall<R> call) throws Exception;

    /**
     * A step of this job: once it has returned, its result is kept, and a later delivery of this job gets it without a call.
     * One that crashed or failed is called again.
     *
     * @param name 1 to 200 characters, unique within the job
     * @return what the call answered, now or then; null where that was null
     */
    <R> R step(String name, Class<R> resultClass, Callable<R> call) throws Exception;

    /**
     * Completes the job within a transaction of the handler's own: its writes and the success commit together, with result,
     * follow-up jobs and progress as told so far. For a broker whose store is in the database of that connection. Call it
     * last, commit (or roll back), then return: the transaction ends before the handler returns.
     *
     * <p>After a commit the job has succeeded, also if the handler throws then. After a rollback (to a savepoint too) the
     * delivery is a failure, {@code COMPLETION_ROLLED_BACK}, if the handler returns normally; if it throws, what that
     * means; and it may try once more. Result and follow-ups can't be told any more once this has returned.
     *
     * @param connection in a transaction (auto-commit off), to the database of the broker
     * @throws EffectException.Lost where the lease was lost, or the job cancelled: nothing was written, so roll back
     * @throws dev.belay.job.InvalidInputException where the connection is in auto-commit mode, or something told is invalid;
     *     nothing was written
     * @throws IllegalStateException where the connection is not one to the broker's database
     * @throws SQLException what the database said; nothing of this call is left in the transaction
     */
    void completeIn(Connection connection) throws SQLException;

    /** As {@link #completeIn(Connection)}, with a {@link #result}. */
    void completeIn(Connection connection, Object result) throws SQLException;

    /** To be thrown: put off at no cost. */
    JobSignal.Snooze snooze(Duration delay);

    /** To be thrown: failed, and to be tried again after what was asked for, plus up to 10 %. */
    JobSignal.RetryAfter retryAfter(Duration delay, String why);

    /** To be thrown: never to be tried again unless someone replays it. */
    JobSignal.Bury bury(String why);
}
