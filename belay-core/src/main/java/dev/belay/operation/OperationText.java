package dev.belay.operation;

import dev.belay.broker.JobQuery;
import dev.belay.job.By;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An operation's stored form: form fields ({@code name=value&…}), in which an absent field is null. */
final class OperationText {

    private OperationText() {}

    static byte[] write(StoredOperation stored) {
        var fields = new LinkedHashMap<String, String>();
        var operation = stored.operation();
        put(fields, "format", stored.format());
        put(fields, "id", operation.id());
        put(fields, "kind", operation.kind());
        put(fields, "who", operation.by().who());
        put(fields, "why", operation.by().why());
        put(fields, "startedAt", operation.startedAt());
        put(fields, "rate", operation.rate());
        put(fields, "state", operation.state());
        put(fields, "done", operation.done());
        put(fields, "skipped", operation.skipped());
        put(fields, "refused", operation.refused());
        put(fields, "expected", operation.expected());
        put(fields, "updatedAt", operation.updatedAt());
        put(fields, "turn", stored.turn());
        put(fields, "cursor", stored.cursor());
        put(fields, "lastPage", stored.lastPage());
        put(fields, "leaseUntil", stored.leaseUntil());
        put(fields, "nextAt", stored.nextAt());
        put(
                fields,
                "pending",
                stored.pending().stream()
                        .map(job -> job.id() + "/" + job.queue())
                        .collect(Collectors.joining(" ")));
        putQuery(fields, operation.query());
        fields.putAll(stored.unknown());
        return fields.entrySet().stream()
                .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
                .collect(Collectors.joining("&"))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** @throws IllegalArgumentException where the bytes are not what {@link #write} writes */
    static StoredOperation read(byte[] bytes) {
        var fields = new Fields(parse(new String(bytes, StandardCharsets.UTF_8)));
        var format = Integer.parseInt(fields.get("format"));
        var operation = new MassOperation(
                UUID.fromString(fields.get("id")),
                MassOperation.Kind.valueOf(fields.get("kind")),
                new JobQuery(
                        fields.find("query.queue"),
                        fields.find("query.type"),
                        states(fields.get("query.states")),
                        fields.find("query.errorClass"),
                        fields.find("query.errorFingerprint"),
                        fields.find("query.reason"),
                        fields.find("query.key"),
                        fields.find("query.tag"),
                        fields.find("query.finishedFrom", Long::valueOf),
                        fields.find("query.finishedTo", Long::valueOf)),
                new By(fields.get("who"), fields.find("why")),
                fields.number("startedAt"),
                fields.find("rate", Integer::valueOf),
                MassOperation.State.valueOf(fields.get("state")),
                fields.number("done"),
                fields.number("skipped"),
                fields.number("refused"),
                fields.number("expected"),
                fields.number("updatedAt"));
        return new StoredOperation(
                operation,
                fields.number("turn"),
                pending(fields.get("pending")),
                fields.find("cursor"),
                Boolean.parseBoolean(fields.get("lastPage")),
                fields.number("leaseUntil"),
                fields.number("nextAt"),
                fields.rest(),
                format);
    }

    private static void putQuery(Map<String, String> fields, JobQuery query) {
        put(fields, "query.queue", query.queue());
        put(fields, "query.type", query.type());
        put(
                fields,
                "query.states",
                query.states().stream().map(JobState::name).sorted().collect(Collectors.joining(" ")));
        put(fields, "query.errorClass", query.errorClass());
        put(fields, "query.errorFingerprint", query.errorFingerprint());
        put(fields, "query.reason", query.reason());
        put(fields, "query.key", query.key());
        put(fields, "query.tag", query.tag());
        put(fields, "query.finishedFrom", query.finishedFrom());
        put(fields, "query.finishedTo", query.finishedTo());
    }

    private static void put(Map<String, String> fields, String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, value.toString());
        }
    }

    private static Set<JobState> states(String text) {
        var states = new TreeSet<JobState>();
        for (var name : words(text)) {
            states.add(JobState.valueOf(name));
        }
        return states;
    }

    private static List<Tally.Pending> pending(String text) {
        var jobs = new ArrayList<Tally.Pending>();
        for (var job : words(text)) {
            var slash = job.indexOf('/');
            if (slash < 0) {
                throw new IllegalArgumentException("a pending job must be id/queue, but is '" + job + "'");
            }
            jobs.add(new Tally.Pending(job.substring(slash + 1), JobId.parse(job.substring(0, slash))));
        }
        return jobs;
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" "));
    }

    private static Map<String, String> parse(String text) {
        var fields = new LinkedHashMap<String, String>();
        for (var field : text.split("&", -1)) {
            var equals = field.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("a field must be name=value, but is '" + field + "'");
            }
            fields.put(decode(field.substring(0, equals)), decode(field.substring(equals + 1)));
        }
        return fields;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** Fields by name; what nobody asked for is the rest. */
    private static final class Fields {
        private final Map<String, String> fields;
        private final Map<String, String> rest;

        Fields(Map<String, String> fields) {
            this.fields = fields;
            this.rest = new LinkedHashMap<>(fields);
        }

        @Nullable
        String find(String name) {
            rest.remove(name);
            return fields.get(name);
        }

        <T> @Nullable T find(String name, Function<String, T> as) {
            var value = find(name);
            return value == null ? null : as.apply(value);
        }

        String get(String name) {
            var value = find(name);
            if (value == null) {
                throw new IllegalArgumentException("field '" + name + "' is missing");
            }
            return value;
        }

        long number(String name) {
            return Long.parseLong(get(name));
        }

        Map<String, String> rest() {
            return Map.copyOf(rest);
        }
    }
}
