package dev.belay.broker;

import dev.belay.job.InvalidInputException;
import dev.belay.job.NewJob;
import dev.belay.job.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * A broker in a relational database, that can work within a transaction of its caller: optional. What it does there
 * happens if and only if the caller commits; nobody else sees it before. It begins, commits and rolls back nothing, and
 * leaves the connection as it found it, without open statements. What it notes in memory must be true whatever becomes of
 * the transaction, also where a savepoint is rolled back.
 *
 * <p>A connection is used by one thread at a time, its caller's. An {@link SQLException} is what the database said: then,
 * and after any other exception, nothing of the call is left in the transaction, also where the caller goes on and commits;
 * some databases let it do no more than roll back.
 */
public interface TransactionalBroker extends Broker {

    /**
     * Whether a connection is one to the database that this broker's store is in. Cheap enough to be asked for each call.
     *
     * @param connection of any database, any driver, any pool; open
     * @throws SQLException what the database said
     */
    boolean owns(Connection connection) throws SQLException;

    /**
     * Accepts jobs for one queue within the caller's transaction; makes the queue known with its commit. Not numbered: the
     * caller's commit says whether it was done. Those who wait for the queue are woken at or after the commit where the
     * database can tell them, and find the jobs at their next look where it can't.
     *
     * @param connection that this broker {@link #owns}, in a transaction (auto-commit off)
     * @param queue of all the jobs
     * @param jobs 1 to 10,000
     * @return one verdict per job, in order, as for {@link Broker#enqueue}; jobs and keys of this same transaction count
     * @throws InvalidInputException where the connection is in no transaction, or one item is invalid; nothing is written
     * @throws SQLException what the database said
     */
    List<Verdict> enqueueIn(Connection connection, String queue, List<NewJob> jobs) throws SQLException;

    /**
     * Completes a delivery within the caller's transaction, with result, follow-up jobs and progress. After the commit
     * {@link Broker#held} says that its lease is not held any more; after a rollback it is, as before.
     *
     * @param connection that this broker {@link #owns}, in a transaction (auto-commit off)
     * @param settlement its outcome is {@link Outcome.Complete}
     * @return {@code Applied} with the job's state afterwards (null state where it is removed at once), or {@code Stale} where
     *     (token, session) does not hold the job, and then nothing is written
     * @throws InvalidInputException where the connection is in no transaction, or the settlement is invalid; nothing is written
     * @throws SQLException what the database said
     */
    Verdict completeIn(Connection connection, Settlement settlement) throws SQLException;

    /**
     * For implementations: refuses a connection that commits each statement by itself.
     *
     * @throws InvalidInputException where it is in auto-commit mode
     */
    static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new InvalidInputException(
                    "connection",
                    "must be in a transaction, but is in auto-commit mode, where each statement commits by itself and nothing"
                            + " would be tied to anything: call connection.setAutoCommit(false) first, and commit() at the"
                            + " end");
        }
    }

    /**
     * For implementations: refuses a settlement that is no completion.
     *
     * @throws InvalidInputException where its outcome is another
     */
    static void requireComplete(Settlement settlement) {
        if (!(settlement.outcome() instanceof Outcome.Complete)) {
            throw new InvalidInputException(
                    "outcome",
                    "must be 'complete' within a transaction of the caller, but is '"
                            + settlement.outcome().name() + "': settle it with settle(…)");
        }
    }
}
