package dev.belay.sql.step;

import static java.util.Objects.requireNonNull;

import dev.belay.broker.BrokerException;
import dev.belay.broker.NamespaceSettings;
import dev.belay.jdbc.Rows;
import dev.belay.jdbc.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What a broker object knows of its namespace: the number, the clock, the settings as they were last read. */
public final class Namespace {

    private static final long READ_AGAIN_NANOS = Duration.ofSeconds(2).toNanos();

    private final long id;
    private final String name;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Signals signals;
    private final CountedTypes countedTypes = new CountedTypes();
    private final Leased leased = new Leased();
    private final AtomicReference<Known> known;

    private Namespace(long id, String name, InstantSource clock, RandomGenerator random, Signals signals, Known known) {
        this.id = id;
        this.name = name;
        this.clock = clock;
        this.random = random;
        this.signals = signals;
        this.known = new AtomicReference<>(known);
    }

    /** Makes a namespace known, where it is not, and opens it. Within a transaction. */
    public static Namespace open(
            Statements sql, String name, InstantSource clock, RandomGenerator random, Signals signals)
            throws SQLException {
        sql.get("namespace-add").set("name", name);
        bind(sql, "namespace-add", NamespaceSettings.DEFAULT).set("name", name).later();
        var id = sql.get("namespace-find").set("name", name).number(-1);
        return new Namespace(id, name, clock, random, signals, known(read(sql, id)));
    }

    /** The settings, and when somebody last looked at the sessions. */
    public record Stored(
            NamespaceSettings settings, @Nullable Long lastReapAt) {

        /** Reads the columns of the statement {@code namespace-read}. */
        public static Stored read(ResultSet row) throws SQLException {
            var settings = new NamespaceSettings(
                    Duration.ofMillis(row.getLong(1)),
                    Duration.ofMillis(row.getLong(2)),
                    Duration.ofMillis(row.getLong(3)),
                    Duration.ofMillis(row.getLong(4)),
                    Duration.ofMillis(row.getLong(5)),
                    row.getInt(6));
            return new Stored(settings, Rows.optionalLong(row, 7));
        }
    }

    public long id() {
        return id;
    }

    public String name() {
        return name;
    }

    public InstantSource clock() {
        return clock;
    }

    public RandomGenerator random() {
        return random;
    }

    public Signals signals() {
        return signals;
    }

    CountedTypes countedTypes() {
        return countedTypes;
    }

    Leased leased() {
        return leased;
    }

    /**
     * The settings, read again where that was too long ago. Those of before hold while the store can't be read: what is asked
     * of it next says so, and waits if it may.
     *
     * @param reading runs {@link #readSettings}
     */
    public NamespaceSettings settings(Supplier<NamespaceSettings> reading) {
        var last = requireNonNull(known.get());
        if (System.nanoTime() - last.readAt < READ_AGAIN_NANOS) {
            return last.settings;
        }
        try {
            return reading.get();
        } catch (BrokerException.NotApplied | BrokerException.Unknown e) {
            // Not every call waits for its own try.
            known.compareAndSet(last, new Known(last.settings, System.nanoTime()));
            return last.settings;
        }
    }

    /** Reads the settings. */
    public NamespaceSettings readSettings(Statements sql) throws SQLException {
        return read(sql).settings;
    }

    /** The settings as the transaction around it sees them: noted nowhere. */
    Stored look(Statements sql) throws SQLException {
        return read(sql, id);
    }

    Stored read(Statements sql) throws SQLException {
        var stored = read(sql, id);
        known.set(known(stored));
        return stored;
    }

    void write(Statements sql, NamespaceSettings settings) throws SQLException {
        bind(sql, "namespace-configure", settings).set("namespace", id).later();
    }

    /** A transaction was undone: what was noted beside the store may not be true. */
    public void rolledBack() {
        countedTypes.forget();
    }

    private static dev.belay.jdbc.Bound bind(Statements sql, String statement, NamespaceSettings settings)
            throws SQLException {
        return sql.get(statement)
                .set("reapInterval", settings.reapInterval().toMillis())
                .set("reapGrace", settings.reapGrace().toMillis())
                .set("dedupWindow", settings.dedupWindow().toMillis())
                .set("unknownTypeLimit", settings.unknownTypeLimit().toMillis())
                .set("auditRetention", settings.auditRetention().toMillis())
                .set("maxPayloadBytes", (long) settings.maxPayloadBytes());
    }

    private static Stored read(Statements sql, long id) throws SQLException {
        return there(sql.get("namespace-read").set("namespace", id).<Stored>first(Stored::read));
    }

    private static Stored there(@Nullable Stored stored) {
        if (stored == null) {
            throw new BrokerException.NotApplied("the namespace is gone from the store: was its file replaced?", null);
        }
        return stored;
    }

    /** Notes the settings as they were read together with something else; null where nothing was found. */
    public NamespaceSettings note(@Nullable Stored read) {
        var stored = there(read);
        known.set(known(stored));
        return stored.settings;
    }

    private static Known known(Stored stored) {
        return new Known(stored.settings, System.nanoTime());
    }

    private record Known(NamespaceSettings settings, long readAt) {}
}
