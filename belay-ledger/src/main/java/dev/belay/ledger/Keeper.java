package dev.belay.ledger;

import dev.belay.jdbc.Rows;
import dev.belay.job.SessionId;
import dev.belay.once.Claim;
import dev.belay.once.LedgerException;
import dev.belay.once.Owner;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a process does for the ledger in the background: moves the deadline of its own session, looks at those of others, and
 * removes what has expired. It registers a session once somebody claims outside of a job.
 */
final class Keeper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);

    static final String ABANDON = "abandon";
    static final String DOUBT = "doubt";
    static final String RELEASE = "release";

    private static final int EXPIRE_BATCH = 500;
    private static final long EXPIRE_NANOS = Duration.ofSeconds(10).toNanos();

    private final Database database;
    private final LedgerBuilder settings;
    private final AtomicLong tokens = new AtomicLong();
    private final Queue<Unsettled> unsettled = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::run, "belay-ledger");
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Held while a statement of the unsettled is under way: none may come after a new claim. */
    private final ReentrantLock settling = new ReentrantLock();

    private @Nullable SessionId session;
    private volatile boolean closed;
    private long contactSince = System.nanoTime();

    Keeper(Database database, LedgerBuilder settings) {
        this.database = database;
        this.settings = settings;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** A new claimant of this process's session. */
    Owner.Caller caller() {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("this ledger is closed: open another one");
            }
            if (session == null) {
                session = register();
            }
            return new Owner.Caller(session, tokens.incrementAndGet());
        } finally {
            lock.unlock();
        }
    }

    /** Every try uses a new id: one whose reply was lost ends by itself. */
    private SessionId register() {
        var id = SessionId.next();
        database.write(sql -> sql.timed("session-add")
                .set("id", id.value())
                .set("name", "process " + ProcessHandle.current().pid())
                .set("life", settings.life.toMillis())
                .update());
        return id;
    }

    /** An attempt is over, but could not be told: else it would hold its key, or leave it in doubt, for nothing. */
    void settleLater(Claim claim, String statement) {
        unsettled.add(new Unsettled(claim, statement));
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * What could not be told of an attempt is told before the key is claimed anew: a new claim of the same delivery would
     * meet, or lose, what is over.
     */
    void settleBefore(Claim claim) {
        if (unsettled.stream().anyMatch(each -> each.isOf(claim))) {
            settling.lock();
            try {
                settleUnsettled();
            } finally {
                settling.unlock();
            }
        }
    }

    private record Unsettled(Claim claim, String statement) {
        boolean isOf(Claim other) {
            return claim.key().equals(other.key()) && claim.scope().equals(other.scope());
        }
    }

    private void run() {
        var nextBeat = System.nanoTime();
        var nextExpiry = System.nanoTime() + ThreadLocalRandom.current().nextLong(EXPIRE_NANOS);
        while (!closed) {
            try {
                if (System.nanoTime() - nextBeat >= 0) {
                    beat();
                    nextBeat = System.nanoTime() + settings.beat.toNanos();
                }
                if (settling.tryLock()) {
                    try {
                        settleUnsettled();
                    } finally {
                        settling.unlock();
                    }
                }
                look();
                if (System.nanoTime() - nextExpiry >= 0) {
                    expire();
                    nextExpiry = System.nanoTime() + EXPIRE_NANOS;
                }
            } catch (LedgerException e) {
                contactSince = System.nanoTime();
                LOG.warn("The ledger's database does not answer; trying again: {}", e.getMessage());
            } catch (RuntimeException e) {
                contactSince = System.nanoTime();
                LOG.error("The ledger's background work failed; trying again", e);
            }
            await();
        }
    }

    /** Jittered, so that processes don't look at the same time; never longer than the interval. */
    private void await() {
        var interval = settings.lookInterval.toNanos();
        lock.lock();
        try {
            if (!closed) {
                changed.awaitNanos(ThreadLocalRandom.current().nextLong(interval / 2, interval + 1));
            }
        } catch (InterruptedException e) {
            // Nobody but close ends this thread.
            LOG.debug("Interrupted while waiting", e);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable SessionId session() {
        lock.lock();
        try {
            return session;
        } finally {
            lock.unlock();
        }
    }

    /** A session turned out to be ended: the next caller gets another one. */
    void ended(SessionId which) {
        lock.lock();
        try {
            if (which.equals(session)) {
                session = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private void beat() {
        var own = session();
        if (own == null) {
            return;
        }
        var moved = database.write(sql -> sql.timed("session-beat")
                .set("id", own.value())
                .set("life", settings.life.toMillis())
                .update());
        if (moved == 0) {
            LOG.warn("This process's ledger session was ended while it was away: the next caller gets a new one");
            ended(own);
        }
    }

    private void settleUnsettled() {
        for (var next = unsettled.peek(); next != null; next = unsettled.peek()) {
            var claim = next.claim();
            var statement = next.statement();
            database.write(sql -> (statement.equals(RELEASE) ? sql.untimed(statement) : sql.timed(statement))
                    .set("hash", Hash.of(claim.scope(), claim.key()))
                    .set("session", claim.owner().session().value())
                    .set("token", claim.owner().token())
                    .update());
            unsettled.remove();
        }
    }

    /** A session past its deadline, as it was read. */
    private record Late(
            SessionId id, @Nullable Long markedAt, @Nullable Long lookedAt, long now) {}

    /**
     * Takes looks, not time: a session is ended once its mark has stood for the grace, with looks all along. A look that comes
     * late sets the mark anew, and one by a process that has just reached the database ends nothing: so an outage costs the
     * living nothing.
     */
    private void look() {
        List<Late> late = database.statement(sql -> sql.timed("sessions-late")
                .list(row -> new Late(
                        new SessionId(Rows.uuid(row.getBytes(1))),
                        Rows.optionalLong(row, 2),
                        Rows.optionalLong(row, 3),
                        row.getLong(4))));
        var isNew = System.nanoTime() - contactSince < settings.grace.toNanos();
        var own = session();
        for (var each : late) {
            if (each.id().equals(own)) {
                // Late because the clock jumped, or this process stood still: it lives, so it says so.
                beat();
            } else {
                look(each, isNew);
            }
        }
    }

    private void look(Late session, boolean isNew) {
        var markedAt = session.markedAt();
        var lookedAt = session.lookedAt();
        var interval = settings.lookInterval.toMillis();
        if (markedAt == null || lookedAt == null) {
            mark(session, session.now());
        } else if (isNew || session.now() - lookedAt < interval / 2) {
            return;
        } else if (session.now() - lookedAt > 2 * interval) {
            mark(session, session.now());
        } else if (session.now() - markedAt >= settings.grace.toMillis()) {
            database.write(sql -> sql.untimed("session-end-marked")
                    .set("id", session.id().value())
                    .set("markedAt", markedAt)
                    .update());
        } else {
            mark(session, markedAt);
        }
    }

    private void mark(Late session, long at) {
        database.write(sql -> sql.timed("session-mark")
                .set("id", session.id().value())
                .set("markedAt", at)
                .update());
    }

    private void expire() {
        int removed;
        do {
            removed = database.write(
                    sql -> sql.timed("expire").set("limit", (long) EXPIRE_BATCH).update());
        } while (removed == EXPIRE_BATCH && !closed);
    }

    @Override
    public void close() {
        SessionId own;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            own = session;
            session = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
            if (own != null) {
                var id = own;
                database.write(
                        sql -> sql.untimed("session-end").set("id", id.value()).update());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (LedgerException e) {
            LOG.info("This process's ledger session could not be ended: another process will; {}", e.getMessage());
        }
    }
}
