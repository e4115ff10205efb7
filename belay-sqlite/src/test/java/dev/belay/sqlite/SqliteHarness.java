package dev.belay.sqlite;

import dev.belay.broker.Broker;
import dev.belay.jdbc.Rows;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.tck.BrokerHarness;
import dev.belay.tck.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** SQLite stores for the contract suites, each in a directory of its own. Their clock stands still until it is moved. */
public final class SqliteHarness implements BrokerHarness {

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public Store fresh() {
        return new FileStore();
    }

    private static final class FileStore implements Store {

        /** Where writing through to the disk costs nothing: the suites open hundreds of stores. */
        private static final Path MEMORY = Path.of("/dev/shm");

        private final AtomicReference<Instant> time =
                new AtomicReference<>(Instant.ofEpochMilli(System.currentTimeMillis()));
        private final Path directory;
        private final Path file;
        private final Map<String, SqliteBroker> namespaces = new LinkedHashMap<>();
        private @Nullable SqliteBroker second;

        FileStore() {
            try {
                directory = Files.isWritable(MEMORY)
                        ? Files.createTempDirectory(MEMORY, "belay-sqlite")
                        : Files.createTempDirectory("belay-sqlite");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            file = directory.resolve("belay.db");
        }

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

        private SqliteBroker open(String namespace) {
            return SqliteBroker.builder(file)
                    .namespace(namespace)
                    .clock(time::get)
                    .random(RandomGenerator.of("L64X128MixRandom"))
                    .open();
        }

        @Override
        public void advance(Duration by) {
            time.updateAndGet(now -> now.plus(by));
        }

        @Override
        public void breakConnection() {
            ((SqliteBroker) broker()).breakConnection();
        }

        @Override
        public void reopen() {
            closeBrokers();
        }

        /** Other processes go by the system's clock: their tests let this one run beside it. */
        @Override
        public Optional<String> address() {
            return Optional.of("sqlite:" + file);
        }

        @Override
        public Optional<String> jdbcUrl() {
            return Optional.of("jdbc:sqlite:" + file + "?busy_timeout=30000");
        }

        @Override
        public Optional<Planter> planter() {
            broker();
            return Optional.of(new FilePlanter(file));
        }

        @Override
        public void close() {
            closeBrokers();
            try (var files = Files.walk(directory)) {
                for (var path : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void closeBrokers() {
            namespaces.values().forEach(SqliteBroker::close);
            namespaces.clear();
            if (second != null) {
                second.close();
                second = null;
            }
        }
    }

    private record FilePlanter(Path file) implements Store.Planter {

        @Override
        public void corrupt(String queue, JobId job) {
            plant(queue, job, "UPDATE job SET fingerprint = x'00'");
        }

        @Override
        public void newer(String queue, JobId job) {
            plant(queue, job, "UPDATE job SET format = " + (Job.FORMAT + 1));
        }

        private void plant(String queue, JobId job, String update) {
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                    var statement = connection.prepareStatement(update
                            + " WHERE id = ? AND queue = (SELECT id FROM queue WHERE name = ? AND namespace ="
                            + " (SELECT id FROM namespace WHERE name = '" + Store.NAMESPACE + "'))")) {
                statement.setBytes(1, Rows.bytes(job.value()));
                statement.setString(2, queue);
                if (statement.executeUpdate() != 1) {
                    throw new AssertionError("no job " + job + " in " + queue);
                }
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }
    }
}
