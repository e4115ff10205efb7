package dev.belay.broker;

import dev.belay.job.Addresses;
import dev.belay.job.DeadReason;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.LeaseId;
import dev.belay.job.Limits;
import dev.belay.job.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;

/**
 * The hot side of a store: accepts jobs, leases them, settles them. Every method is atomic, may block on I/O, is safe
 * for use by many threads, and throws {@link BrokerException} when the call as a whole failed.
 */
public interface Broker extends AutoCloseable {

    /** The namespace where nobody asked for another. */
    String DEFAULT_NAMESPACE = "belay";

    /** As {@link #open(String, String)}, in the namespace {@code belay}. */
    static Broker open(String address) {
        return open(address, DEFAULT_NAMESPACE);
    }

    /**
     * Opens a broker by address: {@code sqlite:belay.db}, {@code postgresql://host/shop}, {@code redis://host:6379/0}, {@code memory:}.
     *
     * @throws InvalidInputException where no broker on the class path answers to the scheme, or the address makes no sense
     * @throws BrokerException where the store can't be opened
     */
    static Broker open(String address, String namespace) {
        Limits.name("namespace", namespace);
        var schemes = new TreeSet<String>();
        for (var provider : ServiceLoader.load(BrokerProvider.class)) {
            schemes.add(provider.scheme());
            if (address.startsWith(provider.scheme() + ":")) {
                return provider.open(address, namespace);
            }
        }
        throw new InvalidInputException(
                "broker",
                "must begin with one of the schemes on the class path, " + schemes + ", but is '"
                        + Addresses.withoutSecrets(address) + "'");
    }

    /** What this broker can and can't do. Constant. */
    Capabilities capabilities();

    /** The namespace that it was opened in. Constant. */
    String namespace();

    /** The settings of the namespace. Cheap to ask: kept in memory, read again from the store every few seconds. */
    NamespaceSettings settings();

    /**
     * Registers a worker with one queue, which makes the queue known. Never re-sent: every try uses a new id. Types that
     * this session is the first to know have their snoozed jobs promoted.
     *
     * @throws BrokerException.Rejected where the session id was used before, or this program is older than the store's
     *     oldest compatible version
     */
    Registration register(SessionSpec session);

    /**
     * Moves the deadlines of a worker's sessions, each to the broker's now plus its lease duration, and clears their
     * marks; drops the commands up to the ones named as seen; stores progress of leases that are still held. Extends,
     * never creates.
     *
     * @return one answer per beat, in order
     */
    List<BeatReply> heartbeat(List<Beat> beats);

    /**
     * Ends sessions at their worker's wish: what they still hold becomes ready at no cost (but a begun job with
     * {@code maxCrashes = 1} is buried as {@code WORKER_LOST}), and later calls by them are refused.
     *
     * @return the jobs that were buried
     */
    List<Death> endSessions(List<SessionId> sessions);

    /**
     * Accepts jobs for one queue, which makes the queue known. Numbered per (client, queue): a call that carries the
     * number of the call before is answered with that call's answers and changes nothing.
     *
     * @return one verdict per job, in order: {@code Applied} (with READY or SCHEDULED), {@code Duplicate}, {@code
     *     Conflict}, or {@code Replaced} where a job that waits has the payload now
     * @throws BrokerException.Rejected where one item is invalid, or the number is below the newest; nothing is stored
     */
    List<Verdict> enqueue(EnqueueCall call);

    /**
     * Leases jobs into the session's in-flight set: first promotes what is due in the queue, then takes by (priority,
     * readyAt); each token that divides by ten goes to the job that has waited longest, whatever its priority. Expired
     * jobs met on the way become DEAD. Nothing is leased from a paused queue.
     */
    LeaseReply lease(LeaseRequest request);

    /**
     * Begins a job with one crash left, right before its handler starts: from now on the end of its session buries it.
     * Sent again, it is answered as before.
     *
     * @return {@code Applied}; {@code Stale} where the lease is not held; {@code Ended}; {@code Busy} where the session
     *     is marked or past its deadline, or, for a suspect, holds anything else
     */
    Verdict begin(LeaseId lease);

    /** Whether each lease is still held, in order. */
    List<Boolean> held(List<LeaseId> leases);

    /**
     * Fences every lease call of the session up to {@code number} (the fence never falls), then tells what it holds.
     */
    ReconcileReply reconcile(SessionId session, long number);

    /**
     * Ends leases. Safe to send again: where the record is kept, the same (token, session) is answered {@code Applied}.
     *
     * @return one verdict per settlement, in order: {@code Applied} with the job's state afterwards (null state where
     *     it was removed at once), or {@code Stale}
     * @throws BrokerException.Rejected where one item is invalid; nothing is applied
     */
    List<Verdict> settle(String queue, List<Settlement> settlements);

    /**
     * Moves due jobs to READY. A pass within half of {@code interval} of the last one, by anyone, does nothing.
     */
    PromoteReply promote(String queue, Duration interval);

    /**
     * One reaper pass over the namespace's sessions: marks, ends, and takes back a bounded batch of the jobs of ended
     * sessions. A pass within half a reap interval of the last one, by anyone, does nothing.
     */
    ReapReply reap();

    /** Removes, in one small batch, what its retention has ended; buries what has expired. Call again while it says so. */
    PruneReply prune();

    /** Adds observed times to the namespace's histograms. */
    void record(List<TimesDelta> times);

    /**
     * Asks to be woken when jobs of a queue may have become ready, or the queue was resumed. A hint: it may come late,
     * twice, for nothing, or not at all. The callback must not block and must not throw. A store that is away is no
     * error: the subscription stands, and begins to hear by itself.
     *
     * @return closing it ends the subscription
     */
    Subscription listen(String queue, Runnable onSignal);

    /** The administrative side of the same store. */
    BrokerAdmin admin();

    /** Small shared values of the same store. */
    Cells cells();

    /** Ends all subscriptions and frees all resources. Idempotent. Later calls throw {@link IllegalStateException}. */
    @Override
    void close();

    /** A subscription to signals. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    /** A job that became a dead letter in a call that was not its settle. */
    record Death(JobId job, String queue, String type, DeadReason reason) {}
}
