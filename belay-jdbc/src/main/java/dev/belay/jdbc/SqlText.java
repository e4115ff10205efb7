package dev.belay.jdbc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One SQL statement with named parameters ({@code :name}), as JDBC takes it.
 *
 * @param name where it came from, for error messages
 * @param jdbc the statement with a {@code ?} for each parameter
 * @param positions the JDBC positions of each name, from 1, in order of their first appearance
 * @param arrays what those parameters are arrays of that are cast so ({@code :name::bigint[]}), by their positions
 */
public record SqlText(String name, String jdbc, Map<String, int[]> positions, Map<Integer, String> arrays) {

    private static final Pattern ARRAY = Pattern.compile("::(\\w+)\\[]");

    public SqlText {
        positions = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(positions));
        arrays = Map.copyOf(arrays);
    }

    /** How many parameters JDBC sees. */
    int parameters() {
        return positions.values().stream().mapToInt(at -> at.length).sum();
    }

    /**
     * Reads a statement. Comments are left out; text in quotes is left alone, and so is {@code ::}, which some databases
     * use for casts.
     */
    public static SqlText parse(String name, String sql) {
        return new Parser(sql).parse(name);
    }

    private static final class Parser {
        private final String sql;
        private final StringBuilder out = new StringBuilder();
        private final Map<String, List<Integer>> positions = new LinkedHashMap<>();
        private final Map<Integer, String> arrays = new HashMap<>();
        private int parameters;
        private int at;

        private Parser(String sql) {
            this.sql = sql;
        }

        private SqlText parse(String name) {
            while (at < sql.length()) {
                var c = sql.charAt(at);
                if (c == '\'' || c == '"') {
                    copyUntil(sql.indexOf(c, at + 1) + 1);
                } else if (sql.startsWith("--", at)) {
                    skipLine();
                } else if (sql.startsWith("::", at)) {
                    copyUntil(at + 2);
                } else if (c == ':' && at + 1 < sql.length() && Character.isJavaIdentifierStart(sql.charAt(at + 1))) {
                    parameter();
                } else {
                    copyUntil(at + 1);
                }
            }
            var at = new LinkedHashMap<String, int[]>();
            positions.forEach((parameter, all) ->
                    at.put(parameter, all.stream().mapToInt(Integer::intValue).toArray()));
            return new SqlText(name, out.toString().strip(), at, arrays);
        }

        private void copyUntil(int end) {
            var until = end <= at ? sql.length() : end;
            out.append(sql, at, until);
            at = until;
        }

        private void skipLine() {
            var end = sql.indexOf('\n', at);
            at = end < 0 ? sql.length() : end;
        }

        private void parameter() {
            var end = at + 1;
            while (end < sql.length() && Character.isJavaIdentifierPart(sql.charAt(end))) {
                end++;
            }
            parameters++;
            positions
                    .computeIfAbsent(sql.substring(at + 1, end), any -> new ArrayList<>())
                    .add(parameters);
            var array = ARRAY.matcher(sql).region(end, sql.length());
            if (array.lookingAt()) {
                arrays.put(parameters, array.group(1));
            }
            out.append('?');
            at = end;
        }
    }
}
