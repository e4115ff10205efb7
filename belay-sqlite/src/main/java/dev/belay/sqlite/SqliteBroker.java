package dev.belay.sqlite;

import dev.belay.broker.Beat;
import dev.belay.broker.BeatReply;
import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.BrokerException;
import dev.belay.broker.Capabilities;
import dev.belay.broker.Cells;
import dev.belay.broker.EnqueueCall;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.PromoteReply;
import dev.belay.broker.PruneReply;
import dev.belay.broker.ReapReply;
import dev.belay.broker.ReconcileReply;
import dev.belay.broker.Registration;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.Settlement;
import dev.belay.broker.TimesDelta;
import dev.belay.broker.TransactionalBroker;
import dev.belay.broker.Verdict;
import dev.belay.job.LeaseId;
import dev.belay.job.NewJob;
import dev.belay.job.SessionId;
import dev.belay.sql.SqlAdmin;
import dev.belay.sql.SqlCells;
import dev.belay.sql.step.Enqueue;
import dev.belay.sql.step.LeaseStep;
import dev.belay.sql.step.Promotion;
import dev.belay.sql.step.Prune;
import dev.belay.sql.step.Reap;
import dev.belay.sql.step.Sessions;
import dev.belay.sql.step.Settle;
import dev.belay.sql.step.Statistics;
import dev.belay.sql.view.HeldView;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * A broker in one SQLite file. Accepted jobs survive the end of the process and of the machine: each commit is written
 * through to the disk. Several processes of one host may work on one file, each with a broker object of its own; the file
 * must be on a local disk.
 *
 * <p>Calls from all threads are gathered and committed together, so that a hundred concurrent calls cost one write to the
 * disk. Lists and counts are read beside that and never wait for it. Safe for use by many threads.
 *
 * <p>Within a transaction of a caller, on a connection to the same file, it writes on that connection. While such a
 * transaction has written and has not ended, everybody else who writes waits: keep it short, and call nothing of this
 * broker in it but what is told the connection. It is as durable as that connection's own settings make it.
 */
public final class SqliteBroker implements TransactionalBroker {

    private static final Capabilities CAPABILITIES = new Capabilities("sqlite", true, true, 1, 1_000);

    private final SqliteStore store;
    private final CallersTransaction callers;
    private final BrokerAdmin admin;
    private final Cells cells;

    SqliteBroker(SqliteStore store) {
        this.store = store;
        this.callers = new CallersTransaction(store.file().path(), SqliteStore.SQL, store.namespace(), store.guests());
        this.admin = new SqlAdmin(store);
        this.cells = new SqlCells(store);
    }

    /**
     * Opens the store in a file, which is made if it is not there, in the namespace {@code belay}.
     *
     * @throws BrokerException where the file can't be opened, or is no store that this version can work on
     */
    public static SqliteBroker open(Path path) {
        return builder(path).open();
    }

    /** For a broker with settings of its own. */
    public static SqliteBrokerBuilder builder(Path path) {
        return new SqliteBrokerBuilder(path);
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public String namespace() {
        return store.namespace().name();
    }

    @Override
    public NamespaceSettings settings() {
        return store.settings();
    }

    @Override
    public Registration register(SessionSpec session) {
        var registration = store.write(tx -> Sessions.register(tx, session));
        store.registered(session.id());
        return registration;
    }

    @Override
    public List<BeatReply> heartbeat(List<Beat> beats) {
        return store.write(tx -> Sessions.heartbeat(tx, beats, store.isTooOld(tx)));
    }

    @Override
    public List<Death> endSessions(List<SessionId> sessions) {
        return store.write(tx -> Sessions.endSessions(tx, sessions));
    }

    @Override
    public List<Verdict> enqueue(EnqueueCall call) {
        return store.write(tx -> Enqueue.run(tx, call));
    }

    @Override
    public LeaseReply lease(LeaseRequest request) {
        return store.write(tx -> LeaseStep.run(tx, request));
    }

    @Override
    public Verdict begin(LeaseId lease) {
        return store.write(tx -> Sessions.begin(tx, lease));
    }

    @Override
    public List<Boolean> held(List<LeaseId> leases) {
        return store.read(sql -> HeldView.held(sql, store.namespace().id(), leases));
    }

    @Override
    public ReconcileReply reconcile(SessionId session, long number) {
        return store.write(tx -> Sessions.reconcile(tx, session, number));
    }

    @Override
    public List<Verdict> settle(String queue, List<Settlement> settlements) {
        return store.write(tx -> Settle.run(tx, queue, settlements));
    }

    @Override
    public PromoteReply promote(String queue, Duration interval) {
        return store.write(tx -> Promotion.run(tx, queue, interval));
    }

    @Override
    public ReapReply reap() {
        return store.write(tx -> Reap.run(tx, store.connectedAt(tx.now)));
    }

    @Override
    public PruneReply prune() {
        return store.write(Prune::run);
    }

    @Override
    public void record(List<TimesDelta> times) {
        store.change(tx -> new Statistics(tx).record(times));
    }

    @Override
    public boolean owns(Connection connection) throws SQLException {
        store.checkOpen();
        return callers.owns(connection);
    }

    @Override
    public List<Verdict> enqueueIn(Connection connection, String queue, List<NewJob> jobs) throws SQLException {
        store.checkOpen();
        var checked = EnqueueCall.checked(queue, jobs);
        return callers.run(connection, tx -> Enqueue.unnumbered(tx, queue, checked));
    }

    @Override
    public Verdict completeIn(Connection connection, Settlement settlement) throws SQLException {
        store.checkOpen();
        TransactionalBroker.requireComplete(settlement);
        return callers.run(connection, tx -> Settle.run(tx, settlement.lease().queue(), List.of(settlement)))
                .get(0);
    }

    @Override
    public Subscription listen(String queue, Runnable onSignal) {
        return store.listen(queue, onSignal);
    }

    @Override
    public BrokerAdmin admin() {
        store.checkOpen();
        return admin;
    }

    @Override
    public Cells cells() {
        store.checkOpen();
        return cells;
    }

    @Override
    public void close() {
        store.close();
    }

    /** Drops the connection that writes, as a fault would: for tests. */
    void breakConnection() {
        store.breakConnection();
    }

    @Override
    public String toString() {
        return "SqliteBroker[" + store + "]";
    }
}
