package dev.belay.sqlite;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import dev.belay.job.Limits;
import dev.belay.sqlite.file.SqliteFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** Settings of a broker in an SQLite file. Not thread-safe; the broker is. */
public final class SqliteBrokerBuilder {

    private final Path path;
    private String namespace = Broker.DEFAULT_NAMESPACE;
    private InstantSource clock = InstantSource.system();
    private RandomGenerator random = RandomGenerator.getDefault();
    private Duration busyTimeout = Duration.ofSeconds(30);

    SqliteBrokerBuilder(Path path) {
        this.path = path;
    }

    /** The namespace; {@code belay} where none is set. Namespaces of one file share nothing. */
    public SqliteBrokerBuilder namespace(String value) {
        namespace = Limits.name("namespace", value);
        return this;
    }

    /**
     * The broker's clock; the host's where none is set. All processes that work on one file must go by the same clock.
     */
    public SqliteBrokerBuilder clock(InstantSource value) {
        clock = value;
        return this;
    }

    /** For backoffs; used by one thread at a time. */
    public SqliteBrokerBuilder random(RandomGenerator value) {
        random = value;
        return this;
    }

    /** How long a call waits for other processes that write to the file; 30 seconds where none is set. */
    public SqliteBrokerBuilder busyTimeout(Duration value) {
        busyTimeout = Limits.positive("busyTimeout", value);
        return this;
    }

    /**
     * Opens the store, which is made if it is not there.
     *
     * @throws BrokerException where the file can't be opened, or is no store that this version can work on
     */
    public SqliteBroker open() {
        var file = new SqliteFile(path.toAbsolutePath().normalize(), busyTimeout);
        return new SqliteBroker(SqliteStore.open(file, namespace, clock, random));
    }
}
