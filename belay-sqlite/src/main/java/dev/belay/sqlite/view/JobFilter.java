package dev.belay.sqlite.view;

import dev.belay.broker.JobQuery;
import dev.belay.jdbc.Bound;
import dev.belay.jdbc.SqlText;
import dev.belay.jdbc.Statements;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A query of jobs as SQL. Which index it reads is said, and not left to statistics: by key; by line, where few jobs are in
 * the wanted states; else by age, newest first.
 */
final class JobFilter {

    /** Up to as many jobs of the wanted states are gathered and sorted; of more, enough are met while reading by age. */
    private static final long FEW = 100_000;

    private final String source;
    private final List<String> conditions = new ArrayList<>();
    private final Map<String, Object> values = new LinkedHashMap<>();

    /**
     * @param queues the numbers of the queues to look in
     * @param inStates how many jobs of those queues are in the wanted states
     */
    JobFilter(JobQuery query, List<Long> queues, long inStates) {
        conditions.add("queue IN (" + queues.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ")");
        var final_ = query.finishedFrom() != null || query.finishedTo() != null;
        var states = states(query, final_);
        if (!states.isEmpty()) {
            conditions.add("line IN (" + lines(states) + ")");
        }
        equal("type", query.type());
        equal("error_class", query.errorClass());
        equal("error_fingerprint", query.errorFingerprint());
        equal("reason", query.reason());
        if (query.tag() != null) {
            // Guarded: tags that are no JSON must not end the whole query.
            conditions.add("CASE WHEN json_valid(tags)"
                    + " THEN EXISTS (SELECT 1 FROM json_each(tags) t WHERE t.value = :tag) ELSE 0 END");
            values.put("tag", query.tag());
        }
        bound("at >= :finishedFrom", "finishedFrom", query.finishedFrom());
        bound("at <= :finishedTo", "finishedTo", query.finishedTo());
        source = query.key() != null ? key(query.key()) : source(states, inStates, final_);
    }

    private static Set<JobState> states(JobQuery query, boolean finished) {
        if (!finished) {
            return query.states();
        }
        var all = query.states().isEmpty() ? Set.of(JobState.values()) : query.states();
        return all.stream().filter(JobState::isFinal).collect(Collectors.toSet());
    }

    private static String source(Set<JobState> states, long inStates, boolean finished) {
        return !states.isEmpty() && (finished || inStates <= FEW) ? "job INDEXED BY job_line" : "job NOT INDEXED";
    }

    private String key(String key) {
        values.put("key", key);
        conditions.add("(key = :key" + orId(key) + ")");
        return "job";
    }

    /** A job without an explicit key has its id as key. */
    private String orId(String key) {
        try {
            values.put("keyId", dev.belay.jdbc.Rows.bytes(JobId.parse(key).value()));
            return " OR (key IS NULL AND id = :keyId)";
        } catch (InvalidInputException e) {
            return "";
        }
    }

    private void equal(String column, @Nullable String value) {
        if (value != null) {
            conditions.add(column + " = :" + column);
            values.put(column, value);
        }
    }

    private void bound(String condition, String name, @Nullable Long value) {
        if (value != null) {
            conditions.add(condition);
            values.put(name, value);
        }
    }

    /** @return SQL text: {@code from} to the end of its conditions */
    private String from(String more) {
        return " FROM " + source + " WHERE " + String.join(" AND ", conditions) + more;
    }

    /** A statement over the jobs of the query, with its values set; the caller closes it. */
    Bound prepare(Statements sql, String select, String more) throws SQLException {
        var bound = sql.prepare(SqlText.parse("jobs", select + from(more)));
        for (var value : values.entrySet()) {
            set(bound, value.getKey(), value.getValue());
        }
        return bound;
    }

    private static void set(Bound bound, String name, Object value) throws SQLException {
        if (value instanceof Long number) {
            bound.set(name, number);
        } else if (value instanceof byte[] bytes) {
            bound.set(name, bytes);
        } else {
            bound.set(name, value.toString());
        }
    }

    private static String lines(Set<JobState> states) {
        return states.stream()
                .map(state -> switch (state) {
                    case READY -> "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14";
                    case SCHEDULED -> "15, 16";
                    case RUNNING -> "17";
                    case SUCCEEDED -> "20, 22";
                    case CANCELLED -> "21, 23";
                    case DEAD -> "24";
                })
                .collect(Collectors.joining(", "));
    }
}
