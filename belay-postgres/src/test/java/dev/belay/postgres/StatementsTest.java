package dev.belay.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The statements, as the server sees them. */
class StatementsTest {

    private static final Path FOLDER = Path.of("src/main/resources/dev/belay/postgres/sql");

    /** What several statements share. */
    private static final Set<String> FRAGMENTS =
            Set.of("flight-columns", "job-columns", "heads-row", "more-columns", "queue-counts", "queue-row");

    private static List<String> names() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString().replace(".sql", ""))
                    .filter(name -> !FRAGMENTS.contains(name) && !Character.isDigit(name.charAt(0)))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void theServerUnderstandsEveryStatement() throws IOException, SQLException {
        var schema = Schemas.take();
        var structure = new Structure(schema);
        var wrong = new ArrayList<String>();
        try (var connection = PostgresServer.connect()) {
            structure.migrate(connection);
            for (var name : names()) {
                for (var one : structure.sql().statement(name).jdbc().split(";")) {
                    try (var statement = connection.prepareStatement(one)) {
                        statement.getParameterMetaData();
                    } catch (SQLException e) {
                        wrong.add(name + ": " + e.getMessage());
                    }
                }
            }
        } finally {
            Schemas.giveBack(schema);
        }
        assertThat(wrong).isEmpty();
    }

    /**
     * What runs for each batch of jobs, however many wait: by an index, also when the server plans without the values, and when
     * the tables were empty as it last counted: then reading all of one looks cheap, and the plan is kept while they fill.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "begin",
                "client-find",
                "client-save",
                "dedup-find",
                "dedup-known",
                "flight-end",
                "job-by-id",
                "job-by-seq",
                "jobs-by-seq",
                "line-due",
                "line-heads",
                "line-jobs",
                "line-lock",
                "more-succeed",
                "mores-by-seq",
                "place-lock",
                "place-remove",
                "places-take",
                "promote-take",
                "queue-find",
                "session-called",
                "session-find",
                "session-lock",
                "settle-keep",
                "settle-remove",
            })
    void hotStatementsReadNoWholeTable(String name) throws SQLException {
        var schema = Schemas.take();
        var structure = new Structure(schema);
        try (var connection = PostgresServer.connect();
                var statement = connection.createStatement()) {
            structure.migrate(connection);
            for (var table :
                    List.of("place", "flight", "job", "more", "payload", "dedup", "client_call", "session_call")) {
                statement.execute("VACUUM ANALYZE " + schema + "." + table);
            }
            connection.setAutoCommit(false);
            var begin = structure.sql().statement("begin").jdbc().replaceFirst("\\?", "0");
            statement.execute(begin.replaceFirst("\\?", "'2s'").replaceFirst("\\?", "'5s'"));
            var sql = numbered(structure.sql().statement(name).jdbc());
            statement.execute("PREPARE hot AS " + sql.text);
            var values = sql.parameters == 0 ? "" : "(" + "NULL, ".repeat(sql.parameters - 1) + "NULL)";
            var plan = new ArrayList<String>();
            try (var rows = statement.executeQuery("EXPLAIN EXECUTE hot" + values)) {
                while (rows.next()) {
                    plan.add(rows.getString(1));
                }
            }
            connection.rollback();
            assertThat(wholeTables(plan)).as(String.join("\n", plan)).isEmpty();
        } finally {
            Schemas.giveBack(schema);
        }
    }

    /** The scans of a plan that no condition on an index narrows. A sequence has one row; queues and sessions are few. */
    private static List<String> wholeTables(List<String> plan) {
        var whole = new ArrayList<String>();
        for (var i = 0; i < plan.size(); i++) {
            var line = plan.get(i);
            var next = i + 1 < plan.size() ? plan.get(i + 1) : "";
            var narrowed = next.contains("Index Cond") || next.contains("Recheck Cond") || next.contains("TID Cond");
            if (line.contains(" Scan")
                    && line.contains(" on ")
                    && !narrowed
                    && !line.matches(".* on (token_number|queue|session|t|few|q)\\b.*")) {
                whole.add(line.strip());
            }
        }
        return whole;
    }

    private record Numbered(String text, int parameters) {}

    /** The statement with {@code $1}, {@code $2}, … for its parameters. */
    private static Numbered numbered(String jdbc) {
        var text = new StringBuilder();
        var parameters = 0;
        for (var c : jdbc.toCharArray()) {
            if (c == '?') {
                text.append('$').append(++parameters);
            } else {
                text.append(c);
            }
        }
        return new Numbered(text.toString(), parameters);
    }
}
