package dev.belay.cli.bench;

/**
 * What to measure.
 *
 * @param jobs in each step
 * @param waiting jobs that wait all the time
 * @param dead dead letters that lie there all the time
 */
record BenchOptions(
        int jobs, int payloadBytes, int slots, int producers, int pairs, boolean retention, int waiting, int dead) {

    /** Single enqueues by one caller are slow: fewer of them. */
    int few() {
        return Math.max(1, jobs / 10);
    }
}
