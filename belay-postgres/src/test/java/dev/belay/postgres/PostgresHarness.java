package dev.belay.postgres;

import dev.belay.broker.Broker;
import dev.belay.jdbc.Rows;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.tck.BrokerHarness;
import dev.belay.tck.Store;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Stores for the contract suites, each in a schema of its own. Their clock is the server's, with an offset. */
public final class PostgresHarness implements BrokerHarness {

    static {
        // The server is there before the first test: its threads are not the test's.
        Schemas.giveBack(Schemas.make());
    }

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public Store fresh() {
        return new SchemaStore();
    }

    private static final class SchemaStore implements Store {

        private final AtomicLong offset = new AtomicLong();
        private final String schema = Schemas.take();
        private final Map<String, PostgresBroker> namespaces = new LinkedHashMap<>();
        private @Nullable PostgresBroker second;

        @Override
        public Broker broker() {
            return namespace(NAMESPACE);
        }

        @Override
        public synchronized Broker secondNode() {
            if (second == null) {
                second = open(NAMESPACE);
            }
            return second;
        }

        @Override
        public synchronized Broker namespace(String name) {
            return namespaces.computeIfAbsent(name, this::open);
        }

        private PostgresBroker open(String namespace) {
            return PostgresBroker.builder(PostgresServer.address(schema))
                    .namespace(namespace)
                    .offset(offset::get)
                    .random(RandomGenerator.of("L64X128MixRandom"))
                    .open();
        }

        @Override
        public void advance(Duration by) {
            offset.addAndGet(by.toMillis());
        }

        @Override
        public void breakConnection() {
            ((PostgresBroker) broker()).breakConnections();
        }

        @Override
        public void reopen() {
            closeBrokers();
        }

        @Override
        public Optional<String> address() {
            return Optional.of(PostgresServer.address(schema));
        }

        @Override
        public Optional<String> jdbcUrl() {
            return Optional.of(PostgresServer.jdbcUrl(schema));
        }

        @Override
        public Optional<Planter> planter() {
            broker();
            return Optional.of(new RowPlanter(schema));
        }

        @Override
        public void close() {
            broker();
            closeBrokers();
            Schemas.giveBack(schema);
        }

        private void closeBrokers() {
            namespaces.values().forEach(PostgresBroker::close);
            namespaces.clear();
            if (second != null) {
                second.close();
                second = null;
            }
        }
    }

    private record RowPlanter(String schema) implements Store.Planter {

        @Override
        public void corrupt(String queue, JobId job) {
            plant(queue, job, "fingerprint = '\\x00'");
        }

        @Override
        public void newer(String queue, JobId job) {
            plant(queue, job, "format = " + (Job.FORMAT + 1));
        }

        private void plant(String queue, JobId job, String change) {
            try (var connection = PostgresServer.connect();
                    var statement = connection.prepareStatement(("UPDATE S.job SET " + change
                                    + " WHERE id = ? AND queue = (SELECT id FROM S.queue WHERE name = ?"
                                    + " AND namespace = (SELECT id FROM S.namespace WHERE name = ?))")
                            .replace("S.", schema + "."))) {
                statement.setBytes(1, Rows.bytes(job.value()));
                statement.setString(2, queue);
                statement.setString(3, Store.NAMESPACE);
                if (statement.executeUpdate() != 1) {
                    throw new AssertionError("no job " + job + " in " + queue);
                }
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }
    }
}
