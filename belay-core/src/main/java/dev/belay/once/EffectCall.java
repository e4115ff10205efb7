package dev.belay.once;

import org.jspecify.annotations.Nullable;

/**
 * Makes an effect outside: a charge, a mail, a booking.
 *
 * @param <R> what it answers
 */
@FunctionalInterface
public interface EffectCall<R> {

    /**
     * Called at most once at a time for a key. After a crash or a failure it is called again with the same key, so that the
     * provider recognises the second call.
     *
     * @param key to be handed to the provider as its idempotency key
     * @return what is recorded, and answered from then on
     */
    @Nullable
    R call(String key) throws Exception;
}
