package dev.belay.postgres;

import dev.belay.broker.Broker.Subscription;
import dev.belay.broker.BrokerException;
import dev.belay.broker.EnqueueCall;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.StoreCheck;
import dev.belay.broker.Verdict;
import dev.belay.jdbc.Bound;
import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Statements;
import dev.belay.job.InvalidInputException;
import dev.belay.job.Limits;
import dev.belay.job.SessionId;
import dev.belay.sql.SqlStore;
import dev.belay.sql.step.Heads;
import dev.belay.sql.step.Namespace;
import dev.belay.sql.step.NumberedCall;
import dev.belay.sql.step.QueueRow;
import dev.belay.sql.step.SessionRow;
import dev.belay.sql.step.Signals;
import dev.belay.sql.step.Tx;
import dev.belay.sql.view.FilterSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One broker object's way to its store: how it is read, written, listened to and closed. Thread-safe. */
final class PostgresStore implements SqlStore, AutoCloseable {

    /** How long a transaction waits for a lock, in milliseconds: for as long, at most, can somebody's open one hold it up. */
    private static final String LOCK_TIMEOUT = "2000";

    /** How long a frozen client holds its locks, in milliseconds. */
    private static final String IDLE_TIMEOUT = "5000";

    private final Structure structure;
    private final Lane calls;
    private final Lane vital;
    private final Namespace namespace;
    private final Node node;
    private final Signals signals;
    private final LongSupplier offset;
    private final Listener listener;
    private final Connected connected;
    private final Watermarks watermarks;
    private final Vacuum vacuum;
    private final CallersTransaction callers;
    private final FilterSql filterSql;
    private volatile boolean closed;

    PostgresStore(
            Structure structure,
            Lane calls,
            Lane vital,
            Namespace namespace,
            Node node,
            Signals signals,
            LongSupplier offset,
            Listener listener,
            Connected connected,
            Watermarks watermarks,
            Vacuum vacuum) {
        this.structure = structure;
        this.calls = calls;
        this.vital = vital;
        this.namespace = namespace;
        this.node = node;
        this.signals = signals;
        this.offset = offset;
        this.listener = listener;
        this.connected = connected;
        this.watermarks = watermarks;
        this.vacuum = vacuum;
        this.callers = new CallersTransaction(structure, calls, namespace, node, watermarks, offset);
        this.filterSql = filterSql(structure.schema());
    }

    private static FilterSql filterSql(String schema) {
        var jobs = schema + ".job";
        return new FilterSql(
                jobs,
                jobs,
                jobs + " j",
                schema + ".more",
                schema + ".more",
                schema + ".place",
                schema + ".flight",
                // Guarded: tags that are no JSON must not end the whole query.
                "CASE WHEN tags ~ '^\\[.*\\]$' THEN tags::jsonb @> to_jsonb(:tag::text) ELSE false END");
    }

    private PostgresTx begin(Statements sql) throws SQLException {
        return tx(sql, begin(sql, "begin").number(0));
    }

    private Bound begin(Statements sql, String statement) throws SQLException {
        return sql.get(statement)
                .set("offset", offset.getAsLong())
                .set("lockTimeout", LOCK_TIMEOUT)
                .set("idleTimeout", IDLE_TIMEOUT);
    }

    private PostgresTx tx(Statements sql, @Nullable Long now) {
        var time = Objects.requireNonNull(now, "the server's time");
        connected.seen(time);
        return PostgresTx.ofBroker(sql, namespace, node, watermarks, time);
    }

    private static Long number(ResultSet row) throws SQLException {
        return row.getLong(1);
    }

    private PostgresTx beginEnqueue(Statements sql, EnqueueCall call) throws SQLException {
        var opening = begin(sql, "enqueue-open")
                .set("namespace", namespace.id())
                .set("name", call.queue())
                .set("client", call.client())
                .set("call", node.lockName("call " + call.client() + " " + call.queue()));
        try (var answers = opening.answers()) {
            var tx = tx(sql, answers.first(PostgresStore::number));
            tx.noteSettings(namespace.note(answers.first(Namespace.Stored::read)));
            tx.noteQueue(answers.first(QueueRow::read));
            answers.first(PostgresStore::number);
            tx.noteCall(call, answers.first(NumberedCall::read));
            return tx;
        }
    }

    private PostgresTx beginSettle(Statements sql, String queue) throws SQLException {
        var opening = begin(sql, "settle-open").set("namespace", namespace.id()).set("name", queue);
        try (var answers = opening.answers()) {
            var tx = tx(sql, answers.first(PostgresStore::number));
            tx.noteQueue(answers.first(QueueRow::read));
            return tx;
        }
    }

    private PostgresTx beginLease(Statements sql, SessionId session) throws SQLException {
        var from = watermarks.from(session);
        var opening = begin(sql, "lease-open")
                .set("namespace", namespace.id())
                .set("id", session.value())
                .set("lock", node.leaseLock(""))
                .setArray("from", "bigint", from);
        try (var answers = opening.answers()) {
            var tx = tx(sql, answers.first(PostgresStore::number));
            var found = answers.first(SessionRow::read);
            answers.first(PostgresStore::number);
            tx.noteSession(session, found, answers.first(PostgresStore::number));
            var queue = tx.noteQueue(answers.first(QueueRow::read));
            var look = answers.<Look>first(Look::read);
            if (queue == null || look == null) {
                watermarks.ended(session);
            } else {
                tx.noteLease(queue, look.heads);
                watermarks.looked(session, queue.name, from, look.heads, tx.now, look.micros);
            }
            return tx;
        }
    }

    /** The heads of lines, and how long it took the server to find them. */
    private record Look(Heads heads, long micros) {

        private static final int MICROS = 19;

        static Look read(ResultSet row) throws SQLException {
            return new Look(Heads.read(row), row.getLong(MICROS));
        }
    }

    /** As {@link #write}, for a numbered enqueue: what it will ask for is read with its beginning. */
    <T> T enqueue(EnqueueCall call, SqlWork<Tx, T> work) {
        return write(calls, sql -> beginEnqueue(sql, call), work);
    }

    /** As {@link #write}, for a lease call: what it will ask for is read with its beginning. */
    <T> T lease(SessionId session, SqlWork<Tx, T> work) {
        return write(calls, sql -> beginLease(sql, session), work);
    }

    /** As {@link #writeVital}, for settling: what it will ask for is read with its beginning. */
    List<Verdict> settle(String queue, SqlWork<Tx, List<Verdict>> work) {
        var verdicts = write(vital, sql -> beginSettle(sql, queue), work);
        vacuum.settled(verdicts.size());
        return verdicts;
    }

    @Override
    public <T> T write(SqlWork<Tx, T> work) {
        return write(calls, this::begin, work);
    }

    /** As {@link #write}, for what must get through whatever others are at. */
    <T> T writeVital(SqlWork<Tx, T> work) {
        return write(vital, this::begin, work);
    }

    private <T> T write(Lane lane, Lane.Opening opening, SqlWork<Tx, T> work) {
        checkOpen();
        try {
            return lane.write(opening, work);
        } catch (InvalidInputException e) {
            throw new BrokerException.Rejected(e);
        }
    }

    @Override
    public Verdict act(SqlWork<Tx, Verdict> work) {
        try {
            return write(work);
        } catch (BrokerException.NotApplied e) {
            if (PostgresFaults.isLocked(e.getCause())) {
                return Verdict.BUSY;
            }
            throw e;
        }
    }

    /** Work within transactions of callers. */
    CallersTransaction callers() {
        checkOpen();
        return callers;
    }

    @Override
    public <T> T read(SqlWork<Statements, T> work) {
        checkOpen();
        return calls.read(work);
    }

    /** As {@link #read}, for what must get through whatever others are at. */
    <T> T readVital(SqlWork<Statements, T> work) {
        checkOpen();
        return vital.read(work);
    }

    @Override
    public long time() {
        return read(this::time);
    }

    @Override
    public long time(Statements sql) throws SQLException {
        return sql.get("time").set("offset", offset.getAsLong()).number(0);
    }

    NamespaceSettings settings() {
        checkOpen();
        return namespace.settings(() -> readVital(namespace::readSettings));
    }

    Subscription listen(String queue, Runnable onSignal) {
        checkOpen();
        try {
            Limits.name("queue", queue);
        } catch (InvalidInputException e) {
            throw new BrokerException.Rejected(e);
        }
        var subscription = signals.add(queue, onSignal);
        listener.start();
        return subscription;
    }

    boolean isTooOld(Tx tx) throws SQLException {
        return structure.isTooOldFor(tx.sql.connection());
    }

    @Override
    public Namespace namespace() {
        return namespace;
    }

    @Override
    public FilterSql filterSql() {
        return filterSql;
    }

    @Override
    public List<StoreCheck> check() {
        return new StoreChecks(this, structure).run();
    }

    /** Since when the connection has stood, by the broker's clock. */
    long connectedAt() {
        return connected.since();
    }

    /** Ends the server's side of all connections, as a fault would: for tests. */
    void breakConnections() {
        listener.breakConnection();
        calls.breakConnections();
        vital.breakConnections();
    }

    @Override
    public void checkOpen() {
        if (closed) {
            throw new IllegalStateException("this broker is closed: open another one");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            signals.clear();
            listener.close();
            vacuum.close();
            calls.close();
            vital.close();
        }
    }

    @Override
    public String toString() {
        return structure + (closed ? ", closed" : "");
    }
}
