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
            var answer = row == null ? null : Reserving.read(row, claim);
            if (answer == null) {
                answer = tried(row, hash, claim, owners);
            }
            if (answer != null) {
                return answer;
            }
        }
        throw new LedgerException(
                "effect " + claim.name() + " was changed by somebody else between each of " + LOOKS + " looks", null);
    }

    private @Nullable Reservation tried(@Nullable Row row, byte[] hash, Claim claim, OwnerCheck owners) {
        try {
            return database.write(sql -> Optional.ofNullable(
                            row == null
                                    ? Reserving.insert(sql, hash, claim)
                                    : Reserving.judge(sql, row, claim, owners)))
                    .orElse(null);
        } catch (LedgerException e) {
            // It may be reserved all the same, and the effect will not be made.
            keeper.settleLater(claim, claim.atMostOnce() ? Keeper.RELEASE : Keeper.ABANDON);
            throw e;
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
            var known = row == null ? null : Reserving.read(row, claim);
            var answer = known == null ? within(hash, claim, owners, work) : known;
            if (answer != null) {
                return answer;
            }
        }
        throw new LedgerException(
                "effect " + claim.name() + " was changed by somebody else between each of " + LOOKS + " looks", null);
    }

    /** One try; null where somebody else was faster, and has committed. */
    private @Nullable Reservation within(byte[] hash, Claim claim, OwnerCheck owners, Work work) throws Exception {
        try {
            return database.transaction(sql -> {
                        var reserved = reserved(sql, hash, claim, owners);
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

    private @Nullable Reservation reserved(Sql sql, byte[] hash, Claim claim, OwnerCheck owners) throws SQLException {
        var postgres = database.dialect() == Dialect.POSTGRESQL;
        try {
            if (postgres) {
                waitFor(sql, "'5s'");
            }
            var reserved = Reserving.insert(sql, hash, claim);
            if (reserved == null) {
                reserved = judged(sql, find(sql, hash), claim, owners);
            }
            if (postgres) {
                waitFor(sql, "DEFAULT");
            }
            return reserved;
        } catch (SQLException e) {
            if (database.dialect().isLocked(e)) {
                throw new KeyLocked();
            }
            throw e;
        }
    }

    /** Another transaction has the key, and did not end within the wait. */
    private static final class KeyLocked extends RuntimeException {
        private static final long serialVersionUID = 1;

        KeyLocked() {
            super("locked", null, false, false);
        }
    }

    private static @Nullable Reservation judged(Sql sql, @Nullable Row row, Claim claim, OwnerCheck owners)
            throws SQLException {
        var answer = row == null ? null : Reserving.read(row, claim);
        return row == null || answer != null ? answer : Reserving.judge(sql, row, claim, owners);
    }

    /** Who waits for another's transaction on the same key waits not for ever; what the caller does then has its own wait. */
    private static void waitFor(Sql sql, String wait) throws SQLException {
        try (var set = sql.connection().createStatement()) {
            set.execute("SET LOCAL lock_timeout TO " + wait);
        }
    }

    @Override
    public void close() {
        keeper.close();
        onClose.run();
    }
}
