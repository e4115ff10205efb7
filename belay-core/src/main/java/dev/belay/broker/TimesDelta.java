package dev.belay.broker;

/**
 * Observed times of one kind, to be merged.
 *
 * @param kind what was measured
 * @param histogram the buckets
 */
public record TimesDelta(String queue, String type, Kind kind, Histogram histogram) {

    /** What was measured. */
    public enum Kind {
        /** From ready to leased (broker's clock) plus from leased to started (worker's monotonic clock). */
        WAIT,
        /** From the start of the handler to its end. */
        RUN
    }
}
