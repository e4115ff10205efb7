package dev.belay.cli.bench;

import dev.belay.cli.shell.Json;
import tools.jackson.databind.node.ObjectNode;

/** What was measured around a held snapshot, as JSON. */
final class SnapshotJson {

    /** One second has few calls: this many are a steadier base. */
    private static final int STEADY = 10;

    private final SnapshotFigures figures;

    SnapshotJson(SnapshotFigures figures) {
        this.figures = figures;
    }

    ObjectNode build(SnapshotOptions options, String broker) {
        var held = figures.held();
        var json = Json.object();
        json.put("broker", broker);
        json.put("rate", options.rate());
        json.put("seconds", options.held());
        json.put("slots", options.slots());
        leases(json, "before", figures.before());
        leases(json, "firstSecond", held.first(1));
        leases(json, "firstTenSeconds", held.first(STEADY));
        leases(json, "lastSecond", held.last(1));
        leases(json, "lastTenSeconds", held.last(STEADY));
        leases(json, "after", figures.after().last(STEADY));
        json.put("enqueuedPerS", Math.round(figures.enqueuedPerS()));
        json.putObject("backlog").put("mostWhileHeld", figures.mostWhileHeld()).put("atEnd", figures.atEnd());
        var ratio = json.putObject("ratio");
        ratio(ratio, "p99LastToFirst", held.first(1));
        ratio(ratio, "p99LastToFirstTen", held.first(STEADY));
        return json;
    }

    private void leases(ObjectNode json, String name, Span span) {
        var millis = figures.leases().in(span);
        var node = json.putObject(name);
        node.put("leases", millis.size());
        BenchJson.millis(node, "leaseMs", millis.median(), millis.quantile(0.99));
    }

    /** Of the last ten seconds over another part of the time; null where nothing was leased in one of them. */
    private void ratio(ObjectNode json, String name, Span base) {
        var last = figures.leases().in(figures.held().last(STEADY)).quantile(0.99);
        var ratio = last / figures.leases().in(base).quantile(0.99);
        if (Double.isNaN(ratio)) {
            json.putNull(name);
        } else {
            json.put(name, Ratios.rounded(ratio, 1_000));
        }
    }
}
