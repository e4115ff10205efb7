package dev.belay.sql.view;

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
 * A query of jobs as SQL. How it is read is said, and not left to statistics: by key; by place, where few jobs are in the
 * wanted states; else by age, newest first.
 */
final class JobFilter {

    /** Up to as many jobs of the wanted states are gathered and sorted; of more, enough are met while reading by age. */
    private static final long FEW = 100_000;

    private final FilterSql sql;
    private final String queues;
    private final String source;
    private final List<String> conditions = new ArrayList<>();
    private final Map<String, Object> values = new LinkedHashMap<>();

    /**
     * @param sql how the tables are read
     * @param queues the numbers of the queues to look in
     * @param inStates how many jobs of those queues are in the wanted states
     */
    JobFilter(FilterSql sql, JobQuery query, List<Long> queues, long inStates) {
        this.sql = sql;
        this.queues = "queue IN (" + queues.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ")";
        conditions.add("job." + this.queues);
        equal("type", query.type());
        equal("error_class", query.errorClass());
        equal("error_fingerprint", query.errorFingerprint());
        equal("reason", query.reason());
        if (query.tag() != null) {
            conditions.add(sql.tag());
            values.put("tag", query.tag());
        }
        if (query.key() != null) {
            key(query.key());
        }
        var finished = query.finishedFrom() != null || query.finishedTo() != null;
        var states = finished ? finalOnes(query.states()) : query.states();
        var gathered = !states.isEmpty() && (finished || inStates <= FEW) && query.key() == null;
        if (gathered) {
            conditions.add("seq IN (" + gather(states, query) + ")");
        } else if (!states.isEmpty()) {
            conditions.add(standing(states));
        }
        if (query.key() != null && finished) {
            conditions.add("seq IN (" + gather(states, query) + ")");
        }
        source = (gathered || query.key() != null ? sql.jobs() : sql.jobsByAge())
                + (isMore(query) ? " LEFT JOIN " + sql.more() + " m ON m.job = seq" : "");
    }

    /** Whether it asks for something that only some jobs have. */
    private static boolean isMore(JobQuery query) {
        return query.errorClass() != null
                || query.errorFingerprint() != null
                || query.reason() != null
                || query.tag() != null;
    }

    private static Set<JobState> finalOnes(Set<JobState> states) {
        var all = states.isEmpty() ? Set.of(JobState.values()) : states;
        return all.stream().filter(JobState::isFinal).collect(Collectors.toSet());
    }

    /** The jobs in some states, by their places. */
    private String gather(Set<JobState> states, JobQuery query) {
        var places = "SELECT job FROM " + sql.places() + " WHERE " + queues + " AND line IN (" + lines(states) + ")"
                + bound(" AND at >= :finishedFrom", "finishedFrom", query.finishedFrom())
                + bound(" AND at <= :finishedTo", "finishedTo", query.finishedTo());
        return states.contains(JobState.RUNNING)
                ? places + " UNION ALL SELECT job FROM " + sql.flights() + " WHERE " + queues
                : places;
    }

    /** Whether a job is in one of some states, by its row. */
    private String standing(Set<JobState> states) {
        var flying = "EXISTS (SELECT 1 FROM " + sql.flights() + " f WHERE f.job = job.seq)";
        var stands = "(line IN (" + lines(states) + ") AND NOT " + flying + ")";
        return states.contains(JobState.RUNNING) ? "(" + stands + " OR " + flying + ")" : stands;
    }

    /** A job without an explicit key has its id as key. */
    private void key(String key) {
        values.put("key", key);
        var orId = "";
        try {
            values.put("keyId", dev.belay.jdbc.Rows.bytes(JobId.parse(key).value()));
            orId = " UNION ALL SELECT seq FROM " + sql.jobsById() + " LEFT JOIN " + sql.more()
                    + " o ON o.job = j.seq WHERE j." + queues + " AND j.id = :keyId AND o.key IS NULL";
        } catch (InvalidInputException e) {
            // A key that is no id is an explicit one.
            orId = "";
        }
        conditions.add("seq IN (SELECT job FROM " + sql.moreByKey() + " WHERE key = :key" + orId + ")");
    }

    private void equal(String column, @Nullable String value) {
        if (value != null) {
            conditions.add(column + " = :" + column);
            values.put(column, value);
        }
    }

    private String bound(String condition, String name, @Nullable Long value) {
        if (value == null) {
            return "";
        }
        values.put(name, value);
        return condition;
    }

    /** @return SQL text: {@code from} to the end of its conditions */
    private String from(String more) {
        return " FROM " + source + " WHERE " + String.join(" AND ", conditions) + more;
    }

    /** A statement over the jobs of the query, with its values set; the caller closes it. */
    Bound prepare(Statements statements, String select, String more) throws SQLException {
        var bound = statements.prepare(SqlText.parse("jobs", select + from(more)));
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
                    case RUNNING -> "-1";
                    case SUCCEEDED -> "20, 22";
                    case CANCELLED -> "21, 23";
                    case DEAD -> "24";
                })
                .collect(Collectors.joining(", "));
    }
}
