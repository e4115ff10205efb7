package dev.belay.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rows that jobs leave behind are reclaimed by the library itself. */
class VacuumTest {

    private final String schema = Schemas.make();

    @AfterEach
    void giveBack() {
        Schemas.giveBack(schema);
    }

    /** How often somebody has had a table vacuumed; autovacuum is not counted. */
    private long vacuums(String table) throws SQLException {
        try (var connection = PostgresServer.connect();
                var query = connection.prepareStatement(
                        "SELECT vacuum_count FROM pg_stat_user_tables WHERE schemaname = ? AND relname = ?")) {
            query.setString(1, schema);
            query.setString(2, table);
            try (var rows = query.executeQuery()) {
                assertThat(rows.next()).isTrue();
                return rows.getLong(1);
            }
        }
    }

    @Test
    void tenThousandSettlesAreVacuumedAndFewAreNot() throws SQLException {
        var before = vacuums("place");
        try (var vacuum = new Vacuum(PostgresServer::connect, schema)) {
            vacuum.settled(9_999);
            await().during(Duration.ofMillis(1_500)).until(() -> vacuums("place") == before);
            vacuum.settled(1);
            await().atMost(Duration.ofSeconds(30)).until(() -> vacuums("place") > before && vacuums("flight") > 0);
        }
    }

    @Test
    void aSettleThatReturnsAfterTheCloseDoesNotFail() {
        var vacuum = new Vacuum(PostgresServer::connect, schema);
        vacuum.close();
        assertThatCode(() -> vacuum.settled(10_000)).doesNotThrowAnyException();
    }

    @Test
    void aRoleThatMayNotIsNotAskedAgain() throws SQLException {
        var role = "r" + schema;
        try (var connection = PostgresServer.connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE ROLE " + role);
            statement.execute("GRANT USAGE ON SCHEMA " + schema + " TO " + role);
            try (var vacuum = new Vacuum(() -> as(role), schema)) {
                vacuum.settled(10_000);
                await().atMost(Duration.ofSeconds(30)).until(vacuum::isOver);
            }
            statement.execute("DROP OWNED BY " + role);
            statement.execute("DROP ROLE " + role);
        }
    }

    private static java.sql.Connection as(String role) throws SQLException {
        var connection = PostgresServer.connect();
        try (var statement = connection.createStatement()) {
            statement.execute("SET ROLE " + role);
        }
        return connection;
    }
}
