package dev.belay.sqlite.step;

import dev.belay.broker.BrokerException;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.QueueSettings;
import dev.belay.jdbc.Statements;
import dev.belay.job.Limits;
import dev.belay.job.SessionId;
import dev.belay.sqlite.file.Writer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One transaction: the time, the statements, what was read already, and what is written at its end. */
public final class Tx implements Writer.Transaction {

    public final Statements sql;
    /** The broker's clock, read once. */
    public final long now;

    public final Namespace namespace;
    final Tally tally;

    private final Leased leased;
    private final boolean guest;
    private final Map<String, QueueRow> queues = new HashMap<>();
    private final Map<SessionId, @Nullable SessionRow> sessions = new HashMap<>();
    private final Map<String, Boolean> signals = new LinkedHashMap<>();
    private final NewRows newRows = new NewRows();
    private boolean placesPending;
    private @Nullable NamespaceSettings settings;

    private Tx(Statements sql, Namespace namespace, CountedTypes types, Leased leased, boolean guest) {
        this.sql = sql;
        this.namespace = namespace;
        this.now = namespace.clock().millis();
        this.tally = new Tally(types);
        this.leased = leased;
        this.guest = guest;
    }

    /** A transaction of the writer. */
    static Tx ofWriter(Statements sql, Namespace namespace) {
        return new Tx(sql, namespace, namespace.countedTypes(), namespace.leased(), false);
    }

    /**
     * Work within a transaction that a caller ends, on any thread. Nothing that it finds is noted beside the store, which the
     * caller may undo, and which it may see as it was. The caller of this method runs {@link #beforeCommit}, and never {@link
     * #afterCommit}.
     */
    public static Tx ofGuest(Statements sql, Namespace namespace) {
        return new Tx(sql, namespace, new CountedTypes(), new Leased(), true);
    }

    Leased leased() {
        return leased;
    }

    RandomGenerator random() {
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
                .update();
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
        sql.get("queue-unknown").set("queue", added.id).update();
        added.known = false;
        return added;
    }

    /** A session that is registered, ended or not; null where it is not. */
    @Nullable
    SessionRow session(SessionId id) throws SQLException {
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

    /** A session that was read with others: as it stands, if this transaction has read it before. */
    SessionRow seen(SessionRow found) {
        var before = sessions.putIfAbsent(found.id, found);
        return before == null ? found : before;
    }

    /** A session is registered no more. */
    void gone(SessionId id) {
        sessions.put(id, null);
    }

    /** A session that is registered and has not ended. */
    @Nullable
    SessionRow liveSession(SessionId id) throws SQLException {
        var session = session(id);
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

    /** Numbers for the rows of accepted jobs: in order, without gaps within the transaction. */
    long nextRows(int n) throws SQLException {
        var next = newRows.take(this, n);
        placesPending = true;
        return next;
    }

    /**
     * Gives the jobs that were accepted in this transaction their places: once for all, before something looks at the
     * lines, or at the end.
     */
    void placeAccepted() throws SQLException {
        if (placesPending) {
            placesPending = false;
            newRows.place(this);
        }
    }

    @Override
    public void beforeCommit() throws SQLException {
        placeAccepted();
        tally.write(sql, now);
    }

    @Override
    public void afterCommit() {
        signals.forEach(namespace.signals()::woke);
    }

    private @Nullable QueueRow readQueue(String name) throws SQLException {
        var queue = sql.get("queue-find")
                .set("namespace", namespace.id())
                .set("name", name)
                .first(QueueRow::read);
        if (queue != null) {
            queues.put(name, queue);
        }
        return queue;
    }
}
