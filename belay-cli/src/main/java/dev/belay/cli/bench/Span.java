package dev.belay.cli.bench;

import java.util.concurrent.TimeUnit;

/** A stretch of time, by {@link System#nanoTime}; its end is not in it. */
record Span(long from, long to) {

    /** Its first seconds, or all of it where it is shorter. */
    Span first(int seconds) {
        return new Span(from, Math.min(to, from + TimeUnit.SECONDS.toNanos(seconds)));
    }

    /** Its last seconds, or all of it where it is shorter. */
    Span last(int seconds) {
        return new Span(Math.max(from, to - TimeUnit.SECONDS.toNanos(seconds)), to);
    }

    double seconds() {
        return (to - from) / 1e9;
    }

    boolean has(long nanoTime) {
        return nanoTime - from >= 0 && nanoTime - to < 0;
    }
}
