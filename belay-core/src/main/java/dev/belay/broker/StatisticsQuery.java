package dev.belay.broker;

import org.jspecify.annotations.Nullable;

/**
 * A span of time slices. A slice is one minute and begins at a full one.
 *
 * @param queue null for all
 * @param type null for all
 * @param from epoch milliseconds, included; null for all time (exact totals, also of slices no longer kept)
 * @param to epoch milliseconds, excluded; null for now
 */
public record StatisticsQuery(
        @Nullable String queue,
        @Nullable String type,
        @Nullable Long from,
        @Nullable Long to) {

    /** The length of a time slice in milliseconds. */
    public static final long SLICE_MILLIS = 60_000;

    /** How long slices are kept, in milliseconds: 48 hours. */
    public static final long KEPT_MILLIS = 48L * 3_600_000;

    /** All of all time. */
    public static final StatisticsQuery TOTAL = new StatisticsQuery(null, null, null, null);
}
