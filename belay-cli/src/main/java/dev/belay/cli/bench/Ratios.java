package dev.belay.cli.bench;

import tools.jackson.databind.node.ObjectNode;

/** Ratios of what was measured in pairs, as JSON: {@code ratio} has their medians, {@code ratioQuartiles} their quartiles. */
final class Ratios {

    private final ObjectNode medians;
    private final ObjectNode quartiles;

    /** @param json gets both objects, at its end */
    Ratios(ObjectNode json) {
        medians = json.putObject("ratio");
        quartiles = json.putObject("ratioQuartiles");
    }

    /** Adds one kind over another; null where one of them was not measured. */
    void put(String name, Samples of, Samples over) {
        var ratios = Samples.ratios(of, over);
        if (ratios == null) {
            medians.putNull(name);
            quartiles.putNull(name);
            return;
        }
        medians.put(name, rounded(ratios.median(), 1_000));
        quartiles.putArray(name).add(rounded(ratios.quantile(0.25), 1_000)).add(rounded(ratios.quantile(0.75), 1_000));
    }

    /** To so many parts of one. */
    static double rounded(double value, int to) {
        return Math.round(value * to) / (double) to;
    }
}
