package dev.belay.ledger;

import dev.belay.jdbc.Bound;
import dev.belay.jdbc.Rows;
import dev.belay.once.Claim;
import dev.belay.once.Owner;
import dev.belay.once.OwnerCheck;
import dev.belay.once.Reservation;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Who may make an effect. A row is inserted, or taken over by its version: the database decides who was first. What changes
 * one answers null where somebody else was faster, and the row has to be read again.
 */
final class Reserving {

    private Reserving() {}

    /** A row that was removed and made anew is another one: who has read the old one must not change it. */
    static long firstVersion() {
        return ThreadLocalRandom.current().nextLong() >>> 2;
    }

    /**
     * The answer to a look.
     *
     * @param row as it was found; null where there is none, or this look has made it
     * @param isReserved whether this look has reserved the key
     */
    record Look(@Nullable Row row, boolean isReserved) {}

    /** Reads a key, or reserves it where it is free, in one statement. */
    static Look readOrInsert(Sql sql, byte[] hash, Claim claim) throws SQLException {
        return filled(sql.timed("read-or-reserve"), hash, claim)
                .returning(row -> new Look(row.getBytes(1) == null ? null : Row.read(row), row.getBoolean(21)))
                .get(0);
    }

    /** Reserves a key that was seen to be free. */
    static @Nullable Reservation insert(Sql sql, byte[] hash, Claim claim) throws SQLException {
        return filled(sql.timed("reserve"), hash, claim).update() == 1 ? new Reservation.Reserved(false) : null;
    }

    private static Bound filled(Bound insert, byte[] hash, Claim claim) throws SQLException {
        insert.set("hash", hash)
                .set("scope", claim.scope())
                .set("key", claim.key())
                .set("fingerprint", fingerprint(claim))
                .set("version", firstVersion())
                .set("atMostOnce", claim.atMostOnce() ? 1 : 0);
        return owned(insert, claim.owner());
    }

    /** What a row says by itself; null where more has to be known, or done. */
    static @Nullable Reservation read(LedgerEntry entry, Claim claim) {
        var recorded = entry.fingerprint();
        var given = claim.fingerprint();
        if (recorded != null && given != null && !recorded.equals(given) && !isOwn(entry, claim)) {
            return new Reservation.Conflict(recorded, given, entry.createdAt());
        }
        return switch (entry.state()) {
            case COMPLETED ->
                new Reservation.Recorded(entry.result(), entry.encoding() == null ? "" : entry.encoding());
            case FAILED_FINAL ->
                isReplayed(entry, claim)
                        ? null
                        : new Reservation.Failed(entry.error() == null ? "" : entry.error(), entry.updatedAt());
            case PENDING -> entry.unknownAt() == null ? null : new Reservation.Unknown(entry.unknownAt());
        };
    }

    /**
     * Takes a row whose owner can't act any more, or what failed for good before a replay; leaves it in doubt where nobody can
     * say whether the call was made, and it must not be made twice: the next look finds it so.
     */
    static @Nullable Reservation take(Sql sql, Row row, Claim claim) throws SQLException {
        var mayHaveHappened = row.entry().state() == LedgerEntry.State.PENDING;
        if (!mayHaveHappened || (!row.entry().atMostOnce() && !claim.atMostOnce())) {
            return takeOver(sql, row, claim);
        }
        sql.timed("doubt-read")
                .set("hash", row.hash())
                .set("version", row.version())
                .update();
        return null;
    }

    private static @Nullable Reservation takeOver(Sql sql, Row row, Claim claim) throws SQLException {
        var update = sql.timed("take-over")
                .set("hash", row.hash())
                .set("version", row.version())
                .set("atMostOnce", claim.atMostOnce() ? 1 : 0)
                .set("fingerprint", fingerprint(claim));
        return owned(update, claim.owner()).update() == 1 ? new Reservation.Reserved(true) : null;
    }

    /** Whether the delivery that owns a row may still act. */
    static boolean mayAct(Owner.Delivery owner, Owner claimant, OwnerCheck owners) {
        // A job has one valid lease, and its tokens grow: a newer delivery is the proof that the older one is over.
        if (claimant instanceof Owner.Delivery next && isSameJob(owner, next) && next.token() > owner.token()) {
            return false;
        }
        return owners.mayAct(owner);
    }

    /** What its own job has reserved it may ask for in another way. */
    private static boolean isOwn(LedgerEntry entry, Claim claim) {
        return entry.state() == LedgerEntry.State.PENDING
                && entry.owner() instanceof Owner.Delivery before
                && claim.owner() instanceof Owner.Delivery now
                && isSameJob(before, now);
    }

    private static boolean isSameJob(Owner.Delivery one, Owner.Delivery other) {
        return one.store().equals(other.store())
                && one.lease().queue().equals(other.lease().queue())
                && one.lease().job().equals(other.lease().job());
    }

    private static boolean isReplayed(LedgerEntry entry, Claim claim) {
        return entry.owner() instanceof Owner.Delivery before
                && claim.owner() instanceof Owner.Delivery now
                && isSameJob(before, now)
                && now.replays() > before.replays();
    }

    static String name(Owner owner) {
        return owner instanceof Owner.Delivery delivery
                ? "job " + delivery.lease()
                : "a caller outside of any job (session " + owner.session() + ")";
    }

    private static byte @Nullable [] fingerprint(Claim claim) {
        return claim.fingerprint() == null ? null : claim.fingerprint().bytes();
    }

    private static Bound owned(Bound bound, Owner owner) throws SQLException {
        var delivery = owner instanceof Owner.Delivery of ? of : null;
        return bound.set("store", delivery == null ? null : delivery.store())
                .set("queue", delivery == null ? null : delivery.lease().queue())
                .set(
                        "job",
                        delivery == null
                                ? null
                                : Rows.bytes(delivery.lease().job().value()))
                .set("replays", delivery == null ? null : (Long) (long) delivery.replays())
                .set("session", owner.session().value())
                .set("token", owner.token());
    }
}
