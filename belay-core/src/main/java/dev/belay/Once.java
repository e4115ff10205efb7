package dev.belay;

import dev.belay.delivery.Effects;
import dev.belay.handler.Codecs;
import dev.belay.job.InvalidInputException;
import dev.belay.once.Claim;
import dev.belay.once.Effect;
import dev.belay.once.EffectCall;
import dev.belay.once.EffectException;
import dev.belay.once.Ledger;
import dev.belay.once.OwnerCheck;
import dev.belay.once.SqlCall;

/**
 * Effects that happen once, outside of any job: a web request that carries an {@code Idempotency-Key}. In a handler use its
 * context, which knows how long the delivery may act. Thread-safe.
 *
 * <pre>{@code
 * var once = Once.in(ledger);
 * var receipt = once.call(
 *         Effect.of(idempotencyKey, Receipt.class).scope("POST /payments/" + tenant).request(payment),
 *         key -> provider.charge(key, payment));
 * }</pre>
 */
public final class Once {

    private final Ledger ledger;
    private final Effects effects;

    private Once(Ledger ledger, Codecs codecs) {
        this.ledger = ledger;
        effects = new Effects(ledger, codecs, OwnerCheck.NO_BROKER);
    }

    /** Recorded in a ledger, with the codec that is found on the class path. */
    public static Once in(Ledger ledger) {
        return new Once(ledger, Codecs.found());
    }

    /** As {@link #in(Ledger)}, with a codec of the caller's choice. */
    public static Once in(Ledger ledger, Codecs codecs) {
        return new Once(ledger, codecs);
    }

    /**
     * Makes an effect outside, or answers what was recorded of it.
     *
     * @return what the call answered, now or then; null where that was null
     * @throws EffectException where it must not be made; {@link EffectException.InProgress} where somebody else is making it
     * @throws InvalidInputException where the effect has no scope
     * @throws Exception what the call threw
     */
    @SuppressWarnings("NullAway") // null where the call answered null
    public <R> R call(Effect<R> effect, EffectCall<R> call) throws Exception {
        return effects.once(effect, claim(effect), () -> true, call);
    }

    /** As {@link #call}, for an effect in the ledger's own database: effect and record commit together. */
    @SuppressWarnings("NullAway") // null where the call answered null
    public <R> R inTransaction(Effect<R> effect, SqlCall<R> call) throws Exception {
        return effects.inTransaction(effect, claim(effect), () -> true, call);
    }

    private Claim claim(Effect<?> effect) {
        var scope = effect.scope();
        if (scope == null) {
            throw new InvalidInputException(
                    "effect scope",
                    "must be given outside of a job, so that callers, tenants and operations do not share keys: call scope(…) on effect '"
                            + effect.key() + "'");
        }
        return effects.claim(effect, scope, ledger.caller());
    }
}
