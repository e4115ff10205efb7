package dev.belay.ledger;

import dev.belay.jdbc.Bound;
import dev.belay.once.Claim;
import dev.belay.once.Ledger;
import dev.belay.once.LedgerException;
import dev.belay.once.Owner;
import dev.belay.once.OwnerCheck;
import dev.belay.once.Reservation;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The ledger in a table of PostgreSQL or SQLite. Thread-safe. */
public final class JdbcLedger implements Ledger {

    /** Somebody changes the row between each look and the next: that ends. */
    private static final int LOOKS = 1_000;

    private static final Reservation LOCKED = new Reservation.InProgress("a transaction that holds the key", null);

    private final Database database;
    private final Duration retention;
    private final Duration patience;
    private final Duration life;
    private final Keeper keeper;
    private final Runnable onClose;

    /** @param aside the same database, by connections that callers can't exhaust */
    JdbcLedger(Database database, Database aside, LedgerBuilder settings, Runnable onClose) {
        this.database = database;
        this.retention = settings.retention;
        this.patience = settings.patience;
        this.onClose = onClose;
        life = settings.life;
        keeper = new Keeper(aside, settings);
        keeper.start();
    }

    /**
     * Opens the ledger in an SQLite file, which is made where it is not there; it may be the broker's own.
     *
     * @throws LedgerException where the file can't be opened
     */
    public static JdbcLedger open(Path file) {
        return LedgerBuilder.of(file).open();
    }

    /**
     * Opens the ledger in a database of the caller's own; its tables are made where they are not there.
     *
     * @param source hands out connections; stays the caller's to close
     * @throws LedgerException where the database can't be reached
     */
    public static JdbcLedger open(DataSource source) {
        return LedgerBuilder.of(source).open();
    }

    /** The side of people: to list, show, resolve and free what is recorded. */
    public LedgerAdmin admin() {
        return new LedgerAdmin(database, retention);
    }

    @Override
    public Owner.Caller caller() {
        return keeper.caller();
    }

    @Override
    public Reservation reserve(Claim claim, OwnerCheck owners) {
        keeper.settleBefore(claim);
        var hash = Hash.of(claim.scope(), claim.key());
        try {
            for (var looks = 0; looks < LOOKS; looks++) {
                var answer = database.insertsInQueries() ? inOneTrip(hash, claim, owners) : inTwo(hash, claim, owners);
                if (answer != null) {
                    return answer;
                }
            }
        } catch (KeyLocked e) {
            return LOCKED;
        }
        throw changedTooOften(claim);
    }

    private static LedgerException changedTooOften(Claim claim) {
        return new LedgerException(
                "effect " + claim.name() + " was changed by somebody else between each of " + LOOKS + " looks", null);
    }

    /** A recorded key, the usual case of a later delivery, costs one read; null where somebody else was faster. */
    private @Nullable Reservation inTwo(byte[] hash, Claim claim, OwnerCheck owners) {
        var row = row(hash);
        if (row != null) {
            return answered(row, hash, claim, owners);
        }
        var answer = reserving(claim, Keeper.RELEASE, () -> changed(sql -> Reserving.insert(sql, hash, claim)));
        if (answer != null) {
            refuseEndedSession(claim);
        }
        return answer;
    }

    /** As {@link #inTwo}, where reading and inserting are one statement. */
    private @Nullable Reservation inOneTrip(byte[] hash, Claim claim, OwnerCheck owners) {
        var asked = System.nanoTime();
        var look = reserving(
                claim, Keeper.RELEASE, () -> database.keyedStatement(sql -> Reserving.readOrInsert(sql, hash, claim)));
        if (look.row() != null) {
            return answered(look.row(), hash, claim, owners);
        }
        if (!look.isReserved() || System.nanoTime() - asked > life.toNanos()) {
            // The statement looks at the session by itself; but its reply may have been long on its way.
            refuseEndedSession(claim);
        }
        return look.isReserved() ? new Reservation.Reserved(false) : null;
    }

    private @Nullable Reservation answered(Row row, byte[] hash, Claim claim, OwnerCheck owners) {
        var answer = seen(row, claim, owners);
        if (answer != null) {
            return answer;
        }
        var taken = reserving(
                claim,
                claim.atMostOnce() ? Keeper.RELEASE : Keeper.ABANDON,
                () -> changed(sql -> reserved(sql, row, hash, claim)));
        if (taken instanceof Reservation.Reserved) {
            refuseEndedSession(claim);
        }
        return taken;
    }

    private @Nullable Reservation changed(Reserved work) {
        return database.keyed(sql -> Optional.ofNullable(work.by(sql))).orElse(null);
    }

    private interface Reserved {
        @Nullable
        Reservation by(Sql sql) throws SQLException;
    }

    /** Where the reply is lost, the key may be reserved all the same, and the effect will not be made. */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    private <T extends @Nullable Object> T reserving(Claim claim, String undo, Supplier<T> work) {
        try {
            return work.get();
        } catch (LedgerException e) {
            if (database.mayBeDone(e)) {
                keeper.settleLater(claim, undo);
            }
            throw e;
        }
    }

    /** What can be said of a row without changing it: asked before anything is locked, as a broker may take its time. */
    private @Nullable Reservation seen(Row row, Claim claim, OwnerCheck owners) {
        var entry = row.entry();
        var answer = Reserving.read(entry, claim);
        var owner = entry.owner();
        if (answer != null || entry.state() != LedgerEntry.State.PENDING || owner == null) {
            return answer;
        }
        return mayAct(owner, claim.owner(), owners)
                ? new Reservation.InProgress(Reserving.name(owner), entry.updatedAt())
                : null;
    }

    /** Whether the owner of a row may still act. Only leases and sessions say so, never the time that has passed. */
    private boolean mayAct(Owner owner, Owner claimant, OwnerCheck owners) {
        return owner instanceof Owner.Caller caller
                ? isLive(caller)
                : Reserving.mayAct((Owner.Delivery) owner, claimant, owners);
    }

    private boolean isLive(Owner.Caller caller) {
        return database.statement(sql ->
                sql.untimed("session-find").set("id", caller.session().value()).number(0) == 1);
    }

    private static @Nullable Reservation reserved(Sql sql, @Nullable Row row, byte[] hash, Claim claim)
            throws SQLException {
        return row == null ? Reserving.insert(sql, hash, claim) : Reserving.take(sql, row, claim);
    }

    /** A process that stood still may have been ended: what it reserves then, others take over at once. */
    private void refuseEndedSession(Claim claim) {
        if (claim.owner() instanceof Owner.Caller caller && !isLive(caller)) {
            keeper.ended(caller.session());
            throw new LedgerException(
                    "the ledger session of this process was ended while it stood still: effect " + claim.name()
                            + " was not made; call again",
                    null);
        }
    }

    private @Nullable Row row(byte[] hash) {
        return database.statement(sql -> Optional.ofNullable(find(sql, hash))).orElse(null);
    }

    private static @Nullable Row find(Sql sql, byte[] hash) throws SQLException {
        return sql.untimed("find").set("hash", hash).<@Nullable Row>first(Row::read);
    }

    @Override
    public boolean complete(Claim claim, byte @Nullable [] result, String encoding) {
        return settled(claim, LedgerEntry.State.COMPLETED, sql -> complete(sql, claim, result, encoding));
    }

    private Bound complete(Sql sql, Claim claim, byte @Nullable [] result, String encoding) throws SQLException {
        return sql.timed("complete")
                .set("result", result)
                .set("encoding", encoding)
                .set("retention", retention(claim));
    }

    @Override
    public boolean fail(Claim claim, String error) {
        return settled(
                claim,
                LedgerEntry.State.FAILED_FINAL,
                sql -> sql.timed("fail").set("error", error).set("retention", retention(claim)));
    }

    @Override
    public boolean abandon(Claim claim) {
        return settled(claim, null, sql -> sql.timed("abandon"));
    }

    @Override
    public boolean release(Claim claim) {
        return settled(claim, null, sql -> sql.untimed("release"));
    }

    @Override
    public boolean doubt(Claim claim) {
        return settled(claim, null, sql -> sql.timed("doubt"));
    }

    private interface Settle {
        Bound prepare(Sql sql) throws SQLException;
    }

    /**
     * Ends a reservation. Tries for a while: what is known of an effect should not be lost because the database is away.
     *
     * @param left what the row is in if this was done before, and only its reply was lost; null where it can't be told
     */
    private boolean settled(Claim claim, LedgerEntry.@Nullable State left, Settle settle) {
        var hash = Hash.of(claim.scope(), claim.key());
        var deadline = System.nanoTime() + patience.toNanos();
        var again = false;
        while (true) {
            try {
                var done = database.write(
                        sql -> owned(settle.prepare(sql), hash, claim.owner()).update() == 1);
                return done || (again && left != null && isLeftBy(hash, claim.owner(), left));
            } catch (LedgerException e) {
                again = true;
                if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
                    // Also where nothing was applied: what is known should not be lost.
                    keeper.settleLater(claim, claim.atMostOnce() ? Keeper.DOUBT : Keeper.ABANDON);
                    throw e;
                }
                LockSupport.parkNanos(this, Duration.ofMillis(200).toNanos());
            }
        }
    }

    private boolean isLeftBy(byte[] hash, Owner owner, LedgerEntry.State left) {
        var row = row(hash);
        return row != null
                && row.entry().state() == left
                && row.entry().owner() != null
                && row.entry().owner().session().equals(owner.session())
                && row.entry().owner().token() == owner.token();
    }

    private static Bound owned(Bound bound, byte[] hash, Owner owner) throws SQLException {
        return bound.set("hash", hash).set("session", owner.session().value()).set("token", owner.token());
    }

    private long retention(Claim claim) {
        return (claim.retention() == null ? retention : claim.retention()).toMillis();
    }

    @Override
    public Reservation inTransaction(Claim claim, OwnerCheck owners, Work work) throws Exception {
        keeper.settleBefore(claim);
        var hash = Hash.of(claim.scope(), claim.key());
        try {
            for (var looks = 0; looks < LOOKS; looks++) {
                var row = row(hash);
                var known = row == null ? null : seen(row, claim, owners);
                var answer = known == null ? within(row, hash, claim, work) : known;
                if (answer != null) {
                    return answer;
                }
            }
        } catch (KeyLocked e) {
            return LOCKED;
        }
        throw changedTooOften(claim);
    }

    /** One try; null where somebody else was faster. */
    private @Nullable Reservation within(@Nullable Row row, byte[] hash, Claim claim, Work work) throws Exception {
        return database.transaction(sql -> {
                    var reserved = boundly(sql, row, hash, claim);
                    if (!(reserved instanceof Reservation.Reserved)) {
                        return Optional.ofNullable(reserved);
                    }
                    var recorded = work.run(GuardedConnection.of(sql.connection()));
                    owned(complete(sql, claim, recorded.result(), recorded.encoding()), hash, claim.owner())
                            .update();
                    return Optional.<Reservation>of(recorded);
                })
                .orElse(null);
    }

    private @Nullable Reservation boundly(Sql sql, @Nullable Row row, byte[] hash, Claim claim) throws SQLException {
        try {
            database.boundWait(sql);
            var reserved = reserved(sql, row, hash, claim);
            database.freeWait(sql);
            return reserved;
        } catch (SQLException e) {
            throw database.keyLocked(e);
        }
    }

    @Override
    public void close() {
        keeper.close();
        onClose.run();
    }
}
