package dev.belay.sqlite;

import dev.belay.broker.Broker.Subscription;
import dev.belay.broker.BrokerException;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.StoreCheck;
import dev.belay.jdbc.Migration;
import dev.belay.jdbc.Migrations;
import dev.belay.jdbc.SqlFiles;
import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Statements;
import dev.belay.job.InvalidInputException;
import dev.belay.job.Limits;
import dev.belay.job.SessionId;
import dev.belay.sql.SqlStore;
import dev.belay.sql.step.Namespace;
import dev.belay.sql.step.Signals;
import dev.belay.sql.step.Tx;
import dev.belay.sql.view.FilterSql;
import dev.belay.sqlite.file.Courtesy;
import dev.belay.sqlite.file.Faults;
import dev.belay.sqlite.file.Guests;
import dev.belay.sqlite.file.ImmediateTransactions;
import dev.belay.sqlite.file.Readers;
import dev.belay.sqlite.file.SqliteFile;
import dev.belay.sqlite.file.Writer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/** One broker object's way to its store: how it is opened, read, written, watched and closed. Thread-safe. */
final class SqliteStore implements SqlStore, AutoCloseable {

    static final SqlFiles SQL = new SqlFiles(SqliteStore.class, "sql");

    static final Migrations MIGRATIONS = new Migrations(
            SQL,
            "belay_schema",
            List.of(new Migration(1, 1, "001-everything"), new Migration(2, 1, "002-dedup-options")));

    private static final FilterSql FILTER_SQL = new FilterSql(
            "job",
            "job NOT INDEXED",
            "job j INDEXED BY job_id",
            "more",
            "more INDEXED BY more_key",
            "place",
            "flight",
            // Guarded: tags that are no JSON must not end the whole query.
            "CASE WHEN json_valid(tags) THEN EXISTS (SELECT 1 FROM json_each(tags) t WHERE t.value = :tag) ELSE 0 END");

    private final SqliteFile file;
    private final Namespace namespace;
    private final Signals signals;
    private final Readers readers;
    private final Writer<SqliteTx> writer;
    private final Watch watch;
    private final Neighbours neighbours;
    private final Guests guests = new Guests();
    private volatile long connectedAt;
    private volatile boolean closed;

    private SqliteStore(SqliteFile file, Connection connection, Namespace namespace, Signals signals) {
        this.file = file;
        this.namespace = namespace;
        this.signals = signals;
        this.neighbours = new Neighbours();
        this.connectedAt = namespace.clock().millis();
        this.readers = new Readers(file, SQL);
        this.writer = new Writer<>(
                file,
                connection,
                SQL,
                new SqliteTransactions(namespace),
                new Courtesy(neighbours::areThere, guests),
                () -> connectedAt = namespace.clock().millis());
        this.watch = new Watch(file, SQL, namespace.id(), signals);
    }

    static SqliteStore open(SqliteFile file, String namespace, InstantSource clock, RandomGenerator random) {
        var signals = new Signals();
        try {
            var connection = file.openWriter();
            try {
                var transactions = new ImmediateTransactions(file);
                MIGRATIONS.apply(connection, transactions);
                var opened = transactions.in(connection, any -> {
                    try (var statements = new Statements(connection, SQL)) {
                        var known = Namespace.open(statements, namespace, clock, random, signals);
                        // A commit that tells others that they share the file.
                        statements
                                .get("namespace-opened")
                                .set("name", namespace)
                                .set("now", clock.millis())
                                .update();
                        return known;
                    }
                });
                return new SqliteStore(file, connection, opened, signals);
            } catch (SQLException | RuntimeException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw new Faults(file).beforeCommit(e);
        }
    }

    @Override
    public <T> T write(SqlWork<Tx, T> work) {
        checkOpen();
        try {
            return writer.call(work::run);
        } catch (InvalidInputException e) {
            throw new BrokerException.Rejected(e);
        }
    }

    @Override
    public <T> T read(SqlWork<Statements, T> work) {
        checkOpen();
        try {
            return readers.read(work);
        } catch (InvalidInputException e) {
            throw new BrokerException.Rejected(e);
        }
    }

    @Override
    public long time() {
        return namespace.clock().millis();
    }

    @Override
    public long time(Statements sql) {
        return time();
    }

    @Override
    public FilterSql filterSql() {
        return FILTER_SQL;
    }

    @Override
    public List<StoreCheck> check() {
        return new StoreChecks(this).run();
    }

    NamespaceSettings settings() {
        checkOpen();
        return namespace.settings(() -> read(namespace::readSettings));
    }

    Subscription listen(String queue, Runnable onSignal) {
        checkOpen();
        try {
            Limits.name("queue", queue);
        } catch (InvalidInputException e) {
            throw new BrokerException.Rejected(e);
        }
        var subscription = signals.add(queue, onSignal);
        watch.start();
        return subscription;
    }

    /** Whether this program must not work on the store any more, as a newer one has changed it. */
    boolean isTooOld(Tx tx) throws SQLException {
        return MIGRATIONS.isTooOldFor(MIGRATIONS.read(tx.sql.connection()));
    }

    /**
     * Since when the connection that writes has stood, by the broker's clock. Where the clock was set back to before its
     * beginning, it begins anew: or it would be young for as long as the clock was ahead.
     */
    long connectedAt(long now) {
        connectedAt = Math.min(connectedAt, now);
        return connectedAt;
    }

    void registered(SessionId session) {
        neighbours.registeredHere(session);
    }

    Guests guests() {
        return guests;
    }

    @Override
    public Namespace namespace() {
        return namespace;
    }

    SqliteFile file() {
        return file;
    }

    void breakConnection() {
        writer.breakConnection();
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
            watch.close();
            writer.close();
            readers.close();
        }
    }

    @Override
    public String toString() {
        return file.path() + (closed ? ", closed" : "");
    }
}
