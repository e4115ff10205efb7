package dev.belay.postgres;

import dev.belay.sql.step.Signals;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears the signals of other broker objects, while anybody listens, on a connection of its own. Signals are hints, and
 * whoever waits polls as well: so while the connection is away nothing is lost but speed. A thread of its own, started by the
 * first who listens.
 */
final class Listener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    /** How long it waits for a signal before it looks whether the connection still stands. */
    private static final int WAIT_MILLIS = 10_000;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONG_PAUSE = Duration.ofSeconds(2);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** Opens connections outside of the pools. */
    interface Source {
        Connection open() throws SQLException;
    }

    private final Source source;
    private final Node node;
    private final Signals signals;
    private final Watermarks watermarks;
    private final boolean listens;
    private final Object pauses = new Object();
    private @Nullable Thread thread;
    private volatile @Nullable Connection connection;
    private volatile boolean closed;

    /** @param listens false where nothing can be heard: then it does nothing */
    Listener(Source source, Node node, Signals signals, Watermarks watermarks, boolean listens) {
        this.source = source;
        this.node = node;
        this.signals = signals;
        this.watermarks = watermarks;
        this.listens = listens;
    }

    /** Starts listening, unless that was done before. */
    synchronized void start() {
        if (thread == null && !closed && listens) {
            var started = new Thread(this::run, "belay-postgres-listen");
            started.setDaemon(true);
            started.start();
            thread = started;
        }
    }

    private void run() {
        var pause = FIRST_PAUSE;
        while (!closed) {
            try (var opened = source.open()) {
                connection = opened;
                listen(opened);
                pause = FIRST_PAUSE;
                LOG.debug("signals are heard on channel {}", node.channel());
                while (!closed) {
                    hear(opened);
                }
            } catch (SQLException | RuntimeException e) {
                if (!closed) {
                    tell(pause, e);
                    pause(pause);
                    pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
                }
            } finally {
                connection = null;
            }
        }
    }

    /** A connection may end at any time: only one that does not come back is worth somebody's attention. */
    private static void tell(Duration pause, Exception e) {
        var text = "signals are not heard; workers find jobs by polling meanwhile: {}";
        if (pause.compareTo(LONG_PAUSE) < 0) {
            LOG.info(text, e.getMessage());
        } else {
            LOG.warn(text, e.getMessage());
        }
    }

    private void listen(Connection on) throws SQLException {
        on.setAutoCommit(true);
        try (var statement = on.createStatement()) {
            statement.execute("LISTEN " + node.channel());
        }
    }

    private void hear(Connection on) throws SQLException {
        var heard = on.unwrap(PGConnection.class).getNotifications(WAIT_MILLIS);
        if (heard == null || heard.length == 0) {
            if (!on.isValid((int) Duration.ofMillis(WAIT_MILLIS).toSeconds())) {
                throw new SQLException("the connection that listens is gone");
            }
            return;
        }
        for (var one : heard) {
            var signal = node.read(one.getParameter());
            if (signal != null) {
                watermarks.lower(signal.queue(), signal.at());
                signals.call(signal.queue(), signal.everybody());
            }
        }
    }

    private void pause(Duration pause) {
        synchronized (pauses) {
            var until = System.nanoTime() + pause.toNanos();
            for (var left = pause.toMillis(); !closed && left > 0; left = (until - System.nanoTime()) / 1_000_000) {
                try {
                    pauses.wait(left);
                } catch (InterruptedException e) {
                    // Nobody but close() ends this thread, and that sets the flag.
                    LOG.debug("interrupted while pausing", e);
                }
            }
        }
    }

    /** Closes the connection, as a fault would: for tests. */
    void breakConnection() {
        abort();
    }

    private void abort() {
        var open = connection;
        if (open != null) {
            try {
                // Ends a read that is under way, which close() would wait for.
                open.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("the connection that listens could not be aborted", e);
            }
        }
    }

    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            closed = true;
            running = thread;
        }
        synchronized (pauses) {
            pauses.notifyAll();
        }
        abort();
        if (running == null || running.equals(Thread.currentThread())) {
            return;
        }
        var interrupted = false;
        while (running.isAlive()) {
            try {
                running.join(100);
                // It may have connected just after it was told.
                abort();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
