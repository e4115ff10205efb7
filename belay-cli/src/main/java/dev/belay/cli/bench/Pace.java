package dev.belay.cli.bench;

import java.util.concurrent.TimeUnit;

/** A steady pace. One that fell behind catches up: its steps are due when they are due. Used by one thread. */
final class Pace {

    private final int perSecond;
    private final long begin = System.nanoTime();
    private long steps;

    Pace(int perSecond) {
        this.perSecond = perSecond;
    }

    /** Waits until the next step is due; the first one is at once. */
    void next() throws InterruptedException {
        var due = begin + steps++ * 1_000_000_000L / perSecond;
        TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
    }
}
