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
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The ledger in a table of PostgreSQL or SQLite. Thread-safe. */
public final class JdbcLedger implements Ledger {

    /** Somebody changes the row between each look and the next: that ends. */
    private static final int LOOKS = 1_000;

    private final Database database;
    private final Duration retention;
    private final Duration patience;
    private final Keeper keeper;
    private final Runnable onClose;

    JdbcLedger(Database database, LedgerBuilder settings, Runnable onClose) {
        this.database = database;
        this.retention = settings.retention;
        this.patience = settings.patience;
        this.onClose = onClose;
        keeper = new Keeper(database, settings);
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
        var hash = Hash.of(claim.scope(), claim.key());
        for (var looks = 0; looks < LOOKS; looks++) {
            // A recorded key, the usual case of a later delivery, costs one read.
            var row = row(hash);
            var answer = row == null ? null : seen(row, claim, owners);
            if (answer == null) {
                answer = tried(row, hash, claim);
            }
            if (answer != null) {
                return answer;
            }
        }
        throw new LedgerException(
                "effect " + claim.name() + " was changed by somebody else between each of " + LOOKS + " looks", null);
    }

    /** What can be said of a row without changing it: asked before anything is locked, as a broker may take its time. */
    private @Nullable Reservation seen(Row row, Claim claim, OwnerCheck owners) {
        var answer = Reserving.read(row, claim);
        var owner = row.owner();
        if (answer != null || row.state() != LedgerEntry.State.PENDING || owner == null) {
            return answer;
        }
        return database.statement(sql -> Reserving.mayAct(sql, owner, claim.owner(), owners))
                ? new Reservation.InProgress(Reserving.name(owner), row.updatedAt())
                : null;
    }

    private @Nullable Reservation tried(@Nullable Row row, byte[] hash, Claim claim) {
        try {
            var answer = database.keyed(sql -> Optional.ofNullable(reserved(sql, row, hash, claim)))
                    .orElse(null);
            if (answer instanceof Reservation.Reserved) {
                refuseEndedSession(claim);
            }
            return answer;
        } catch (KeyLocked e) {
            return new Reservation.InProgress("a transaction that holds the key", null);
        } catch (LedgerException e) {
            // It may be reserved all the same, and the effect will not be made.
            keeper.settleLater(claim, claim.atMostOnce() ? Keeper.RELEASE : Keeper.ABANDON);
            throw e;
        }
    }

    private static @Nullable Reservation reserved(Sql sql, @Nullable Row row, byte[] hash, Claim claim)
            throws SQLException {
        return row == null ? Reserving.insert(sql, hash, claim) : Reserving.take(sql, row, claim);
    }

    /** A process that stood still may have been ended: what it reserves then, others take over at once. */
    private void refuseEndedSession(Claim claim) {
        if (claim.owner() instanceof Owner.Caller caller
                && !database.statement(sql -> Reserving.isLive(sql, caller.session()))) {
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
                && row.state() == left
                && row.owner() != null
                && row.owner().session().equals(owner.session())
                && row.owner().token() == owner.token();
    }

    private static Bound owned(Bound bound, byte[] hash, Owner owner) throws SQLException {
        return bound.set("hash", hash).set("session", owner.session().value()).set("token", owner.token());
    }

    private long retention(Claim claim) {
        return (claim.retention() == null ? retention : claim.retention()).toMillis();
    }

    @Override
    public Reservation inTransaction(Claim claim, OwnerCheck owners, Work work) throws Exception {
        var hash = Hash.of(claim.scope(), claim.key());
        for (var looks = 0; looks < LOOKS; looks++) {
            var row = row(hash);
            var known = row == null ? null : seen(row, claim, owners);
            var answer = known == null ? within(row, hash, claim, work) : known;
            if (answer != null) {
                return answer;
            }
        }
        throw new LedgerException(
                "effect " + claim.name() + " was changed by somebody else between each of " + LOOKS + " looks", null);
    }

    /** One try; null where somebody else was faster. */
    private @Nullable Reservation within(@Nullable Row row, byte[] hash, Claim claim, Work work) throws Exception {
        try {
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
        } catch (KeyLocked e) {
            return new Reservation.InProgress("a transaction that holds the key", null);
        }
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
