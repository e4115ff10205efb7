package dev.belay.memory;

import dev.belay.broker.StatisticsQuery;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something counted per time slice of one minute; what is older than the slices that are kept is one lump. */
final class Slices<T> {

    private final Supplier<T> empty;
    private final BiConsumer<T, T> addTo;
    private final TreeMap<Long, T> slices = new TreeMap<>();
    private final T older;

    /**
     * @param empty makes one without counts
     * @param addTo adds the second one's counts to the first
     */
    Slices(Supplier<T> empty, BiConsumer<T, T> addTo) {
        this.empty = empty;
        this.addTo = addTo;
        this.older = empty.get();
    }

    /** The slice of a time. */
    T at(long time) {
        return slices.computeIfAbsent(
                Math.floorDiv(time, StatisticsQuery.SLICE_MILLIS) * StatisticsQuery.SLICE_MILLIS, slice -> empty.get());
    }

    /** All slices that have a part in a span; without a start, all that was ever counted. */
    T sum(@Nullable Long from, @Nullable Long to) {
        var sum = empty.get();
        if (from == null) {
            addTo.accept(sum, older);
        }
        slices.forEach((start, slice) -> {
            if ((from == null || start + StatisticsQuery.SLICE_MILLIS > from) && (to == null || start < to)) {
                addTo.accept(sum, slice);
            }
        });
        return sum;
    }

    /** Keeps slices for 48 hours. */
    void fold(long now) {
        while (!slices.isEmpty() && slices.firstKey() + StatisticsQuery.KEPT_MILLIS < now) {
            addTo.accept(older, slices.pollFirstEntry().getValue());
        }
    }
}
