package dev.belay.ledger;

import dev.belay.jdbc.Bound;
import dev.belay.jdbc.Rows;
import dev.belay.job.SessionId;
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

    /** Reserves a key that was seen to be free. */
    static @Nullable Reservation insert(Sql sql, byte[] hash, Claim claim) throws SQLException {
        var insert = sql.timed("reserve")
                .set("hash", hash)
                .set("scope", claim.scope())
                .set("key", claim.key())
                .set("fingerprint", fingerprint(claim))
                .set("version", firstVersion())
                .set("atMostOnce", claim.atMostOnce() ? 1 : 0);
        return owned(insert, claim.owner()).update() == 1 ? new Reservation.Reserved(false) : null;
    }

    /** A row that was removed and made anew is another one: who has read the old one must not change it. */
    static long firstVersion() {
        return ThreadLocalRandom.current().nextLong() >>> 2;
    }

    /** What a row says by itself; null where more has to be known, or done. */
    static @Nullable Reservation read(Row row, Claim claim) {
        if (!isSameJob(row, claim) && isConflict(row, claim)) {
            return new Reservation.Conflict(
                    java.util.Objects.requireNonNull(row.fingerprint()),
                    java.util.Objects.requireNonNull(claim.fingerprint()),
                    row.createdAt());
        }
        return switch (row.state()) {
            case COMPLETED -> new Reservation.Recorded(row.result(), row.encoding() == null ? "" : row.encoding());
            case FAILED_FINAL ->
                isReplayed(row, claim)
                        ? null
                        : new Reservation.Failed(row.error() == null ? "" : row.error(), row.updatedAt());
            case PENDING -> row.unknownAt() == null ? null : new Reservation.Unknown(row.unknownAt());
        };
    }

    /**
     * Takes a row whose owner can't act any more, or what failed for good before a replay; leaves it in doubt where nobody can
     * say whether the call was made, and it must not be made twice: the next look finds it so.
     */
    static @Nullable Reservation take(Sql sql, Row row, Claim claim) throws SQLException {
        var mayHaveHappened = row.state() == LedgerEntry.State.PENDING;
        if (!mayHaveHappened || (!row.atMostOnce() && !claim.atMostOnce())) {
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

    /** Whether the owner of a row may still act. Only leases and sessions say so, never the time that has passed. */
    static boolean mayAct(Sql sql, Owner owner, Owner claimant, OwnerCheck owners) throws SQLException {
        if (owner instanceof Owner.Caller caller) {
            return isLive(sql, caller.session());
        }
        var delivery = (Owner.Delivery) owner;
        // A job has one valid lease, and its tokens grow: a newer delivery is the proof that the older one is over.
        if (claimant instanceof Owner.Delivery next && isSameJob(delivery, next) && next.token() > delivery.token()) {
            return false;
        }
        return owners.mayAct(delivery);
    }

    /** Whether the session of a process is there. */
    static boolean isLive(Sql sql, SessionId session) throws SQLException {
        return sql.untimed("session-find").set("id", session.value()).number(0) == 1;
    }

    private static boolean isConflict(Row row, Claim claim) {
        var recorded = row.fingerprint();
        var given = claim.fingerprint();
        return recorded != null && given != null && !recorded.equals(given);
    }

    private static boolean isSameJob(Row row, Claim claim) {
        return row.state() == LedgerEntry.State.PENDING
                && row.owner() instanceof Owner.Delivery before
                && claim.owner() instanceof Owner.Delivery now
                && isSameJob(before, now);
    }

    private static boolean isSameJob(Owner.Delivery one, Owner.Delivery other) {
        return one.store().equals(other.store())
                && one.lease().queue().equals(other.lease().queue())
                && one.lease().job().equals(other.lease().job());
    }

    private static boolean isReplayed(Row row, Claim claim) {
        return row.owner() instanceof Owner.Delivery before
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
