package dev.belay.sqlite.file;

import dev.belay.broker.BrokerException;
import dev.belay.jdbc.SqlFiles;
import dev.belay.jdbc.SqlWork;
import dev.belay.jdbc.Statements;
import dev.belay.job.InvalidInputException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one writer of a broker object, with group commit. A caller hands over its work and waits. Whoever finds nobody
 * writing leads: it takes all work that has gathered, runs it in one transaction, commits once, completes all of it, and
 * hands on to the next who waits. So one caller pays one commit and no change of threads, and a thousand share one. Work
 * runs in the order in which it was handed over, and never at the same time as other work of this writer.
 *
 * <p>Work that refuses its input without having written anything fails alone. After any other failure the transaction is
 * rolled back, and all of its work is run again, each in a transaction of its own: so one that fails spoils no other. Work
 * is therefore a function of the store and may run twice.
 *
 * @param <C> what work is given: made anew for each transaction
 */
public final class Writer<C extends Writer.Transaction> implements AutoCloseable {

    /** What a transaction's work shares. */
    public interface Transaction {

        /** Runs after all work, before the commit: writes what was gathered to be written once. */
        void beforeCommit() throws SQLException;

        /** Runs after the commit, when all callers were answered and others may write. Must not throw. */
        void afterCommit();
    }

    /** Makes what a transaction's work shares. */
    public interface TransactionFactory<C> {
        C begin(Statements statements) throws SQLException;

        /** A transaction was undone: what was noted beside the store may not be true. */
        void rolledBack();
    }

    /** As much work goes into one transaction. */
    private static final int BATCH = 1000;

    private final SqliteFile file;
    private final SqlFiles sql;
    private final Faults faults;
    private final TransactionFactory<C> factory;
    private final Courtesy courtesy;
    private final Runnable onConnected;

    private final ConcurrentLinkedQueue<Call<C, ?>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean led = new AtomicBoolean();
    private volatile boolean closed;

    // Used only by the leader.
    private @Nullable Connection connection;
    private @Nullable Statements statements;

    /**
     * @param connection to begin with, made by {@link SqliteFile#openWriter}
     * @param courtesy this writer's own
     * @param onConnected called whenever a connection took the place of one that was lost
     */
    public Writer(
            SqliteFile file,
            Connection connection,
            SqlFiles sql,
            TransactionFactory<C> factory,
            Courtesy courtesy,
            Runnable onConnected) {
        this.file = file;
        this.connection = connection;
        this.statements = new Statements(connection, sql);
        this.sql = sql;
        this.faults = new Faults(file);
        this.factory = factory;
        this.courtesy = courtesy;
        this.onConnected = onConnected;
    }

    /**
     * Runs work in a transaction, and answers once it is committed.
     *
     * @throws dev.belay.broker.BrokerException where the store failed; says what is known about the work
     * @throws IllegalStateException where this writer is closed
     */
    public <T> T call(SqlWork<C, T> work) {
        var call = new Call<C, T>(work);
        waiting.add(call);
        var interrupted = false;
        while (!call.isDone()) {
            if (led.compareAndSet(false, true)) {
                lead();
            } else {
                LockSupport.park(this);
                // An interrupt does not undo what others may be committing already: it waits until the answer is there.
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return call.result();
    }

    /** Drops the connection, as a fault would; the next call opens another. */
    public void breakConnection() {
        led(() -> Closing.quietly(connection));
    }

    /** Ends all calls that wait with an {@link IllegalStateException}, and closes the connection. */
    @Override
    public void close() {
        closed = true;
        led(() -> {
            var ended = new ArrayList<Call<C, ?>>();
            runNext(ended);
            ended.forEach(Call::wake);
            disconnect();
        });
    }

    private void led(Runnable action) {
        while (!led.compareAndSet(false, true)) {
            LockSupport.parkNanos(100_000);
        }
        try {
            action.run();
        } finally {
            led.set(false);
            wakeNext();
        }
    }

    private void wakeNext() {
        var next = waiting.peek();
        if (next != null) {
            next.wake();
        }
    }

    private void lead() {
        var answered = new ArrayList<Call<C, ?>>();
        C committed;
        try {
            committed = runNext(answered);
        } finally {
            led.set(false);
            // The next leader first: it works while this thread wakes the others.
            wakeNext();
        }
        answered.forEach(Call::wake);
        if (committed != null) {
            committed.afterCommit();
        }
    }

    /**
     * Runs what has gathered, in one transaction if all goes well.
     *
     * @param batch takes what was run
     * @return what was committed together; null where nothing was
     */
    private @Nullable C runNext(List<Call<C, ?>> batch) {
        if (waiting.isEmpty()) {
            return null;
        }
        try {
            if (closed) {
                throw new IllegalStateException("this broker is closed: open another one");
            }
            begin();
        } catch (Throwable e) {
            takeAll(batch);
            var cause = e instanceof SQLException sql ? faults.beforeCommit(sql) : e;
            batch.forEach(call -> call.fail(cause));
            return null;
        }
        try {
            return run(batch);
        } catch (Spoiled spoiled) {
            rollBack(spoiled.error);
            batch.forEach(this::runAlone);
        } catch (Throwable e) {
            // The commit, or what comes right before it, failed.
            rollBack(e);
            batch.forEach(call -> call.fail(e));
        }
        return null;
    }

    private C run(List<Call<C, ?>> batch) throws Spoiled {
        var context = open(batch);
        for (var call = waiting.poll(); call != null; call = next(batch)) {
            batch.add(call);
            runIn(context, call);
        }
        commit(context);
        batch.forEach(Call::complete);
        courtesy.afterWork();
        return context;
    }

    private @Nullable Call<C, ?> next(List<Call<C, ?>> batch) {
        return batch.size() < BATCH && !courtesy.isOver() ? waiting.poll() : null;
    }

    private C open(List<Call<C, ?>> batch) throws Spoiled {
        try {
            return factory.begin(statements());
        } catch (SQLException | RuntimeException e) {
            takeAll(batch);
            throw new Spoiled(e);
        }
    }

    private void runIn(C context, Call<C, ?> call) throws Spoiled {
        var before = statements().writes();
        try {
            call.run(context);
        } catch (Throwable e) {
            var refused = e instanceof BrokerException || e instanceof InvalidInputException;
            if (!refused || statements().writes() != before) {
                throw new Spoiled(e);
            }
            call.fail(e);
        }
    }

    /** One call in a transaction of its own, after it shared one that was rolled back. */
    private void runAlone(Call<C, ?> call) {
        if (call.isDone()) {
            return;
        }
        try {
            begin();
            var context = factory.begin(statements());
            call.run(context);
            commit(context);
            call.complete();
            courtesy.afterWork();
            context.afterCommit();
        } catch (Throwable e) {
            rollBack(e);
            call.fail(e instanceof SQLException sql ? faults.beforeCommit(sql) : e);
        }
    }

    private void begin() throws SQLException {
        if (connection == null) {
            connect();
        }
        try {
            courtesy.beforeWork(statements());
            beginOn(connection());
        } catch (SQLException e) {
            if (!Faults.isConnectionLost(e)) {
                throw e;
            }
            // Nothing was begun, so nothing is lost by another try on a new connection.
            disconnect();
            connect();
            beginOn(connection());
        }
    }

    private void beginOn(Connection on) throws SQLException {
        file.whenFree(on, any -> statements().get("begin").update());
    }

    private void commit(C context) {
        try {
            context.beforeCommit();
        } catch (SQLException e) {
            throw faults.beforeCommit(e);
        }
        try {
            statements().get("commit").update();
        } catch (SQLException e) {
            throw faults.atCommit(e);
        }
    }

    private void rollBack(Throwable why) {
        factory.rolledBack();
        try {
            statements().get("rollback").update();
        } catch (SQLException e) {
            // SQLite has rolled back by itself after some errors; whatever else it is, a new connection is clean.
            why.addSuppressed(e);
            disconnect();
        }
        var cause = why instanceof BrokerException ? why.getCause() : why;
        if (cause instanceof SQLException sql && Faults.isConnectionLost(sql)) {
            disconnect();
        }
    }

    private void connect() throws SQLException {
        var opened = file.openWriter();
        connection = opened;
        statements = new Statements(opened, sql);
        onConnected.run();
    }

    private void disconnect() {
        Closing.quietly(statements);
        Closing.quietly(connection);
        statements = null;
        connection = null;
    }

    private void takeAll(List<Call<C, ?>> batch) {
        for (var call = waiting.poll(); call != null; call = waiting.poll()) {
            batch.add(call);
        }
    }

    private Connection connection() {
        return java.util.Objects.requireNonNull(connection, "connected");
    }

    private Statements statements() {
        return java.util.Objects.requireNonNull(statements, "connected");
    }

    /** A call failed after it had written: the whole transaction is undone. */
    private static final class Spoiled extends Exception {
        private static final long serialVersionUID = 1;

        private final transient Throwable error;

        Spoiled(Throwable error) {
            super(error);
            this.error = error;
        }
    }
}
