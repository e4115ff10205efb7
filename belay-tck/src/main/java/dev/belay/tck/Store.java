package dev.belay.tck;

import dev.belay.broker.Broker;
import dev.belay.job.JobId;
import java.time.Duration;
import java.util.Optional;

/**
 * One store under test, with as many broker objects on it as a test asks for. All of them see one clock, which {@link
 * #advance} moves. Used by one thread, while the broker objects are used by many.
 *
 * <p>The clock is the broker's own with an offset, or one that stands still between two calls of {@link #advance}; it
 * begins near the real time. Suites allow for a running clock: they never expect a time to the millisecond.
 */
public interface Store extends AutoCloseable {

    /** The namespace of {@link #broker} and {@link #secondNode}. */
    String NAMESPACE = "belay";

    /** The first node: always the same object, until {@link #reopen}. */
    Broker broker();

    /**
     * The second node: another broker object on the same store and namespace, as another process would have one, opened
     * by the first call and then always the same, until {@link #reopen}.
     */
    Broker secondNode();

    /** A broker on the same store (where the broker has one) with another namespace; closed with the store. */
    Broker namespace(String name);

    /** Moves the clock of all nodes and namespaces: forward, or, for a negative duration, back. Wakes nobody. */
    void advance(Duration by);

    /**
     * Cuts the connection of {@link #broker}, which connects again by itself, at the latest in its next call: from then
     * on its connection is young. A broker without connections acts as if it had just been opened.
     */
    void breakConnection();

    /**
     * Closes all broker objects as the end of the process would, and opens the same store anew: what was durable is
     * there. Called only where {@link dev.belay.broker.Capabilities#durable} is true; the others need not do more than
     * throw an {@link IllegalStateException}.
     */
    void reopen();

    /**
     * The address by which another process opens the same store, for {@link Broker#open(String, String)} with {@link
     * #NAMESPACE}; empty where no other process can, or the harness does not know how.
     */
    default Optional<String> address() {
        return Optional.empty();
    }

    /**
     * The JDBC URL of the database that the store is in, by which {@link java.sql.DriverManager} opens a connection for a
     * caller of the broker, in this process or another; empty where the store is in none. Such a connection waits long
     * enough for others that write. Where there is one, the broker is a {@link dev.belay.broker.TransactionalBroker}.
     */
    default Optional<String> jdbcUrl() {
        return Optional.empty();
    }

    /** Writes past the broker what a bug, a full disk or a newer version would leave; empty where that can't be done. */
    Optional<Planter> planter();

    /** Closes all broker objects and removes the store. */
    @Override
    void close();

    /** Damages stored jobs. The counts and places in line of the job stay as they are; only its record changes. */
    interface Planter {

        /** Makes the record of a job in {@link #NAMESPACE} unreadable: junk where the broker expects its own format. */
        void corrupt(String queue, JobId job);

        /** Gives the record of a job in {@link #NAMESPACE} the format version {@code Job.FORMAT + 1}. */
        void newer(String queue, JobId job);
    }
}
