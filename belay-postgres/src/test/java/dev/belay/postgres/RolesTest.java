package dev.belay.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.BrokerException;
import dev.belay.broker.EnqueueCall;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.Settlement;
import dev.belay.job.By;
import dev.belay.job.Outcome;
import dev.belay.job.SessionId;
import dev.belay.tck.JobBuilder;
import dev.belay.tck.Together;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a role must be granted, as the docs say, and how a store is made by another. */
class RolesTest {

    private static final Path PAGE = Path.of("../docs/brokers/postgresql.md");

    private final String schema = "t" + UUID.randomUUID().toString().replace("-", "");
    private final String role = "r" + schema;

    private void run(String sql) throws SQLException {
        try (var connection = PostgresServer.connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private PostgresBrokerBuilder asRole() {
        return PostgresBroker.builder(PostgresServer.address(schema).replace("postgres@", role + "@"));
    }

    @BeforeEach
    void makeRole() throws SQLException {
        run("CREATE ROLE " + role + " LOGIN");
    }

    @AfterEach
    void dropAll() throws SQLException {
        run("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
        run("DROP OWNED BY " + role);
        run("DROP ROLE " + role);
    }

    /** The grants of the page, for this test's schema and role. */
    private String grants() throws Exception {
        var block = Pattern.compile("```sql\\n(GRANT.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        assertThat(block.find()).isTrue();
        return block.group(1).replace("SCHEMA belay", "SCHEMA " + schema).replace("TO shop", "TO " + role);
    }

    @Test
    void theGrantsOfTheDocsAreEnough() throws Exception {
        assertThat(PostgresBroker.builder(PostgresServer.address(schema)).migrate())
                .isPositive();
        run(grants());
        for (var builder : List.of(asRole(), asRole().migrates(false))) {
            try (var broker = builder.open()) {
                var session = new SessionId(UUID.randomUUID());
                var job = JobBuilder.job()
                        .queue("mail")
                        .type("a")
                        .key(UUID.randomUUID().toString())
                        .build();
                broker.enqueue(new EnqueueCall(UUID.randomUUID(), "mail", 1, List.of(job)));
                broker.register(
                        new SessionSpec(session, "mail", "worker", "1", 1, Duration.ofSeconds(30), Map.of("a", 1)));
                var lease =
                        broker.lease(LeaseRequest.of(session, 1, 1)).leases().get(0);
                var verdicts = broker.settle("mail", List.of(new Settlement(lease.id(), Outcome.Complete.PLAIN, null)));
                assertThat(verdicts.get(0).isApplied()).isTrue();
                broker.admin().pause("mail", By.of("ann"));
                broker.admin().resume("mail", By.of("ann"));
                broker.endSessions(List.of(session));
                broker.reap();
                broker.prune();
                assertThat(broker.admin().check())
                        .allSatisfy(check -> assertThat(check.detail()).isNotEmpty());
            }
        }
    }

    @Test
    void aRoleWithoutGrantsLearnsWhatItLacks() {
        PostgresBroker.builder(PostgresServer.address(schema)).migrate();
        assertThatThrownBy(() -> asRole().open())
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("docs/brokers/postgresql.md");
    }

    @Test
    void aStoreThatIsNotThereIsNotMadeUnasked() {
        assertThatThrownBy(() -> PostgresBroker.builder(PostgresServer.address(schema))
                        .migrates(false)
                        .open())
                .isInstanceOf(BrokerException.Rejected.class)
                .hasMessageContaining("belay migrate");
    }

    @Test
    void thePrintedStructureIsTheOneThatIsMade() throws Exception {
        var address = PostgresServer.address(schema);
        run(PostgresBroker.builder(address).migrationScript());
        try (var broker = PostgresBroker.builder(address).migrates(false).open()) {
            assertThat(broker.admin().queues()).isEmpty();
        }
    }

    @Test
    void severalThatStartAtOnceMakeOneStore() {
        var address = PostgresServer.address(schema);
        Together.run(8, i -> () -> {
            PostgresBroker.builder(address).open().close();
            return true;
        });
        try (var broker = PostgresBroker.builder(address).migrates(false).open()) {
            assertThat(broker.admin().queues()).isEmpty();
        }
    }
}
