package dev.belay.sql.step;

import dev.belay.jdbc.Statements;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which types of a queue are counted by name: the first 500; further ones count as {@code other}. Safe for use by many threads. */
final class CountedTypes {

    private static final int TYPES = 500;
    private static final String OTHER = "other";

    private final Map<Long, Set<String>> known = new ConcurrentHashMap<>();

    /** The name that a type is counted by. */
    String counted(Statements sql, long queue, String type) throws SQLException {
        var names = known.get(queue);
        if (names != null && names.contains(type)) {
            return type;
        }
        // Another process may have added some: asked again for each type that is not counted by name.
        names = new HashSet<>(sql.get("counted-types").set("queue", queue).list(row -> row.getString(1)));
        if (!names.contains(type) && names.size() >= TYPES) {
            return OTHER;
        }
        if (names.add(type)) {
            sql.get("counted-type-add").set("queue", queue).set("type", type).later();
        }
        known.put(queue, Set.copyOf(names));
        return type;
    }

    /** After a rollback: what was noted may not be stored. */
    void forget() {
        known.clear();
    }
}
