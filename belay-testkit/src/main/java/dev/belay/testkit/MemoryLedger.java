package dev.belay.testkit;

import dev.belay.job.Fingerprint;
import dev.belay.job.SessionId;
import dev.belay.once.Claim;
import dev.belay.once.Ledger;
import dev.belay.once.Owner;
import dev.belay.once.OwnerCheck;
import dev.belay.once.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A ledger in memory, by the test's time. It has no database, so no effects in one. Thread-safe. */
final class MemoryLedger implements Ledger {

    private static final Duration RETENTION = Duration.ofDays(30);

    private final InstantSource clock;
    private final Map<Key, Entry> entries = new HashMap<>();
    private final SessionId session = SessionId.next();
    private final AtomicLong tokens = new AtomicLong();

    MemoryLedger(InstantSource clock) {
        this.clock = clock;
    }

    private record Key(String scope, String key) {
        static Key of(Claim claim) {
            return new Key(claim.scope(), claim.key());
        }
    }

    /**
     * An effect as it is kept.
     *
     * @param end its answer once it is final; null before
     * @param owner null where the last attempt is over
     * @param expiresAt null before it is final
     */
    private record Entry(
            @Nullable Fingerprint fingerprint,
            boolean atMostOnce,
            @Nullable Owner owner,
            @Nullable Reservation end,
            Instant createdAt,
            Instant updatedAt,
            @Nullable Instant unknownAt,
            @Nullable Instant expiresAt) {

        boolean isOf(Owner other) {
            return end == null
                    && owner != null
                    && owner.session().equals(other.session())
                    && owner.token() == other.token();
        }
    }

    @Override
    public Owner.Caller caller() {
        return new Owner.Caller(session, tokens.incrementAndGet());
    }

    @Override
    public synchronized Reservation reserve(Claim claim, OwnerCheck owners) {
        var now = clock.instant();
        var found = entries.get(Key.of(claim));
        if (found == null || (found.expiresAt() != null && !found.expiresAt().isAfter(now))) {
            entries.put(Key.of(claim), reserved(claim, now));
            return new Reservation.Reserved(false);
        }
        if (isConflict(found, claim)) {
            return new Reservation.Conflict(
                    java.util.Objects.requireNonNull(found.fingerprint()),
                    java.util.Objects.requireNonNull(claim.fingerprint()),
                    found.createdAt());
        }
        var end = found.end();
        if (end != null && !(end instanceof Reservation.Failed && isReplayed(found.owner(), claim.owner()))) {
            return end;
        }
        if (end == null) {
            var inTheWay = inTheWay(found, claim, owners, now);
            if (inTheWay != null) {
                return inTheWay;
            }
        }
        entries.put(Key.of(claim), reserved(claim, found.createdAt()));
        return new Reservation.Reserved(true);
    }

    private Entry reserved(Claim claim, Instant createdAt) {
        return new Entry(
                claim.fingerprint(), claim.atMostOnce(), claim.owner(), null, createdAt, clock.instant(), null, null);
    }

    /** Why what is not final can't be tried again; null where it can. */
    private @Nullable Reservation inTheWay(Entry found, Claim claim, OwnerCheck owners, Instant now) {
        if (found.unknownAt() != null) {
            return new Reservation.Unknown(found.unknownAt());
        }
        var owner = found.owner();
        if (owner != null && mayAct(owner, claim.owner(), owners)) {
            return new Reservation.InProgress(String.valueOf(owner), found.updatedAt());
        }
        if (found.atMostOnce() || claim.atMostOnce()) {
            entries.put(Key.of(claim), doubtful(found, now));
            return new Reservation.Unknown(now);
        }
        return null;
    }

    private static boolean mayAct(Owner owner, Owner claimant, OwnerCheck owners) {
        if (!(owner instanceof Owner.Delivery delivery)) {
            return true;
        }
        return !(isSameJob(owner, claimant) && claimant.token() > owner.token()) && owners.mayAct(delivery);
    }

    private static boolean isConflict(Entry found, Claim claim) {
        var isItsOwn = found.end() == null && isSameJob(found.owner(), claim.owner());
        return !isItsOwn
                && found.fingerprint() != null
                && claim.fingerprint() != null
                && !found.fingerprint().equals(claim.fingerprint());
    }

    private static boolean isSameJob(@Nullable Owner one, Owner other) {
        return one instanceof Owner.Delivery before
                && other instanceof Owner.Delivery now
                && before.lease().job().equals(now.lease().job())
                && before.lease().queue().equals(now.lease().queue());
    }

    private static boolean isReplayed(@Nullable Owner one, Owner other) {
        return isSameJob(one, other)
                && one instanceof Owner.Delivery before
                && other instanceof Owner.Delivery now
                && now.replays() > before.replays();
    }

    @Override
    public boolean complete(Claim claim, byte @Nullable [] result, String encoding) {
        return ended(claim, new Reservation.Recorded(result, encoding));
    }

    @Override
    public boolean fail(Claim claim, String error) {
        return ended(claim, new Reservation.Failed(error, clock.instant()));
    }

    private boolean ended(Claim claim, Reservation end) {
        var now = clock.instant();
        var retention = claim.retention() == null ? RETENTION : claim.retention();
        return changed(
                claim,
                entry -> new Entry(
                        entry.fingerprint(),
                        entry.atMostOnce(),
                        entry.owner(),
                        end,
                        entry.createdAt(),
                        now,
                        null,
                        now.plus(retention)));
    }

    @Override
    public boolean abandon(Claim claim) {
        return changed(
                claim,
                entry -> new Entry(
                        entry.fingerprint(),
                        entry.atMostOnce(),
                        null,
                        null,
                        entry.createdAt(),
                        clock.instant(),
                        entry.unknownAt(),
                        null));
    }

    @Override
    public boolean release(Claim claim) {
        return changed(claim, entry -> null);
    }

    @Override
    public boolean doubt(Claim claim) {
        return changed(claim, entry -> doubtful(entry, clock.instant()));
    }

    private static Entry doubtful(Entry entry, Instant now) {
        return new Entry(
                entry.fingerprint(),
                entry.atMostOnce(),
                entry.owner(),
                null,
                entry.createdAt(),
                now,
                entry.unknownAt() == null ? now : entry.unknownAt(),
                null);
    }

    private interface Change {
        @Nullable
        Entry of(Entry entry);
    }

    private synchronized boolean changed(Claim claim, Change change) {
        var found = entries.get(Key.of(claim));
        if (found == null || !found.isOf(claim.owner())) {
            return false;
        }
        var changed = change.of(found);
        if (changed == null) {
            entries.remove(Key.of(claim));
        } else {
            entries.put(Key.of(claim), changed);
        }
        return true;
    }

    @Override
    public Reservation inTransaction(Claim claim, OwnerCheck owners, Work work) {
        throw new IllegalStateException("effect " + claim.name()
                + " is to be made in the ledger's own database, but this TestBelay keeps its ledger in memory: give it one"
                + " with a database, as in TestBelay.builder().ledger(Ledger.open(\"sqlite:\" + file))");
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
