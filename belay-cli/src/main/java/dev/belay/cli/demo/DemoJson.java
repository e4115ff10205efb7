package dev.belay.cli.demo;

import dev.belay.cli.shell.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The demo's figures as JSON: the names are stable. */
final class DemoJson {

    private DemoJson() {}

    static ObjectNode of(DemoReport report, Store store, double seconds) {
        var all = report.all();
        var evidence = report.evidence();
        var json = Json.object();
        json.put("accepted", all.accepted());
        json.put("succeeded", all.succeeded());
        json.put("retried", all.retried());
        json.put("crashedDeliveries", evidence.crashed());
        json.put("dead", all.dead());
        json.put("lost", all.lost());
        json.put("duplicates", evidence.duplicates());
        json.put("chargesAsked", report.charges().asked());
        json.put("chargesMade", report.charges().made());
        json.put("maxChargesPerOrder", report.charges().mostForOne());
        json.put("providerDeaths", evidence.deaths().size());
        percentiles(json.putObject("pickupMs"), all.pickup());
        percentiles(json.putObject("runMs"), all.run());
        var dead = json.putArray("deadLetters");
        report.dead()
                .forEach(letter -> dead.addObject()
                        .put("id", letter.id())
                        .put("order", letter.order())
                        .put("type", letter.type())
                        .put("reason", letter.reason())
                        .put("message", letter.message()));
        var types = json.putObject("types");
        report.types().forEach(row -> {
            var type = types.putObject(row.type())
                    .put("accepted", row.accepted())
                    .put("succeeded", row.succeeded())
                    .put("retried", row.retried())
                    .put("crashed", row.crashed())
                    .put("dead", row.dead())
                    .put("lost", row.lost());
            percentiles(type.putObject("pickupMs"), row.pickup());
            percentiles(type.putObject("runMs"), row.run());
        });
        kill(json, evidence.kill());
        json.put("broker", store.shown());
        json.put("namespace", store.namespace());
        json.put("seconds", Math.round(seconds * 10) / 10.0);
        var promises = json.putArray("promises");
        report.promises()
                .forEach(promise ->
                        promises.addObject().put("text", promise.text()).put("kept", promise.isKept()));
        var broken = json.putArray("brokenPromises");
        report.brokenPromises().forEach(broken::add);
        return json;
    }

    private static void kill(ObjectNode json, Killer.@Nullable Kill kill) {
        if (kill == null) {
            json.putNull("killed");
        } else {
            json.putObject("killed")
                    .put("worker", kill.worker())
                    .put("pid", kill.pid())
                    .put("order", kill.order())
                    .put("inFlight", kill.inFlight());
        }
    }

    private static void percentiles(ObjectNode json, DemoReport.Percentiles percentiles) {
        json.put("p50", percentiles.p50()).put("p95", percentiles.p95()).put("p99", percentiles.p99());
    }
}
