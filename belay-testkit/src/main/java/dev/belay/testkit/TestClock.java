package dev.belay.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved. Thread-safe. */
final class TestClock implements InstantSource {

    private Instant now;

    TestClock(Instant start) {
        now = start;
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    synchronized void advance(Duration by) {
        now = now.plus(by);
    }

    synchronized void set(Instant instant) {
        now = instant;
    }
}
