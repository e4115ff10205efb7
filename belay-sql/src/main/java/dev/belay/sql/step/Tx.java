package dev.belay.sql.step;

import dev.belay.broker.BrokerException;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.QueueSettings;
import dev.belay.jdbc.Bound;
import dev.belay.jdbc.Statements;
import dev.belay.job.Limits;
import dev.belay.job.NewJob;
import dev.belay.job.SessionId;
import dev.belay.sql.row.JobRow;
import dev.belay.sql.row.Jobs;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One transaction that changes the store: the time, the statements, what was read already, and what is written at its end.
 * Each broker has its own: what it does in another way than others, and which locks it takes. Used by one thread.
 */
public abstract class Tx {

    public final Statements sql;
    /** The broker's clock, read once. */
    public final long now;

    public final Namespace namespace;
    protected final Tally tally;

    private final Leased leased;
    private final boolean guest;

    private final Map<String, QueueRow> queues = new HashMap<>();
    private final Map<SessionId, @Nullable SessionRow> sessions = new HashMap<>();
    private final Map<String, Boolean> signals = new LinkedHashMap<>();
    private @Nullable NamespaceSettings settings;

    /**
     * @param now the broker's clock
     * @param guest whether a caller ends the transaction around the work, on any thread: then nothing that it finds is noted
     *     beside the store, since the caller may undo it, and may see the store as it was. {@link #beforeCommit} is run then
     *     at the end of the work, and {@link #afterCommit} never
     */
    protected Tx(Statements sql, Namespace namespace, long now, boolean guest) {
        this.sql = sql;
        this.namespace = namespace;
        this.now = now;
        this.guest = guest;
        this.leased = guest ? new Leased() : namespace.leased();
        this.tally = new Tally(guest ? new CountedTypes() : namespace.countedTypes());
    }

    Leased leased() {
        return leased;
    }

    protected RandomGenerator random() {
        return namespace.random();
    }

    /** The settings of the namespace, as they stand in the store. */
    public NamespaceSettings settings() throws SQLException {
        if (settings == null) {
            settings =
                    guest ? namespace.look(sql).settings() : namespace.read(sql).settings();
        }
        return settings;
    }

    /** After the settings were changed in this transaction: they are read again. */
    void settingsChanged() throws SQLException {
        settings = namespace.read(sql).settings();
    }

    /** A queue that is, or becomes, known. */
    public QueueRow queue(String name) throws SQLException {
        var queue = anyQueue(name);
        if (queue != null && queue.known) {
            return queue;
        }
        Limits.name("queue", name);
        var settings = QueueSettings.DEFAULT;
        sql.get("queue-add")
                .set("namespace", namespace.id())
                .set("name", name)
                .set("keepFinished", settings.keepFinished().toMillis())
                .set("keepFinishedCount", (long) settings.keepFinishedCount())
                .later();
        if (queue != null) {
            queue.known = true;
            return queue;
        }
        var added = readQueue(name);
        if (added == null) {
            throw new BrokerException.NotApplied("the queue '" + name + "' was added, but is not there", null);
        }
        return added;
    }

    /** A queue that is known. */
    public @Nullable QueueRow knownQueue(String name) throws SQLException {
        var queue = anyQueue(name);
        return queue != null && queue.known ? queue : null;
    }

    /** A queue, known or not. */
    @Nullable
    QueueRow anyQueue(String name) throws SQLException {
        var queue = queues.get(name);
        return queue == null ? readQueue(name) : queue;
    }

    /** All known queues, or, with a name, that one. */
    List<QueueRow> knownQueues(@Nullable String name) throws SQLException {
        if (name != null) {
            var queue = knownQueue(name);
            return queue == null ? List.of() : List.of(queue);
        }
        return merge(sql.get("queue-all").set("namespace", namespace.id()).list(QueueRow::read));
    }

    /** Queues as they stand: one that was read before knows what was changed since. */
    private List<QueueRow> merge(List<QueueRow> read) {
        var merged = new ArrayList<QueueRow>();
        for (var queue : read) {
            var before = queues.putIfAbsent(queue.name, queue);
            merged.add(before == null ? queue : before);
        }
        return merged;
    }

    /** All queues, known or not. */
    List<QueueRow> allQueues() throws SQLException {
        return merge(sql.get("queue-every").set("namespace", namespace.id()).list(QueueRow::read));
    }

    /** A queue that has a number, known or not: for what is noted beside jobs. */
    QueueRow noted(String name) throws SQLException {
        var queue = anyQueue(name);
        if (queue != null) {
            return queue;
        }
        var added = queue(name);
        sql.get("queue-unknown").set("queue", added.id).later();
        added.known = false;
        return added;
    }

    /** A session that is registered, ended or not; null where it is not. */
    protected @Nullable SessionRow session(SessionId id) throws SQLException {
        if (!sessions.containsKey(id)) {
            sessions.put(
                    id,
                    sql.get("session-find")
                            .set("namespace", namespace.id())
                            .set("id", id.value())
                            .first(SessionRow::read));
        }
        return sessions.get(id);
    }

    /** Notes a session as it was read anew. */
    protected @Nullable SessionRow reread(SessionId id, @Nullable SessionRow session) {
        sessions.put(id, session);
        return session;
    }

    /** A session that was read with others: as it stands, if this transaction has read it before. */
    protected SessionRow seen(SessionRow found) {
        var before = sessions.putIfAbsent(found.id, found);
        return before == null ? found : before;
    }

    /** A session is registered no more. */
    void gone(SessionId id) {
        sessions.put(id, null);
    }

    /** A session that is registered and has not ended, to be changed. */
    @Nullable
    SessionRow liveSession(SessionId id) throws SQLException {
        var session = sessionToChange(id);
        return session != null && session.live ? session : null;
    }

    /** Jobs of a queue became ready: some who wait are told after the commit. */
    void ready(QueueRow queue) {
        tally.wake(queue.id);
        signals.putIfAbsent(queue.name, false);
    }

    /** All who wait for a queue are told after the commit. */
    void resumed(QueueRow queue) {
        tally.wake(queue.id);
        signals.put(queue.name, true);
    }

    /** The queues that were woken, and whether all who wait for one are to be told. */
    protected Map<String, Boolean> signals() {
        return signals;
    }

    /** Runs after all work, before the commit: writes what was gathered to be written once. */
    public void beforeCommit() throws SQLException {
        placeAccepted();
        tally.write(sql, now);
    }

    /** Runs after the commit. Does not throw. */
    public void afterCommit() {
        signals.forEach(namespace.signals()::woke);
    }

    // What follows differs between databases.

    /**
     * Adds the rows of accepted jobs, and gives them their numbers, in order, but for those whose id is taken in the queue.
     * Their places may be given later: see {@link #placeAccepted}.
     *
     * @return which were added, in order
     */
    protected abstract boolean[] insert(List<JobRow> rows, List<NewJob> jobs) throws SQLException;

    /** Gives the jobs that were accepted in this transaction their places, unless they have them: before something looks. */
    protected void placeAccepted() throws SQLException {}

    /** A job that is to be changed, in flight or not; null where there is none. From now on nobody else changes it. */
    protected @Nullable JobRow toChange(long queue, UUID id) throws SQLException {
        return Jobs.byId(sql, queue, id);
    }

    /** As {@link #toChange(long, UUID)}, by the number of its row. */
    protected @Nullable JobRow toChange(long seq) throws SQLException {
        return Jobs.bySeq(sql, seq);
    }

    /** The jobs of a query over jobs that are not in flight, to be changed; those that somebody else changes may be left out. */
    protected List<JobRow> standing(Bound query) throws SQLException {
        return Jobs.standing(sql, query);
    }

    /** What a session holds, to be changed. */
    protected List<JobRow> held(long queue, long session, int limit) throws SQLException {
        return Jobs.all(
                sql,
                sql.get("flight").set("queue", queue).set("session", session).set("limit", limit));
    }

    /** As {@link #session}, to be changed: from now on nobody else changes it. */
    protected @Nullable SessionRow sessionToChange(SessionId id) throws SQLException {
        return session(id);
    }

    /** All sessions that are registered, to be changed; those that somebody else changes may be left out. */
    protected List<SessionRow> sessionsToChange() throws SQLException {
        return sql.get("session-all").set("namespace", namespace.id()).list(SessionRow::read);
    }

    /** Whether nobody else is at a piece of work that one does at a time in a namespace. */
    protected boolean isAlone(String work) throws SQLException {
        return true;
    }

    /** Waits until nobody else has locked this name; others wait until the end of this transaction. */
    protected final void lock(String name) throws SQLException {
        lockAll(List.of(name));
    }

    /** As {@link #lock}, for several at once. */
    protected void lockAll(List<String> names) throws SQLException {}

    /** From now on nobody else takes this key, or takes it over. */
    final void lockKey(long queue, String type, String key) throws SQLException {
        lock(keyLock(queue, type, key));
    }

    /** As {@link #lockKey}, for the explicit keys among those of jobs. */
    final void lockKeys(long queue, List<NewJob> jobs) throws SQLException {
        var names = jobs.stream()
                .filter(job -> job.key().explicit())
                .map(job -> keyLock(queue, job.type(), job.key().value()))
                .toList();
        if (!names.isEmpty()) {
            lockAll(names);
        }
    }

    /** The explicit keys among those of jobs that are noted, whether they still count or not; the caller may add to them. */
    protected Set<Accepting.Key> knownKeys(long queue, List<NewJob> jobs) throws SQLException {
        var known = new HashSet<Accepting.Key>();
        for (var job : jobs) {
            if (job.key().explicit()) {
                var key = Accepting.Key.of(job);
                var noted = sql.get("dedup-find")
                        .set("queue", queue)
                        .set("type", key.type())
                        .set("key", key.value())
                        .<Boolean>first(row -> true);
                if (noted != null) {
                    known.add(key);
                }
            }
        }
        return known;
    }

    private static String keyLock(long queue, String type, String key) {
        return "key " + queue + " " + type + " " + key;
    }

    /**
     * Before the first numbered call of a client is run: the same call, sent again meanwhile, waits for it.
     *
     * @return whether one was run meanwhile
     */
    protected boolean firstCall(UUID client, QueueRow queue) throws SQLException {
        return false;
    }

    /** The newest numbered call of a client in a queue; null where there is none. The same call, sent again, waits for it. */
    protected @Nullable NumberedCall newestCall(UUID client, QueueRow queue) throws SQLException {
        return sql.get("client-find")
                .set("client", client)
                .set("queue", queue.id)
                .first(NumberedCall::read);
    }

    /** The heads of the lines of a queue, as they stand. */
    protected Heads heads(QueueRow queue) throws SQLException {
        return Heads.read(sql, queue.id);
    }

    /** Makes jobs due now that were put off because nobody knew their type: those up to a version that somebody knows. */
    protected void makeDue(QueueRow queue, String type, int schemaVersion) throws SQLException {
        sql.get("unknown-due")
                .set("queue", queue.id)
                .set("type", type)
                .set("schemaVersion", schemaVersion)
                .set("now", now)
                .later();
        sql.get("unknown-places-add").set("queue", queue.id).later();
        sql.get("unknown-places-remove").set("queue", queue.id).later();
    }

    /** A queue, to lease from: from now on, until the end, it is not paused, unless it is already. */
    protected QueueRow queueToLease(String name) throws SQLException {
        return queue(name);
    }

    /** A job that was there before came to stand at a place, not necessarily the last of its line. */
    protected void stands(long queue, long at) {}

    /** A job that was met in line and whose place was taken, read anew; null where it is gone. */
    protected @Nullable JobRow met(JobRow job) throws SQLException {
        return Jobs.bySeq(sql, job.seq);
    }

    /** Waits for the lease calls of a queue that are under way; others wait until the end. */
    protected void lockForPause(QueueRow queue) throws SQLException {}

    /** Waits for nobody: whether nobody else is about to use the queue; if so, others wait until the end. */
    protected boolean lockForRemoval(QueueRow queue) throws SQLException {
        return true;
    }

    /**
     * The lines of ready jobs.
     *
     * @param heads as they were read in this transaction
     * @param suspects whether the lines of suspects are meant, or all others
     * @param wanted how many jobs are leased at most
     */
    protected abstract ReadyLines readyLines(QueueRow queue, Heads heads, boolean suspects, int wanted)
            throws SQLException;

    /** Draws tokens, above all that were drawn before for jobs that this transaction has locked. */
    protected abstract long[] tokens(QueueRow queue, int n) throws SQLException;

    /** Sums up what is kept apart of the counts of a queue until somebody does. */
    protected void foldCounts(QueueRow queue) throws SQLException {}

    private @Nullable QueueRow readQueue(String name) throws SQLException {
        return noteQueue(sql.get("queue-find")
                .set("namespace", namespace.id())
                .set("name", name)
                .first(QueueRow::read));
    }

    /** Notes a queue as it was read. */
    protected @Nullable QueueRow noteQueue(@Nullable QueueRow queue) {
        if (queue != null) {
            queues.put(queue.name, queue);
        }
        return queue;
    }

    /** Notes the settings of the namespace as they were read. */
    protected void noteSettings(NamespaceSettings read) {
        settings = read;
    }
}
