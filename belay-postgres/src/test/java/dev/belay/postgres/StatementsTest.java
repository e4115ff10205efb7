package dev.belay.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The statements, as the server sees them. */
class StatementsTest {

    private static final Path FOLDER = Path.of("src/main/resources/dev/belay/postgres/sql");

    private static List<String> names() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString().replace(".sql", ""))
                    .filter(name -> !name.endsWith("-columns") && !Character.isDigit(name.charAt(0)))
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
                try (var statement = connection.prepareStatement(
                        structure.sql().statement(name).jdbc())) {
                    statement.getParameterMetaData();
                } catch (SQLException e) {
                    wrong.add(name + ": " + e.getMessage());
                }
            }
        } finally {
            Schemas.giveBack(schema);
        }
        assertThat(wrong).isEmpty();
    }
}
