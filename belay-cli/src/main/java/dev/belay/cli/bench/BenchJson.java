package dev.belay.cli.bench;

import dev.belay.cli.shell.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What was measured, as JSON: medians over all pairs; the ratios are medians of the pairs' ratios, with quartiles. */
final class BenchJson {

    private final Map<Figure, Samples> samples;

    BenchJson(Map<Figure, Samples> samples) {
        this.samples = samples;
    }

    ObjectNode build(BenchOptions options, String broker) {
        var json = Json.object();
        json.put("broker", broker);
        json.put("jobs", options.jobs());
        json.put("payloadBytes", options.payloadBytes());
        json.put("slots", options.slots());
        json.put("producers", options.producers());
        json.put("pairs", options.pairs());
        json.put("retention", options.retention());
        json.put("waiting", options.waiting());
        json.put("dead", options.dead());
        if (of(Figure.RAW_INSERT).isEmpty()) {
            json.putNull("raw");
        } else {
            raw(json.putObject("raw"));
        }
        var enqueue = json.putObject("enqueue");
        number(enqueue, "single1", Figure.SINGLE_1);
        number(enqueue, "single10", Figure.SINGLE_10);
        number(enqueue, "single100", Figure.SINGLE_100);
        number(enqueue, "unbatched100", Figure.UNBATCHED_100);
        number(enqueue, "bulk", Figure.BULK);
        number(json, "drainPerS", Figure.DRAIN);
        json.put("drainCpuUs", Ratios.rounded(of(Figure.DRAIN_CPU).median(), 100));
        json.put("drainServerCpuUs", Ratios.rounded(of(Figure.DRAIN_SERVER_CPU).median(), 100));
        number(json, "bothPerS", Figure.BOTH);
        millis(json, "pickupMs", Figure.PICKUP_P50, Figure.PICKUP_P99);
        ratios(json);
        return json;
    }

    private void raw(ObjectNode json) {
        number(json, "insertPerS", Figure.RAW_INSERT);
        number(json, "leaseSettlePerS", Figure.RAW_LEASE_SETTLE);
        number(json, "oneByOnePerS", Figure.RAW_ONE_BY_ONE);
        millis(json, "roundTripMs", Figure.RAW_ROUND_TRIP_P50, Figure.RAW_ROUND_TRIP_P99);
    }

    private void ratios(ObjectNode json) {
        var ratios = new Ratios(json);
        ratios.put("drain", of(Figure.DRAIN), of(Figure.RAW_LEASE_SETTLE));
        ratios.put("enqueueConcurrent", of(Figure.SINGLE_100), of(Figure.RAW_INSERT));
        ratios.put("enqueueBulk", of(Figure.BULK), of(Figure.RAW_INSERT));
        ratios.put("enqueueVsSingle", of(Figure.SINGLE_100), of(Figure.RAW_ONE_BY_ONE));
        ratios.put("enqueueVsUnbatched", of(Figure.SINGLE_100), of(Figure.UNBATCHED_100));
    }

    private void number(ObjectNode json, String name, Figure figure) {
        json.put(
                name, of(figure).isEmpty() ? null : (Long) Math.round(of(figure).median()));
    }

    private void millis(ObjectNode json, String name, Figure p50, Figure p99) {
        millis(json, name, of(p50).median(), of(p99).median());
    }

    /** Two quantiles; null where nothing was measured. */
    static void millis(ObjectNode json, String name, double p50, double p99) {
        if (Double.isNaN(p50)) {
            json.putNull(name);
            return;
        }
        json.putObject(name).put("p50", Ratios.rounded(p50, 1_000)).put("p99", Ratios.rounded(p99, 1_000));
    }

    private Samples of(Figure figure) {
        @Nullable Samples found = samples.get(figure);
        return found == null ? new Samples() : found;
    }
}
