package dev.belay.cli.bench;

/**
 * What to measure, in whole seconds.
 *
 * @param rate jobs a second
 * @param warmUp of {@code before}, what is not measured
 * @param before how long, warm-up and all, without a snapshot
 * @param held how long with it
 * @param after how long without it again
 */
record SnapshotOptions(int rate, int slots, int warmUp, int before, int held, int after) {

    private static final int PAYLOAD_BYTES = 200;

    static SnapshotOptions of(int rate, int slots, int held) {
        return new SnapshotOptions(rate, slots, 3, 10, held, 30);
    }

    /** What the load behind it takes: finished jobs are removed at once, which leaves most dead rows. */
    BenchOptions load() {
        return new BenchOptions(rate, PAYLOAD_BYTES, slots, 1, 1, false, 0, 0);
    }
}
