package dev.belay.cli.command;

import dev.belay.broker.JobDetail;
import dev.belay.cli.shell.Json;
import dev.belay.handler.Codecs;
import dev.belay.job.HistoryEntry;
import dev.belay.job.Job;
import dev.belay.job.JobError;
import dev.belay.job.Payload;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Jobs as JSON: the names are stable. */
final class JobJson {

    private JobJson() {}

    static ObjectNode of(Job job) {
        var json = Json.object();
        json.put("id", job.id().toString());
        json.put("queue", job.queue());
        json.put("type", job.type());
        json.put("state", job.state().name());
        json.put("reason", job.reason());
        json.put("attempt", job.counts().attempt());
        json.put("maxAttempts", job.options().maxAttempts());
        json.put("failures", job.counts().failures());
        json.put("crashes", job.counts().crashes());
        json.put("maxCrashes", job.options().maxCrashes());
        json.put("deliveries", job.counts().deliveries());
        json.put("snoozes", job.counts().snoozes());
        json.put("releases", job.counts().releases());
        json.put("replays", job.counts().replays());
        json.put("priority", job.options().priority());
        json.put("key", job.key().value());
        json.put("keyGiven", job.key().explicit());
        json.put("fingerprint", job.key().fingerprint().toString());
        var dedup = job.options().dedup();
        json.put("dedupWindow", dedup.window() == null ? null : dedup.window().toMillis());
        json.put("replaceWaiting", dedup.replaceWaiting());
        json.put("atMostOneWaiting", dedup.atMostOneWaiting());
        times(job, json);
        json.put("token", job.token());
        json.put("session", job.session() == null ? null : job.session().toString());
        json.put("progress", job.progress());
        json.put("groupKey", job.options().groupKey());
        job.options().tags().forEach(json.putArray("tags")::add);
        var headers = json.putObject("headers");
        job.options().headers().forEach(headers::put);
        json.put("parent", string(job.links().parent()));
        json.put("replaces", string(job.links().replaces()));
        json.put("encoding", job.encoding());
        json.put("schemaVersion", job.schemaVersion());
        json.put("payloadBytes", job.payloadSize());
        error(json, job.lastError(), false);
        json.put("historyCount", job.historyCount());
        json.put("newerFormat", job.isNewer());
        return json;
    }

    static ObjectNode of(JobDetail detail) {
        var job = detail.job();
        var json = of(job);
        error(json, job.lastError(), true);
        var payload = detail.payload();
        if (payload == null) {
            json.putNull("payload");
        } else {
            bytes(json.putObject("payload"), payload);
        }
        var result = detail.result();
        if (result == null) {
            json.putNull("result");
        } else {
            bytes(json.putObject("result"), new Payload(result, job.encoding(), job.schemaVersion()));
        }
        var history = json.putArray("history");
        detail.history().forEach(entry -> history.add(of(entry)));
        var raw = detail.raw();
        json.put("rawBase64", raw == null ? null : Base64.getEncoder().encodeToString(raw));
        return json;
    }

    private static void times(Job job, ObjectNode json) {
        var times = job.times();
        json.put("createdAt", times.createdAt());
        json.put("runAt", times.runAt());
        json.put("readyAt", times.readyAt());
        json.put("expiresAt", times.expiresAt());
        json.put("leasedAt", times.leasedAt());
        json.put("begunAt", times.begunAt());
        json.put("finishedAt", times.finishedAt());
        json.put("unknownSince", times.unknownSince());
    }

    private static ObjectNode of(HistoryEntry entry) {
        var json = Json.object();
        json.put("at", entry.at());
        json.put("kind", entry.kind().name());
        json.put("attempt", entry.attempt());
        json.put("token", entry.token());
        json.put("worker", entry.worker());
        var by = entry.by();
        json.put("by", by == null ? null : by.who());
        json.put("why", by == null ? null : by.why());
        json.put("detail", entry.detail());
        error(json, entry.error(), true);
        return json;
    }

    private static void error(ObjectNode json, @Nullable JobError error, boolean withStack) {
        if (error == null) {
            json.putNull("error");
            return;
        }
        var node = json.putObject("error");
        node.put("class", error.errorClass());
        node.put("message", error.message());
        node.put("fingerprint", error.fingerprint());
        if (withStack) {
            node.put("stack", error.stack());
        }
    }

    /** JSON as it stands; any other text as text; what can't be shown as base64. */
    private static void bytes(ObjectNode json, Payload payload) {
        var shown = Codecs.found().show(payload);
        json.put("bytes", payload.size());
        var raw = payload.encoding().startsWith("json") ? Json.raw(shown) : null;
        if (raw != null) {
            json.putRawValue("json", raw);
        } else {
            json.put("text", shown);
            json.put("base64", Base64.getEncoder().encodeToString(payload.bytes()));
        }
    }

    private static @Nullable String string(@Nullable Object value) {
        return value == null ? null : value.toString();
    }
}
