package dev.belay.cli.command;

import dev.belay.broker.JobQuery;
import dev.belay.cli.shell.Json;
import dev.belay.operation.MassOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Mass operations, for people and as JSON. */
final class OperationsText {

    private OperationsText() {}

    static String line(MassOperation operation) {
        return operation.kind().name().toLowerCase(Locale.ROOT) + " "
                + operation.state().name().toLowerCase(Locale.ROOT)
                + ": " + operation.done() + " of " + operation.expected() + " done"
                + (operation.skipped() == 0 ? "" : ", " + operation.skipped() + " changed in the meantime")
                + (operation.refused() == 0 ? "" : ", " + operation.refused() + " refused, their keys are taken");
    }

    /** Its filters in words. */
    static String filters(JobQuery query) {
        var filters = new ArrayList<String>();
        add(filters, "queue", query.queue());
        add(filters, "type", query.type());
        add(filters, "error class", query.errorClass());
        add(filters, "fingerprint", query.errorFingerprint());
        add(filters, "reason", query.reason());
        add(filters, "key", query.key());
        add(filters, "tag", query.tag());
        add(filters, "final from", query.finishedFrom());
        add(filters, "final to", query.finishedTo());
        return filters.isEmpty() ? "all" : String.join(", ", filters);
    }

    static ObjectNode json(MassOperation operation) {
        var json = Json.object();
        json.put("operation", operation.id().toString());
        json.put("kind", operation.kind().name());
        json.put("state", operation.state().name());
        json.put("matched", operation.expected());
        json.put("done", operation.done());
        json.put("skipped", operation.skipped());
        json.put("refused", operation.refused());
        json.put("rate", operation.rate());
        json.put("by", operation.by().who());
        json.put("why", operation.by().why());
        json.put("startedAt", operation.startedAt());
        json.put("updatedAt", operation.updatedAt());
        var query = operation.query();
        json.putObject("query")
                .put("queue", query.queue())
                .put("type", query.type())
                .put("errorClass", query.errorClass())
                .put("fingerprint", query.errorFingerprint())
                .put("reason", query.reason())
                .put("key", query.key())
                .put("tag", query.tag())
                .put("finishedFrom", query.finishedFrom())
                .put("finishedTo", query.finishedTo());
        return json;
    }

    private static void add(List<String> filters, String name, @Nullable Object value) {
        if (value != null) {
            filters.add(name + " " + value);
        }
    }
}
