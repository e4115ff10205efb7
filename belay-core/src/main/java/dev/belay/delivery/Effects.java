package dev.belay.delivery;

import dev.belay.handler.Codecs;
import dev.belay.handler.JobSignal;
import dev.belay.handler.UndecodableException;
import dev.belay.job.Fingerprint;
import dev.belay.job.Limits;
import dev.belay.once.Claim;
import dev.belay.once.Effect;
import dev.belay.once.EffectCall;
import dev.belay.once.EffectException;
import dev.belay.once.Ledger;
import dev.belay.once.LedgerException;
import dev.belay.once.Owner;
import dev.belay.once.OwnerCheck;
import dev.belay.once.Reservation;
import dev.belay.once.SqlCall;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes effects once: reserve, call, record. Thread-safe. */
public final class Effects {

    private final Ledger ledger;
    private final Codecs codecs;
    private final OwnerCheck owners;

    public Effects(Ledger ledger, Codecs codecs, OwnerCheck owners) {
        this.ledger = ledger;
        this.codecs = codecs;
        this.owners = owners;
    }

    /** What somebody claims who wants to make an effect. */
    public Claim claim(Effect<?> effect, String scope, Owner owner) {
        return new Claim(
                scope, effect.key(), fingerprint(effect.request()), effect.isAtMostOnce(), effect.retention(), owner);
    }

    private @Nullable Fingerprint fingerprint(@Nullable Object request) {
        if (request == null) {
            return null;
        }
        var writer = codecs.writer();
        return Fingerprint.of(writer.canonical(writer.encode(request)));
    }

    /**
     * Makes an effect outside, or answers what was recorded of it.
     *
     * @param mayAct whether the claimant may still act, asked just before the call
     * @throws EffectException where it must not be made
     * @throws Exception what the call threw
     */
    public <R> @Nullable R once(Effect<R> effect, Claim claim, BooleanSupplier mayAct, EffectCall<R> call)
            throws Exception {
        var answer = ledger.reserve(claim, owners);
        if (!(answer instanceof Reservation.Reserved reserved)) {
            return recorded(effect, claim, answer);
        }
        if (!mayAct.getAsBoolean()) {
            giveBack(claim, reserved);
            throw lost(claim);
        }
        R value;
        try {
            value = call.call(effect.key());
        } catch (Exception | Error e) {
            throw failed(effect, claim, reserved, e);
        }
        byte[] result;
        try {
            result = encoded(value);
        } catch (RuntimeException | Error e) {
            // It was made, whatever this exception would say of a call.
            throw inDoubt(claim, e);
        }
        if (!uninterrupted(() -> ledger.complete(claim, result, codecs.encoding()))) {
            throw lost(claim);
        }
        return value;
    }

    /**
     * Makes an effect in the ledger's own database, in one transaction with its record; or answers what was recorded of it.
     *
     * @throws EffectException where it must not be made
     * @throws Exception what the call threw; the transaction was rolled back
     */
    public <R> @Nullable R inTransaction(Effect<R> effect, Claim claim, BooleanSupplier mayAct, SqlCall<R> call)
            throws Exception {
        var made = new AtomicReference<@Nullable R>();
        var called = new AtomicReference<Reservation.@Nullable Recorded>();
        var answer = ledger.inTransaction(claim, owners, connection -> {
            if (!mayAct.getAsBoolean()) {
                throw lost(claim);
            }
            var value = call.call(connection);
            var record = new Reservation.Recorded(encoded(value), codecs.encoding());
            made.set(value);
            called.set(record);
            return record;
        });
        return answer.equals(called.get()) ? made.get() : recorded(effect, claim, answer);
    }

    private <R> @Nullable R recorded(Effect<R> effect, Claim claim, Reservation answer) throws UndecodableException {
        if (answer instanceof Reservation.Recorded recorded) {
            var result = recorded.result();
            return result == null ? null : codecs.decodeResult(result, recorded.encoding(), effect.resultClass());
        }
        throw refused(claim, answer);
    }

    private static EffectException refused(Claim claim, Reservation answer) {
        var key = claim.key();
        if (answer instanceof Reservation.InProgress progress) {
            return new EffectException.InProgress(
                    key,
                    "effect " + claim.name() + " is in progress"
                            + (progress.since() == null ? "" : " since " + progress.since()) + ", by "
                            + progress.owner() + ": its result is there once that is done");
        }
        if (answer instanceof Reservation.Conflict conflict) {
            return new EffectException.Conflict(
                    key,
                    "effect " + claim.name() + " was first asked for at " + conflict.firstSeen()
                            + " with another request: its fingerprint is " + conflict.recorded() + ", this one's is "
                            + conflict.given() + "; use another key for another request");
        }
        if (answer instanceof Reservation.Failed failed) {
            return new EffectException.Failed(
                    key, "effect " + claim.name() + " failed for good at " + failed.at() + ": " + failed.error());
        }
        if (answer instanceof Reservation.Unknown unknown) {
            return new EffectException.OutcomeUnknown(
                    key, unknownText(claim) + " (since " + unknown.since() + ")", null);
        }
        throw new IllegalStateException("a ledger answered " + answer + " to a claim of effect " + claim.name());
    }

    private static String unknownText(Claim claim) {
        return "it is not known whether effect " + claim.name()
                + " happened, and it must not happen twice: find out, then tell with 'belay ledger resolve'";
    }

    private static EffectException lost(Claim claim) {
        return new EffectException.Lost(
                claim.key(), "effect " + claim.name() + " is no longer this delivery's: its lease was lost");
    }

    private void giveBack(Claim claim, Reservation.Reserved reserved) {
        if (reserved.again()) {
            ledger.abandon(claim);
        } else {
            ledger.release(claim);
        }
    }

    /** Says what is known after a call that threw, and answers what to throw. */
    private Exception failed(Effect<?> effect, Claim claim, Reservation.Reserved reserved, Throwable thrown) {
        if (effect.isNotDone(thrown)) {
            // By this call: one before it may have made it.
            return told(thrown, () -> giveBack(claim, reserved));
        }
        if (thrown instanceof JobSignal.Bury) {
            return told(thrown, () -> ledger.fail(claim, cut(String.valueOf(thrown.getMessage()))));
        }
        return inDoubt(claim, thrown);
    }

    /** The effect may have been made: the next attempt makes it again, with the same key, or a person has to say. */
    private Exception inDoubt(Claim claim, Throwable thrown) {
        if (claim.atMostOnce()) {
            var unknown = told(thrown, () -> ledger.doubt(claim));
            return new EffectException.OutcomeUnknown(claim.key(), unknownText(claim), unknown);
        }
        return told(thrown, () -> ledger.abandon(claim));
    }

    /** Tells the ledger; where it can't be told, whoever meets the reservation finds its owner gone. */
    private static Exception told(Throwable thrown, Runnable tell) {
        try {
            uninterrupted(() -> {
                tell.run();
                return true;
            });
        } catch (LedgerException e) {
            thrown.addSuppressed(e);
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        return (Exception) thrown;
    }

    private static String cut(String text) {
        return text.length() <= Limits.ERROR_MESSAGE ? text : text.substring(0, Limits.ERROR_MESSAGE);
    }

    private byte @Nullable [] encoded(@Nullable Object value) {
        return value == null ? null : codecs.encodeResult(value);
    }

    /** A handler that was interrupted still has to say what happened. */
    private static <T> T uninterrupted(Supplier<T> call) {
        var interrupted = Thread.interrupted();
        try {
            return call.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
