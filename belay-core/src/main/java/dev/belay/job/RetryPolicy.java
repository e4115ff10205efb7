package dev.belay.job;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which errors of a type are retried, and when. Immutable.
 *
 * @param backoff between deliveries; stored with each job
 * @param delays a function of the user's own, asked after failures instead of the backoff; null for none. Crashes always
 *     go by the backoff, since a reaper anywhere computes them
 * @param never names of classes that are never retried
 * @param always names of classes that are retried even where {@code never} names a superclass of them
 */
public record RetryPolicy(Backoff backoff, @Nullable Delays delays, Set<String> never, Set<String> always) {

    /** All errors, with the default backoff. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(Backoff.DEFAULT, null, Set.of(), Set.of());

    public RetryPolicy {
        Objects.requireNonNull(backoff, "backoff");
        never = Set.copyOf(never);
        always = Set.copyOf(always);
    }

    public static RetryPolicy with(Backoff backoff) {
        return new RetryPolicy(backoff, null, Set.of(), Set.of());
    }

    /** With a function of the user's own for the delay after a failure. */
    public RetryPolicy withDelays(Delays value) {
        return new RetryPolicy(backoff, value, never, always);
    }

    /** Never retries these, their subclasses, or what wraps them. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final RetryPolicy never(Class<? extends Throwable>... classes) {
        return new RetryPolicy(backoff, delays, names(classes), always);
    }

    /** Never retries these, by the names of their classes. */
    public RetryPolicy neverNamed(String... classNames) {
        return new RetryPolicy(backoff, delays, Set.of(classNames), always);
    }

    /** Retries these even where a superclass of them is never retried. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final RetryPolicy always(Class<? extends Throwable>... classes) {
        return new RetryPolicy(backoff, delays, never, names(classes));
    }

    private static Set<String> names(Class<?>[] classes) {
        return Set.copyOf(List.of(classes).stream().map(Class::getName).toList());
    }

    /** A delay of the user's own. Thread-safe. What it throws, or a value out of range, means: go by the backoff. */
    @FunctionalInterface
    public interface Delays {
        /**
         * @param failures so far, this one included
         * @param error of this failure
         */
        Duration after(int failures, Throwable error);
    }
}
