package dev.belay.postgres;

import dev.belay.broker.Beat;
import dev.belay.broker.BeatReply;
import dev.belay.broker.BrokerAdmin;
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
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * A broker in a PostgreSQL database, version 13 or later, in a schema of its own. Any number of processes on any number of
 * hosts may work on one store. Safe for use by many threads.
 */
public final class PostgresBroker implements TransactionalBroker {

    private static final Capabilities CAPABILITIES = new Capabilities("postgresql", true, true, 1, 1_000);

    private final PostgresStore store;
    private final BrokerAdmin admin;
    private final Cells cells;

    PostgresBroker(PostgresStore store) {
        this.store = store;
        this.admin = new SqlAdmin(store);
        this.cells = new SqlCells(store);
    }

    /**
     * For a broker by address: {@code postgresql://user:password@localhost:5432/shop}. Parameters behind a question mark are
     * those of the PostgreSQL JDBC driver; {@code belaySchema} names the schema.
     *
     * @throws dev.belay.job.InvalidInputException where the address makes no sense
     */
    public static PostgresBrokerBuilder builder(String address) {
        return new PostgresBrokerBuilder(PostgresAddress.parse(address));
    }

    /**
     * For a broker on connections of the application's own data source. Two of them are held for settles and heartbeats as
     * long as the broker is open, so that they get through when handlers have used up the rest, and one listens; so the pool
     * must be larger than that. The data source is not closed with the broker.
     */
    public static PostgresBrokerBuilder builder(DataSource dataSource) {
        return new PostgresBrokerBuilder(dataSource);
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
        return store.writeVital(tx -> Sessions.register(tx, session));
    }

    @Override
    public List<BeatReply> heartbeat(List<Beat> beats) {
        return store.writeVital(tx -> Sessions.heartbeat(tx, beats, store.isTooOld(tx)));
    }

    @Override
    public List<Death> endSessions(List<SessionId> sessions) {
        return store.writeVital(tx -> Sessions.endSessions(tx, sessions));
    }

    @Override
    public List<Verdict> enqueue(EnqueueCall call) {
        return store.enqueue(call, tx -> Enqueue.run(tx, call));
    }

    @Override
    public LeaseReply lease(LeaseRequest request) {
        return store.lease(request.session(), tx -> LeaseStep.run(tx, request));
    }

    @Override
    public Verdict begin(LeaseId lease) {
        return store.writeVital(tx -> Sessions.begin(tx, lease));
    }

    @Override
    public List<Boolean> held(List<LeaseId> leases) {
        return store.readVital(sql -> HeldView.held(sql, store.namespace().id(), leases));
    }

    @Override
    public ReconcileReply reconcile(SessionId session, long number) {
        return store.writeVital(tx -> Sessions.reconcile(tx, session, number));
    }

    @Override
    public List<Verdict> settle(String queue, List<Settlement> settlements) {
        return store.settle(queue, tx -> Settle.run(tx, queue, settlements));
    }

    @Override
    public PromoteReply promote(String queue, Duration interval) {
        return store.write(tx -> Promotion.run(tx, queue, interval));
    }

    @Override
    public ReapReply reap() {
        return store.writeVital(tx -> Reap.run(tx, store.connectedAt()));
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
        return store.callers().owns(connection);
    }

    @Override
    public List<Verdict> enqueueIn(Connection connection, String queue, List<NewJob> jobs) throws SQLException {
        var callers = store.callers();
        var checked = EnqueueCall.checked(queue, jobs);
        return callers.run(connection, tx -> Enqueue.unnumbered(tx, queue, checked));
    }

    @Override
    public Verdict completeIn(Connection connection, Settlement settlement) throws SQLException {
        var callers = store.callers();
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

    /** Drops all connections, as a fault would: for tests. */
    void breakConnections() {
        store.breakConnections();
    }

    @Override
    public String toString() {
        return "PostgresBroker[" + store + "]";
    }
}
