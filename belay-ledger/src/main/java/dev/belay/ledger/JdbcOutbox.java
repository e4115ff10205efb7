package dev.belay.ledger;

import dev.belay.handler.IdempotencyConflictException;
import dev.belay.jdbc.Bound;
import dev.belay.jdbc.Rows;
import dev.belay.jdbc.SqlFiles;
import dev.belay.jdbc.Statements;
import dev.belay.job.Fingerprint;
import dev.belay.job.IdempotencyKey;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The outbox in a table of PostgreSQL or SQLite: beside the ledger's tables, made by the same migrations. Thread-safe. */
public final class JdbcOutbox implements Outbox {

    private static final int BATCH = 100;
    private static final int PAGE = 1_000;
    private static final long OVERDUE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final Duration IDLE = Duration.ofMillis(200);

    private static final String SERIALIZATION_FAILURE = "40001";

    private static final String OVERDUE =
            "it may have been sent longer ago than the broker remembers keys: look whether"
                    + " the job was run, then retry or discard it";

    private final Database database;
    private final SqlFiles files;
    private final Runnable onClose;
    private final UUID me = UUID.randomUUID();
    private final Duration hold;
    private final Duration pause;
    private final long offset;
    private volatile long overdueAt = System.nanoTime();

    JdbcOutbox(Database database, LedgerBuilder settings, Runnable onClose) {
        this.database = database;
        this.hold = settings.outboxHold;
        this.pause = settings.outboxPause;
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

    /** A job that was claimed. */
    private record Claimed(long position, String queue, JobId id, byte[] job, long addedAt, int tries, long now) {}

    @Override
    public Duration relay(Target target) {
        var until = System.nanoTime() + hold.toNanos() / 2;
        var claimed = claim(target);
        if (claimed.isEmpty() || System.nanoTime() - overdueAt > OVERDUE_NANOS) {
            leaveOverdue(target);
            overdueAt = System.nanoTime();
        }
        if (claimed.isEmpty()) {
            return IDLE;
        }
        var byQueue = new LinkedHashMap<String, List<Claimed>>();
        claimed.forEach(each ->
                byQueue.computeIfAbsent(each.queue(), any -> new ArrayList<>()).add(each));
        RuntimeException failure = null;
        for (var queue : byQueue.entrySet()) {
            try {
                move(target, queue.getKey(), queue.getValue(), until);
            } catch (NotSentException e) {
                // An outage of the broker must not make what was never sent look as if it had been.
                each(
                        queue.getValue().stream()
                                .filter(each -> each.tries() == 1)
                                .toList(),
                        sql -> sql.timed("outbox-unsent").set("pause", pause.toMillis()));
                free(queue.getValue().stream().filter(each -> each.tries() > 1).toList());
                failure = e;
            } catch (RuntimeException e) {
                // Another queue may be on another shard, which works.
                free(queue.getValue());
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return claimed.size() < BATCH ? IDLE : Duration.ZERO;
    }

    private List<Claimed> claim(Target target) {
        return database
                .write(sql -> sql.timed("outbox-claim")
                        .set("namespace", target.namespace())
                        .set("me", me)
                        .set("hold", hold.toMillis())
                        .set("window", window(target))
                        .set("limit", (long) BATCH)
                        .returning(row -> new Claimed(
                                row.getLong(1),
                                row.getString(2),
                                new JobId(Rows.uuid(row.getBytes(3))),
                                row.getBytes(4),
                                row.getLong(5),
                                row.getInt(6),
                                row.getLong(7))))
                .stream()
                .sorted(Comparator.comparingLong(Claimed::position))
                .toList();
    }

    /** What may have been sent is sent again only while the broker surely remembers it, also at the end of this claim. */
    private long window(Target target) {
        return Math.max(0, target.dedupWindow().minus(hold).toMillis());
    }

    private void move(Target target, String queue, List<Claimed> claimed, long until) {
        var readable = new ArrayList<Claimed>();
        var jobs = new ArrayList<NewJob>();
        for (var each : claimed) {
            try {
                jobs.add(keyed(JobBytes.read(each.job(), Duration.ofMillis(Math.max(0, each.now() - each.addedAt())))));
                readable.add(each);
            } catch (IllegalArgumentException e) {
                leave(each, "it can't be read: " + e.getMessage());
            }
        }
        if (jobs.isEmpty()) {
            return;
        }
        if (System.nanoTime() - until > 0) {
            // This process stood still: by now another relay may have claimed them.
            free(readable);
            return;
        }
        var problems = target.enqueue(queue, jobs);
        var done = new ArrayList<Claimed>();
        for (var i = 0; i < readable.size(); i++) {
            if (problems.get(i).isEmpty()) {
                done.add(readable.get(i));
            } else {
                leave(readable.get(i), problems.get(i));
            }
        }
        each(done, sql -> sql.untimed("outbox-done"));
    }

    /** Without a key of its own, its id is one: so the broker remembers it even when the job has gone. */
    private static NewJob keyed(NewJob job) {
        return job.key().explicit()
                ? job
                : new NewJob(
                        job.id(),
                        job.queue(),
                        job.type(),
                        job.payload(),
                        new IdempotencyKey(
                                job.key().value(),
                                new Fingerprint(job.key().fingerprint().bytes()),
                                true),
                        job.options(),
                        job.start(),
                        job.expiry(),
                        job.links());
    }

    private void leave(Claimed claimed, String problem) {
        database.write(sql -> sql.untimed("outbox-problem")
                .set("position", claimed.position())
                .set("me", me)
                .set("problem", problem)
                .update());
    }

    private void leaveOverdue(Target target) {
        database.write(sql -> sql.timed("outbox-overdue")
                .set("namespace", target.namespace())
                .set("window", window(target))
                .set("hold", hold.toMillis())
                .set("problem", OVERDUE)
                .update());
    }

    /** Not at once: jobs of other queues, which may work, must be reached meanwhile. */
    private void free(List<Claimed> claimed) {
        each(claimed, sql -> sql.timed("outbox-free").set("pause", pause.toMillis()));
    }

    /** Prepares a statement on each of some rows. */
    private interface Preparing {
        Bound prepare(Sql sql) throws SQLException;
    }

    private void each(List<Claimed> claimed, Preparing preparing) {
        if (claimed.isEmpty()) {
            return;
        }
        database.transacted(sql -> {
            var prepared = preparing.prepare(sql);
            for (var each : claimed) {
                prepared.set("position", each.position()).set("me", me).add();
            }
            return prepared.updateBatch();
        });
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
