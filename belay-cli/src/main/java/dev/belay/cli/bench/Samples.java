package dev.belay.cli.bench;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values of one kind, gathered run by run. Not thread-safe. */
final class Samples {

    private final List<Double> values = new ArrayList<>();

    void add(double value) {
        values.add(value);
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    int size() {
        return values.size();
    }

    double median() {
        return quantile(0.5);
    }

    /** The value at a share of the sorted values, between two neighbours where it falls there. */
    double quantile(double share) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        var sorted = values.stream().sorted().toList();
        var at = share * (sorted.size() - 1);
        var low = (int) Math.floor(at);
        var high = (int) Math.ceil(at);
        return sorted.get(low) + (at - low) * (sorted.get(high) - sorted.get(low));
    }

    /** The ratios of two kinds, pair by pair; null where one has none. */
    static @Nullable Samples ratios(Samples of, Samples over) {
        if (of.isEmpty() || over.isEmpty()) {
            return null;
        }
        var ratios = new Samples();
        for (var i = 0; i < Math.min(of.values.size(), over.values.size()); i++) {
            ratios.add(of.values.get(i) / over.values.get(i));
        }
        return ratios;
    }
}
