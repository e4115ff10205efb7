package dev.belay.once;

import dev.belay.job.JobId;
import dev.belay.job.NewJob;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * A table of the caller's database in which jobs wait to be enqueued: they are there if and only if the caller's transaction
 * commits. A relay moves them to the broker. Thread-safe.
 */
public interface Outbox extends AutoCloseable {

    /**
     * Writes jobs, within the caller's transaction; commits nothing.
     *
     * @param namespace of the broker that they are for
     * @throws SQLException what the database said: the caller's transaction is in the state that its database leaves it in
     */
    void add(Connection connection, String namespace, List<NewJob> jobs) throws SQLException;

    /**
     * As {@link #add}, unless the job's key is recorded already: key and job are written in one step, so a crash leaves both or
     * neither. The key is remembered for good, also when the job has gone, until a person releases it.
     *
     * @param job with an explicit key
     * @return the job that has the key: this one, or the one that was first
     * @throws dev.belay.handler.IdempotencyConflictException where the key is taken by another payload
     */
    JobId addOnce(Connection connection, String namespace, NewJob job) throws SQLException;

    /**
     * As {@link #addOnce(Connection, String, NewJob)}, in a transaction of its own.
     *
     * @throws LedgerException where the outbox's database can't be asked
     */
    JobId addOnce(String namespace, NewJob job);

    /**
     * Moves one batch to the broker. Several relays may work on one outbox: no job is lost or doubled, whichever of them is
     * killed.
     *
     * @param target where the jobs go
     * @return how long to wait before the next batch
     * @throws LedgerException where the outbox's database can't be asked
     */
    Duration relay(Target target);

    @Override
    void close();

    /** Where a relay moves jobs to. */
    interface Target {

        /** The namespace of the broker: only jobs for it are moved. */
        String namespace();

        /** How long the broker remembers an explicit key at least. */
        Duration dedupWindow();

        /**
         * Enqueues jobs of one queue, each with an explicit key.
         *
         * @return in order, what is wrong with a job; empty where it was accepted, now or before
         * @throws NotSentException where none of them was
         * @throws RuntimeException where it is not known whether they were: they are sent again
         */
        List<String> enqueue(String queue, List<NewJob> jobs);
    }

    /** The target can't be reached: nothing was enqueued. */
    final class NotSentException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public NotSentException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
