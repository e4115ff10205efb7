package dev.belay.ledger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import dev.belay.job.Addresses;
import dev.belay.job.InvalidInputException;
import dev.belay.job.Limits;
import dev.belay.once.LedgerException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Collects a ledger's settings. Not thread-safe. */
public final class LedgerBuilder {

    private static final String SQLITE = "jdbc:sqlite:";
    private static final int CONNECTIONS = 10;

    private final @Nullable DataSource source;
    private final @Nullable HikariConfig pool;

    Duration retention = Duration.ofDays(30);
    Duration patience = Duration.ofSeconds(10);
    Duration life = Duration.ofSeconds(30);
    Duration beat = Duration.ofSeconds(5);
    Duration lookInterval = Duration.ofSeconds(2);
    Duration grace = Duration.ofSeconds(10);
    Duration outboxHold = Duration.ofSeconds(30);
    Duration outboxPause = Duration.ofSeconds(3);
    Duration idle = Duration.ofMinutes(1);
    long offset;

    private LedgerBuilder(@Nullable DataSource source, @Nullable HikariConfig pool) {
        this.source = source;
        this.pool = pool;
    }

    /** In an SQLite file. */
    public static LedgerBuilder of(Path file) {
        return pooled(sqliteUrl(file));
    }

    /** The URL by which a ledger opens an SQLite file: each commit is synced to the disk, and a lock is waited for. */
    public static String sqliteUrl(Path file) {
        return SQLITE + file + "?journal_mode=WAL&synchronous=FULL&busy_timeout=10000&transaction_mode=IMMEDIATE";
    }

    /** In a database that JDBC knows by this URL, with its user and password where it needs them. */
    public static LedgerBuilder of(String jdbcUrl) {
        if (!jdbcUrl.startsWith("jdbc:")) {
            throw new InvalidInputException(
                    "ledger", "must be a URL of JDBC, but is '" + Addresses.withoutSecrets(jdbcUrl) + "'");
        }
        return pooled(jdbcUrl);
    }

    /** In a database of the caller's own. */
    public static LedgerBuilder of(DataSource source) {
        return new LedgerBuilder(source, null);
    }

    private static LedgerBuilder pooled(String url) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(Duration.ofSeconds(10).toMillis());
        return new LedgerBuilder(null, config);
    }

    /** How long what is final is kept. Default 30 days. */
    public LedgerBuilder retention(Duration value) {
        retention = Limits.positive("ledger retention", value);
        return this;
    }

    /** How long what happened is tried to be recorded while the database is away. Default 10 s. */
    public LedgerBuilder patience(Duration value) {
        patience = Limits.wait("ledger patience", value);
        return this;
    }

    /**
     * For how long a call in a transaction may let the database wait between its statements: then PostgreSQL ends the
     * transaction, as its process may be frozen, and others wait for the key. Default 1 minute. Not where the database has a
     * limit of its own ({@code idle_in_transaction_session_timeout}); not on SQLite, which has none.
     */
    public LedgerBuilder idleTransaction(Duration value) {
        idle = Limits.positive("idleTransaction", value);
        return this;
    }

    /**
     * The paces of this process's session, which holds what is reserved outside of jobs: from a heartbeat to its deadline
     * (30 s), between heartbeats (5 s), between looks at the sessions of others (2 s), and how long a session must have been
     * seen late before it is ended (10 s). All programs on one ledger should agree on them.
     *
     * @throws InvalidInputException where heartbeats are rarer than three in a life, or the grace has no room for one and two
     *     looks
     */
    public LedgerBuilder session(Duration theLife, Duration heartbeat, Duration looks, Duration theGrace) {
        if (Limits.positive("heartbeat", heartbeat).multipliedBy(3).compareTo(theLife) > 0) {
            throw new InvalidInputException(
                    "heartbeat", "must be at most a third of the session's life " + theLife + ", but is " + heartbeat);
        }
        if (Limits.positive("looks", looks).multipliedBy(2).plus(heartbeat).compareTo(theGrace) >= 0) {
            throw new InvalidInputException(
                    "grace",
                    "must be longer than a heartbeat and two looks, so that the living are heard of, but is " + theGrace
                            + " beside heartbeats of " + heartbeat + " and looks of " + looks);
        }
        life = theLife;
        beat = heartbeat;
        lookInterval = looks;
        grace = theGrace;
        return this;
    }

    /**
     * For how long a relay may hold the jobs that it is moving, before another takes them up. Default 30 s; far below the
     * broker's dedup window.
     */
    public LedgerBuilder outboxHold(Duration value) {
        outboxHold = Limits.positive("outboxHold", value);
        return this;
    }

    /** For tests: for how long a relay leaves alone what could not be sent. */
    LedgerBuilder outboxPause(Duration value) {
        outboxPause = value;
        return this;
    }

    /** For tests: pretends that the database's clock is so many milliseconds ahead. */
    LedgerBuilder offset(long millis) {
        offset = millis;
        return this;
    }

    /**
     * Opens the ledger; makes or migrates its tables.
     *
     * @throws LedgerException where the database can't be reached
     */
    public JdbcLedger open() {
        if (pool == null || pool.getJdbcUrl().startsWith(SQLITE)) {
            return opened((database, onClose) -> new JdbcLedger(database, database, this, onClose));
        }
        return opened((database, onClose) -> {
            // Heartbeats must get through while callers hold all connections.
            var aside = connect("belay-ledger-session", 1);
            return new JdbcLedger(database, database.by(aside), this, () -> {
                aside.close();
                onClose.run();
            });
        });
    }

    /**
     * Opens the outbox of the same database; makes or migrates its tables.
     *
     * @throws LedgerException where the database can't be reached
     */
    public JdbcOutbox openOutbox() {
        return opened((database, onClose) -> new JdbcOutbox(database, this, onClose));
    }

    private <T> T opened(BiFunction<Database, Runnable, T> make) {
        if (source != null) {
            return make.apply(new Database(source, offset, idle), () -> {});
        }
        var own = connect("belay-ledger", CONNECTIONS);
        try {
            return make.apply(new Database(own, offset, idle), own::close);
        } catch (RuntimeException | Error e) {
            own.close();
            throw e;
        }
    }

    private HikariDataSource connect(String name, int connections) {
        var config = new HikariConfig();
        Objects.requireNonNull(pool).copyStateTo(config);
        config.setPoolName(name);
        config.setMaximumPoolSize(connections);
        try {
            return new HikariDataSource(config);
        } catch (HikariPool.PoolInitializationException | IllegalArgumentException e) {
            throw new LedgerException("the ledger's database can't be reached: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw new LedgerException(
                    "the ledger's database can't be opened: is its JDBC driver on the class path? " + e.getMessage(),
                    e);
        }
    }
}
