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

    /** What runs for each batch of jobs, however many wait: by an index, also when the server plans without the values. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "begin",
                "client-find",
                "client-save",
                "dedup-find",
                "flight-end",
                "job-by-id",
                "job-by-seq",
                "jobs-by-seq",
                "line-due",
                "line-heads",
                "line-jobs",
                "line-lock",
                "mores-by-seq",
                "place-lock",
                "place-remove",
                "queue-find",
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
            statement.execute("SET plan_cache_mode = force_generic_plan");
            // A table that is nearly empty is read whole, and that is right then.
            statement.execute("SET enable_seqscan = off");
            var sql = numbered(structure.sql().statement(name).jdbc());
            statement.execute("PREPARE hot AS " + sql.text);
            var values = sql.parameters == 0 ? "" : "(" + "NULL, ".repeat(sql.parameters - 1) + "NULL)";
            var plan = new StringBuilder();
            try (var rows = statement.executeQuery("EXPLAIN EXECUTE hot" + values)) {
                while (rows.next()) {
                    plan.append(rows.getString(1)).append('\n');
                }
            }
            // A sequence has one row.
            assertThat(plan.toString().replace("Seq Scan on token_number", "")).doesNotContain("Seq Scan");
        } finally {
            Schemas.giveBack(schema);
        }
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
