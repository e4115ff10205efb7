package dev.belay.postgres;

import dev.belay.broker.Broker.Subscription;
import dev.belay.broker.BrokerException;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.StoreCheck;
import dev.belay.broker.Verdict;
import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Statements;
import dev.belay.job.InvalidInputException;
import dev.belay.job.Limits;
import dev.belay.sql.SqlStore;
import dev.belay.sql.step.Namespace;
import dev.belay.sql.step.Signals;
import dev.belay.sql.step.Tx;
import dev.belay.sql.view.FilterSql;
import java.sql.SQLException;
import java.util.List;
import java.util.function.LongSupplier;

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
            Connected connected) {
        this.structure = structure;
        this.calls = calls;
        this.vital = vital;
        this.namespace = namespace;
        this.node = node;
        this.signals = signals;
        this.offset = offset;
        this.listener = listener;
        this.connected = connected;
        this.callers = new CallersTransaction(structure, calls, namespace, node, offset);
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
        var now = sql.get("begin")
                .set("offset", offset.getAsLong())
                .set("lockTimeout", LOCK_TIMEOUT)
                .set("idleTimeout", IDLE_TIMEOUT)
                .number(0);
        connected.seen(now);
        return PostgresTx.ofBroker(sql, namespace, node, now);
    }

    @Override
    public <T> T write(SqlWork<Tx, T> work) {
        return write(calls, work);
    }

    /** As {@link #write}, for what must get through whatever others are at. */
    <T> T writeVital(SqlWork<Tx, T> work) {
        return write(vital, work);
    }

    private <T> T write(Lane lane, SqlWork<Tx, T> work) {
        checkOpen();
        try {
            return lane.write(this::begin, work);
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
        var recent = namespace.recentSettings();
        return recent == null ? readVital(namespace::readSettings) : recent;
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
            calls.close();
            vital.close();
        }
    }

    @Override
    public String toString() {
        return structure + (closed ? ", closed" : "");
    }
}
