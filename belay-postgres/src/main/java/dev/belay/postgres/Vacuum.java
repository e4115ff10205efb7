package dev.belay.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the server reclaim the rows of jobs that are done. Its own autovacuum looks once a minute, and by then a busy queue has
 * left a million dead rows for each lease to pass. Several processes don't wait for each other here: a table that one is at is
 * left out by the others. A role that does not own the tables may not do this: then autovacuum does it alone. Safe for use by
 * many threads.
 */
final class Vacuum implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Vacuum.class);

    /** Tables whose rows live for a moment. */
    private static final List<String> TABLES =
            List.of("place", "flight", "job", "session_call", "client_call", "queue_change", "event_change");

    private static final long LOOK_MILLIS = 1_000;
    private static final long SETTLES = 10_000;
    private static final long NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Of a warning that is none of the server's special ones: here, that the role may not do it. */
    private static final String NOT_ALLOWED = "01000";

    private final Listener.Source source;
    private final String statement;
    private final AtomicLong settles = new AtomicLong();
    private final AtomicBoolean started = new AtomicBoolean();
    /** What is handed to it after the close is dropped: a settle that is just returning must not fail for it. */
    private final ScheduledExecutorService thread = new ScheduledThreadPoolExecutor(
            1,
            run -> {
                var made = new Thread(run, "belay-postgres-vacuum");
                made.setDaemon(true);
                return made;
            },
            new ThreadPoolExecutor.DiscardPolicy());

    private long lastAt = System.nanoTime();
    private @Nullable Connection connection;
    private volatile @Nullable Statement running;

    Vacuum(Listener.Source source, String schema) {
        this.source = source;
        this.statement = TABLES.stream()
                .map(table -> schema + "." + table)
                .collect(Collectors.joining(", ", "VACUUM (SKIP_LOCKED, TRUNCATE FALSE) ", ""));
    }

    /** So many jobs were settled. */
    void settled(int jobs) {
        settles.addAndGet(jobs);
        if (!started.getAndSet(true)) {
            thread.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        var due = settles.get();
        var idle = System.nanoTime() - lastAt > NANOS;
        if (due >= SETTLES || (due > 0 && idle)) {
            run();
            settles.addAndGet(-due);
            lastAt = System.nanoTime();
        } else if (idle) {
            disconnect();
        }
    }

    private void run() {
        try {
            if (connection == null) {
                connection = source.open();
                connection.setAutoCommit(true);
            }
            try (var vacuum = connection.createStatement()) {
                running = vacuum;
                vacuum.execute(statement);
                if (isRefused(vacuum)) {
                    giveUp();
                }
            }
        } catch (SQLException e) {
            if (PostgresFaults.isNotAllowed(e)) {
                giveUp();
                return;
            }
            LOG.debug("A vacuum of the store's tables failed; it is tried again later", e);
            disconnect();
        } finally {
            running = null;
        }
    }

    /** Whether nothing will be vacuumed any more. */
    boolean isOver() {
        return thread.isTerminated();
    }

    private void giveUp() {
        LOG.info(
                "The role of this store's connections does not own its tables, so it can't have them vacuumed: autovacuum"
                        + " does that alone, once a minute");
        thread.shutdown();
        disconnect();
    }

    private static boolean isRefused(Statement vacuum) throws SQLException {
        for (SQLWarning warning = vacuum.getWarnings(); warning != null; warning = warning.getNextWarning()) {
            if (NOT_ALLOWED.equals(warning.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private void cancel() {
        var vacuum = running;
        if (vacuum != null) {
            try {
                vacuum.cancel();
            } catch (SQLException e) {
                LOG.debug("A vacuum could not be cancelled", e);
            }
        }
    }

    private void disconnect() {
        var open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                LOG.debug("A connection could not be closed", e);
            }
        }
    }

    /** Cancels one that is under way. */
    @Override
    public void close() {
        thread.shutdown();
        cancel();
        var interrupted = false;
        try {
            if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.debug("A vacuum is still under way; it ends with its connection");
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        disconnect();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
