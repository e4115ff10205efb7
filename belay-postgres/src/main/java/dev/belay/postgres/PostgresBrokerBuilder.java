package dev.belay.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import dev.belay.jdbc.Statements;
import dev.belay.jdbc.Transactions;
import dev.belay.job.Limits;
import dev.belay.sql.step.Namespace;
import dev.belay.sql.step.Signals;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Settings of a broker in a PostgreSQL database. Not thread-safe; the broker is. */
public final class PostgresBrokerBuilder {

    /** Connections that settles and heartbeats have for themselves. */
    private static final int VITAL = 2;

    private final @Nullable PostgresAddress address;
    private final @Nullable DataSource dataSource;
    private String schema = Structure.DEFAULT_SCHEMA;
    private String namespace = Broker.DEFAULT_NAMESPACE;
    private int connections = 8;
    private Duration patience = Duration.ofSeconds(5);
    private boolean migrates = true;
    private boolean listens = true;
    private RandomGenerator random = RandomGenerator.getDefault();
    private LongSupplier offset = () -> 0;

    PostgresBrokerBuilder(PostgresAddress address) {
        this.address = address;
        this.dataSource = null;
        if (address.schema() != null) {
            schema(address.schema());
        }
    }

    PostgresBrokerBuilder(DataSource dataSource) {
        this.address = null;
        this.dataSource = dataSource;
    }

    /** The namespace; {@code belay} where none is set. Namespaces of one schema share nothing. */
    public PostgresBrokerBuilder namespace(String value) {
        namespace = Limits.name("namespace", value);
        return this;
    }

    /**
     * The schema with the store's tables; {@code belay} where none is set.
     *
     * @param value 1 to 40 of a-z, 0-9 and _, beginning with no digit
     */
    public PostgresBrokerBuilder schema(String value) {
        schema = new Structure(value).schema();
        return this;
    }

    /**
     * How many connections are held at most, beside one that listens and two for settles and heartbeats; 8 where none is set.
     */
    public PostgresBrokerBuilder connections(int value) {
        connections = Limits.range("connections", value, 1, 1000);
        return this;
    }

    /** How long a call waits for a connection; 5 seconds where none is set. */
    public PostgresBrokerBuilder patience(Duration value) {
        patience = Limits.positive("patience", value);
        return this;
    }

    /**
     * Whether the store is made, or brought up to this version, when the broker is opened; true where nothing is set. If not,
     * it must be there.
     */
    public PostgresBrokerBuilder migrates(boolean value) {
        migrates = value;
        return this;
    }

    /**
     * Whether one more connection listens for signals of other processes; true where nothing is set. Without, workers find
     * what others enqueue by polling. Behind a PgBouncer in transaction mode, nothing can be heard.
     */
    public PostgresBrokerBuilder listens(boolean value) {
        listens = value;
        return this;
    }

    /** For backoffs. */
    PostgresBrokerBuilder random(RandomGenerator value) {
        random = value;
        return this;
    }

    /** Milliseconds that are added to the server's time: for tests. */
    PostgresBrokerBuilder offset(LongSupplier value) {
        offset = value;
        return this;
    }

    /**
     * Makes the store, or brings it up to this version, and opens nothing: for a role that may do so, where the brokers' role
     * may not. Safe to be run by several at once.
     *
     * @return the version that the store is of now
     * @throws BrokerException where the server can't be reached, or the role may not do it
     */
    public int migrate() {
        var structure = new Structure(schema);
        try (var connection = connect()) {
            structure.migrate(connection);
            return structure.migrations().read(connection).version();
        } catch (SQLException e) {
            throw faults().beforeCommit(e);
        }
    }

    /** The whole structure of an empty store as SQL, for those who run it by other tools. */
    public String migrationScript() {
        return new Structure(schema).script();
    }

    private PostgresFaults faults() {
        return new PostgresFaults(address == null ? "the database of the data source" : address.toString());
    }

    /**
     * Opens the store, which is made if it is not there.
     *
     * @throws BrokerException where the server can't be reached, or is none that this version can work on
     */
    public PostgresBroker open() {
        var structure = new Structure(schema);
        var faults = faults();
        var connected = new Connected();
        var node = new Node(schema, namespace);
        var signals = new Signals();
        var watermarks = new Watermarks(System::nanoTime);
        try (var connection = connect()) {
            if (migrates) {
                structure.migrate(connection);
            } else {
                structure.check(connection);
            }
            var opened = Transactions.plain().in(connection, any -> {
                try (var statements = new Statements(connection, structure.sql())) {
                    var start = statements
                            .get("time")
                            .set("offset", offset.getAsLong())
                            .number(0);
                    connected.seen(start);
                    return Namespace.open(statements, namespace, InstantSource.system(), random, signals);
                }
            });
            return new PostgresBroker(new PostgresStore(
                    structure,
                    new Lane(pool("calls", connections, 0), structure.sql(), faults, connected),
                    new Lane(pool("vital", VITAL, VITAL), structure.sql(), faults, connected),
                    opened,
                    node,
                    signals,
                    offset,
                    new Listener(this::connect, node, signals, watermarks, listens),
                    connected,
                    watermarks,
                    new Vacuum(this::connect, schema)));
        } catch (SQLException e) {
            throw faults.beforeCommit(e);
        }
    }

    private Connection connect() throws SQLException {
        return dataSource != null
                ? dataSource.getConnection()
                : Objects.requireNonNull(address).connect();
    }

    private HikariDataSource pool(String name, int size, int held) {
        var config = new HikariConfig();
        config.setPoolName("belay-" + namespace + "-" + name);
        if (dataSource != null) {
            config.setDataSource(dataSource);
        } else {
            var where = Objects.requireNonNull(address);
            config.setJdbcUrl(where.jdbc());
            config.setDataSourceProperties(where.properties());
        }
        config.setAutoCommit(false);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(held);
        config.setConnectionTimeout(Math.max(250, patience.toMillis()));
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }
}
