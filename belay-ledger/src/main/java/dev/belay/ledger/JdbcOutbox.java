package dev.belay.ledger;

import dev.belay.handler.IdempotencyConflictException;
import dev.belay.jdbc.Rows;
import dev.belay.jdbc.SqlFiles;
import dev.belay.jdbc.Statements;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.Limits;
import dev.belay.job.NewJob;
import dev.belay.once.LedgerException;
import dev.belay.once.Outbox;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The outbox in a table of PostgreSQL or SQLite: beside the ledger's tables, made by the same migrations. Thread-safe. */
public final class JdbcOutbox implements Outbox {

    private static final int PAGE = 1_000;

    private static final String SERIALIZATION_FAILURE = "40001";

    private final Database database;
    private final SqlFiles files;
    private final Runnable onClose;
    private final OutboxRelay relay;
    private final long offset;

    JdbcOutbox(Database database, LedgerBuilder settings, Runnable onClose) {
        this.database = database;
        relay = new OutboxRelay(database, settings);
        this.offset = settings.offset;
        this.onClose = onClose;
        files = database.files();
    }

    /**
     * Opens the outbox in an SQLite file, which is made where it is not there.
     *
     * @throws LedgerException where the file can't be opened
     */
    public static JdbcOutbox open(Path file) {
        return LedgerBuilder.of(file).openOutbox();
    }

    /**
     * Opens the outbox in a database of the caller's own; its tables are made where they are not there.
     *
     * @param source hands out connections to the relay; stays the caller's to close
     * @throws LedgerException where the database can't be reached
     */
    public static JdbcOutbox open(DataSource source) {
        return LedgerBuilder.of(source).openOutbox();
    }

    /**
     * A job that waits.
     *
     * @param sendingAt when it was first about to be sent; null where it was not
     * @param problem why it waits for a person; null where it does not
     */
    public record Waiting(
            String namespace,
            String queue,
            JobId id,
            int bytes,
            Instant addedAt,
            @Nullable Instant sendingAt,
            @Nullable String problem) {}

    @Override
    public void add(Connection connection, String namespace, List<NewJob> jobs) throws SQLException {
        Limits.name("namespace", namespace);
        jobs.forEach(JdbcOutbox::refuseForgottenKey);
        try (var statements = new Statements(connection, files)) {
            for (var job : jobs) {
                add(statements, namespace, job);
            }
        }
    }

    private void add(Statements statements, String namespace, NewJob job) throws SQLException {
        relay.awaitWork();
        var bytes = JobBytes.of(job);
        var added = statements
                .get("outbox-add")
                .set("namespace", namespace)
                .set("queue", job.queue())
                .set("id", job.id().value())
                .set("job", bytes)
                .set("ownWindow", millis(job.options().dedup().window()))
                .set("offset", offset)
                .update();
        if (added == 0 && !Arrays.equals(bytes, stored(statements, namespace, job))) {
            throw new IdempotencyConflictException(
                    job.id(), "job " + job.id() + " waits in the outbox already, with another content");
        }
    }

    private static byte @Nullable [] stored(Statements statements, String namespace, NewJob job) throws SQLException {
        return statements
                .get("outbox-find")
                .set("namespace", namespace)
                .set("queue", job.queue())
                .set("id", job.id().value())
                .<byte @Nullable []>first(row -> row.getBytes(1));
    }

    /** A job may be sent twice, so its key must be remembered when it no longer waits. */
    private static void refuseForgottenKey(NewJob job) {
        if (job.options().dedup().atMostOneWaiting()) {
            throw new InvalidInputException(
                    "atMostOneWaiting",
                    "can't go through an outbox, as the key of job " + job.id()
                            + " would be forgotten once it runs: enqueue it directly, or without that option");
        }
    }

    private static @Nullable Long millis(@Nullable Duration value) {
        return value == null ? null : (Long) value.toMillis();
    }

    @Override
    public JobId addOnce(Connection connection, String namespace, NewJob job) throws SQLException {
        Limits.name("namespace", namespace);
        refuseForgottenKey(job);
        var scope = "enqueue " + namespace + "/" + job.queue() + "/" + job.type();
        var hash = Hash.of(scope, job.key().value());
        try (var statements = new Statements(connection, files)) {
            var isNew = statements
                            .get("outbox-key")
                            .set("hash", hash)
                            .set("scope", scope)
                            .set("key", job.key().value())
                            .set("version", Reserving.firstVersion())
                            .set("fingerprint", job.key().fingerprint().bytes())
                            .set("id", job.id().toString().getBytes(StandardCharsets.US_ASCII))
                            .set("offset", offset)
                            .update()
                    == 1;
            if (!isNew) {
                return taken(statements, hash, job);
            }
        }
        add(connection, namespace, List.of(job));
        return job.id();
    }

    private static JobId taken(Statements statements, byte[] hash, NewJob job) throws SQLException {
        var row = statements.get("find").set("hash", hash).<@Nullable Row>first(Row::read);
        var id = row == null ? null : row.entry().result();
        if (row == null || id == null) {
            throw new SQLException(
                    "the key was released while it was looked at: begin the transaction anew", SERIALIZATION_FAILURE);
        }
        var holder = JobId.parse(new String(id, StandardCharsets.US_ASCII));
        if (!job.key().fingerprint().equals(row.entry().fingerprint())) {
            throw new IdempotencyConflictException(
                    holder,
                    "key '" + job.key().value() + "' of type '" + job.type() + "' was first used at "
                            + row.entry().createdAt()
                            + " for a request with fingerprint " + row.entry().fingerprint() + ", this one's is "
                            + job.key().fingerprint());
        }
        return holder;
    }

    @Override
    public JobId addOnce(String namespace, NewJob job) {
        return database.transacted(sql -> addOnce(sql.connection(), namespace, job));
    }

    @Override
    public Duration relay(Target target) {
        return relay.run(target);
    }

    /**
     * What waits, oldest first.
     *
     * @param problemsOnly only what waits for a person
     * @param limit 1 to 1,000
     */
    public List<Waiting> list(boolean problemsOnly, int limit) {
        Limits.range("limit", limit, 1, PAGE);
        return database.statement(sql -> sql.untimed("outbox-list")
                .set("problemsOnly", problemsOnly ? 1L : 0L)
                .set("limit", (long) limit)
                .list(row -> new Waiting(
                        row.getString(1),
                        row.getString(2),
                        new JobId(Rows.uuid(row.getBytes(3))),
                        row.getBytes(4).length,
                        Instant.ofEpochMilli(row.getLong(5)),
                        Row.instant(row, 6),
                        row.getString(7))));
    }

    /** Lets a job be sent again that waits for a person; answers whether it did. */
    public boolean retry(JobId id) {
        relay.awaitWork();
        return database.write(
                        sql -> sql.untimed("outbox-retry").set("id", id.value()).update())
                == 1;
    }

    /** Removes a job that waits for a person; answers whether it did. */
    public boolean discard(JobId id) {
        return database.write(sql ->
                        sql.untimed("outbox-discard").set("id", id.value()).update())
                == 1;
    }

    @Override
    public void close() {
        onClose.run();
    }
}
