package dev.belay.once;

import dev.belay.job.Limits;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An effect that must happen once: what it is called, and what to do when nobody knows whether it happened. Immutable: each
 * method answers a changed copy.
 *
 * <pre>{@code
 * var receipt = context.once(
 *         Effect.of("charge-" + order.id(), Receipt.class).request(order),
 *         key -> provider.charge(key, order));
 * }</pre>
 *
 * @param <R> what it answers: something that the payload codec can write and read
 */
public final class Effect<R> {

    private final String key;
    private final Class<R> resultClass;
    private final @Nullable Object request;
    private final @Nullable String scope;
    private final boolean atMostOnce;
    private final List<Class<? extends Throwable>> notDoneOn;
    private final @Nullable Duration retention;

    private Effect(
            String key,
            Class<R> resultClass,
            @Nullable Object request,
            @Nullable String scope,
            boolean atMostOnce,
            List<Class<? extends Throwable>> notDoneOn,
            @Nullable Duration retention) {
        this.key = Limits.text("effect key", key, 1, Limits.KEY);
        this.resultClass = resultClass;
        this.request = request;
        this.scope = scope;
        this.atMostOnce = atMostOnce;
        this.notDoneOn = List.copyOf(notDoneOn);
        this.retention = retention;
    }

    /** An effect by its key: 1 to 255 characters, unique within its scope. */
    public static <R> Effect<R> of(String key, Class<R> resultClass) {
        return new Effect<>(key, resultClass, null, null, false, List.of(), null);
    }

    /**
     * What is asked for. The same key with another request is refused: with another value, not with another order of keys,
     * white space or escapes in its JSON; 1 and 1.0 are the same number. Without one, all requests with the key are the same.
     */
    public Effect<R> request(Object value) {
        return new Effect<>(key, resultClass, value, scope, atMostOnce, notDoneOn, retention);
    }

    /**
     * Within which the key is unique: 1 to 255 characters. Default in a handler: the namespace and the job's type, so that
     * tenants and types can't meet. Outside of one it must be given.
     */
    public Effect<R> scope(String value) {
        return new Effect<>(
                key,
                resultClass,
                request,
                Limits.text("effect scope", value, 1, Limits.KEY),
                atMostOnce,
                notDoneOn,
                retention);
    }

    /**
     * Rather not at all than twice: for providers that can't recognise a second call. Where it is not known whether the call
     * was made (its worker died, it threw), it is not made again: the job becomes a dead letter {@code OUTCOME_UNKNOWN},
     * until a person has found out and says so ({@code belay ledger resolve}).
     */
    public Effect<R> atMostOnce() {
        return new Effect<>(key, resultClass, request, scope, true, notDoneOn, retention);
    }

    /**
     * Exceptions of the call that say for certain that nothing happened: a refused connection, an answer that the request
     * was invalid. Matched with their subclasses. The key is free again after them.
     */
    @SafeVarargs
    public final Effect<R> notDoneOn(Class<? extends Throwable>... values) {
        return new Effect<>(key, resultClass, request, scope, atMostOnce, List.of(values), retention);
    }

    /** How long its record is kept once it is final. Default: the ledger's setting. */
    public Effect<R> retention(Duration value) {
        return new Effect<>(
                key, resultClass, request, scope, atMostOnce, notDoneOn, Limits.positive("effect retention", value));
    }

    /** Its key. */
    public String key() {
        return key;
    }

    public Class<R> resultClass() {
        return resultClass;
    }

    /** What is asked for; null where any request with the key is the same. */
    public @Nullable Object request() {
        return request;
    }

    /** Within which its key is unique; null for the default. */
    public @Nullable String scope() {
        return scope;
    }

    /** Whether it must rather not happen than happen twice. */
    public boolean isAtMostOnce() {
        return atMostOnce;
    }

    /** How long its record is kept once it is final; null for the ledger's setting. */
    public @Nullable Duration retention() {
        return retention;
    }

    /** Whether an exception of its call says that nothing happened. */
    public boolean isNotDone(Throwable thrown) {
        return notDoneOn.stream().anyMatch(type -> type.isInstance(thrown));
    }
}
