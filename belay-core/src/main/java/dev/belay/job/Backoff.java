package dev.belay.job;

import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next delivery; stored with the job, so that a reaper anywhere can compute it.
 *
 * <p>{@code EXPONENTIAL}: the bound is {@code min(cap, base × factor^(n−1))}; with jitter the delay is uniform in
 * {@code [0, bound]} ("full jitter", Marc Brooker, <a
 * href="https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/">Exponential Backoff And Jitter</a>),
 * without it the bound itself. {@code FIXED}: the bound is always {@code base}. {@code NONE}: no wait.
 *
 * @param base the bound at n = 1; at most {@code cap}
 * @param factor from 1 up; by how much the bound grows with each n
 * @param cap the largest bound
 * @param jitter whether the delay is drawn from {@code [0, bound]} or is the bound
 */
public record Backoff(Kind kind, Duration base, double factor, Duration cap, boolean jitter) {

    /** The shape of the growth. */
    public enum Kind {
        EXPONENTIAL,
        FIXED,
        NONE
    }

    /** Base 1 s, factor 2, cap 1 h, full jitter. */
    public static final Backoff DEFAULT = exponential(Duration.ofSeconds(1), 2, Duration.ofHours(1));

    /** No wait at all. */
    public static final Backoff NONE = new Backoff(Kind.NONE, Duration.ZERO, 1, Duration.ZERO, false);

    public Backoff {
        Objects.requireNonNull(kind, "kind");
        Limits.wait("backoff base", base);
        Limits.wait("backoff cap", cap);
        if (!(factor >= 1) || Double.isInfinite(factor)) {
            throw new InvalidInputException("backoff factor", "must be a finite number from 1, but is " + factor);
        }
        if (base.compareTo(cap) > 0) {
            throw new InvalidInputException("backoff base", "must be at most the cap " + cap + ", but is " + base);
        }
    }

    /** Exponential growth with full jitter. */
    public static Backoff exponential(Duration base, double factor, Duration cap) {
        return new Backoff(Kind.EXPONENTIAL, base, factor, cap, true);
    }

    /** The same wait each time, without jitter. */
    public static Backoff fixed(Duration wait) {
        return new Backoff(Kind.FIXED, wait, 1, wait, false);
    }

    /** The same with jitter on or off. */
    public Backoff withJitter(boolean on) {
        return new Backoff(kind, base, factor, cap, on);
    }

    /**
     * The largest delay before step n. Never negative, never above the cap, never falling as n grows, for any n.
     *
     * @param n failures and crashes so far that had no explicit wait, from 1; less counts as 1
     */
    public Duration bound(int n) {
        return switch (kind) {
            case NONE -> Duration.ZERO;
            case FIXED -> base;
            case EXPONENTIAL -> {
                // In double: an overflow is infinity, and min() brings it back to the cap.
                var bound = base.toMillis() * Math.pow(factor, Math.max(1, n) - 1.0);
                var cap = this.cap.toMillis();
                yield Duration.ofMillis(
                        bound >= cap || Double.isNaN(bound) ? (base.toMillis() == 0 ? 0 : cap) : (long) bound);
            }
        };
    }

    /** The delay before step n, drawn with {@code random}. */
    public Duration delay(int n, RandomGenerator random) {
        var bound = bound(n).toMillis();
        return Duration.ofMillis(jitter && bound > 0 ? random.nextLong(bound + 1) : bound);
    }

    /** The stored form, read back by {@link #parse}. */
    public String wire() {
        return kind + ":" + base.toMillis() + ":" + factor + ":" + cap.toMillis() + ":" + (jitter ? "full" : "none");
    }

    /** @throws InvalidInputException where the text is not what {@link #wire} writes */
    public static Backoff parse(String wire) {
        var parts = wire.split(":", -1);
        try {
            if (parts.length == 5) {
                return new Backoff(
                        Kind.valueOf(parts[0]),
                        Duration.ofMillis(Long.parseLong(parts[1])),
                        Double.parseDouble(parts[2]),
                        Duration.ofMillis(Long.parseLong(parts[3])),
                        parts[4].equals("full"));
            }
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("backoff", "can't be read from '" + wire + "': " + e.getMessage());
        }
        throw new InvalidInputException("backoff", "must be kind:base:factor:cap:jitter, but is '" + wire + "'");
    }
}
