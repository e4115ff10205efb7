package dev.belay.postgres;

import dev.belay.broker.EnqueueCall;
import dev.belay.broker.NamespaceSettings;
import dev.belay.jdbc.Bound;
import dev.belay.jdbc.Statements;
import dev.belay.job.NewJob;
import dev.belay.job.SessionId;
import dev.belay.sql.row.JobRow;
import dev.belay.sql.row.Jobs;
import dev.belay.sql.step.Accepting;
import dev.belay.sql.step.Heads;
import dev.belay.sql.step.Namespace;
import dev.belay.sql.step.NumberedCall;
import dev.belay.sql.step.QueueRow;
import dev.belay.sql.step.ReadyLines;
import dev.belay.sql.step.SessionRow;
import dev.belay.sql.step.Tx;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A transaction beside others, at READ COMMITTED. Who changes a job holds the lock on its place, or, in flight, on its row
 * there, and reads the job after that; who changes a session holds the lock on its row. Whatever many may be at, background
 * passes leave out what others have locked, so they wait for nobody.
 */
final class PostgresTx extends Tx {

    /** A job that moves as often as this while one tries to lock it stands somewhere else than its row says. */
    private static final int TRIES = 5;

    private final Node node;
    private final Watermarks watermarks;
    private final boolean guest;
    /** The earliest place in each queue, by its number, that a job came to stand at. */
    private final Map<Long, Long> earliest = new HashMap<>();

    private final Set<SessionId> lockedSessions = new HashSet<>();

    // What was read together with the beginning, each good for one look.

    private @Nullable String leasing;
    private @Nullable Heads heads;
    private @Nullable EnqueueCall calling;
    private @Nullable NumberedCall newestCall;

    private PostgresTx(Statements sql, Namespace namespace, Node node, Watermarks watermarks, long now, boolean guest) {
        super(sql, namespace, now, guest);
        this.node = node;
        this.watermarks = watermarks;
        this.guest = guest;
    }

    /** A transaction of the broker's own. */
    static PostgresTx ofBroker(Statements sql, Namespace namespace, Node node, Watermarks watermarks, long now) {
        return new PostgresTx(sql, namespace, node, watermarks, now, false);
    }

    /** Work within a transaction that a caller ends. */
    static PostgresTx ofGuest(Statements sql, Namespace namespace, Node node, Watermarks watermarks, long now) {
        return new PostgresTx(sql, namespace, node, watermarks, now, true);
    }

    @Override
    protected void noteSettings(NamespaceSettings read) {
        super.noteSettings(read);
    }

    @Override
    protected @Nullable QueueRow noteQueue(@Nullable QueueRow queue) {
        return super.noteQueue(queue);
    }

    /** Notes the newest call of a client, whose row is locked. */
    void noteCall(EnqueueCall call, @Nullable NumberedCall newest) {
        calling = call;
        newestCall = newest;
    }

    /** Notes a session, whose row is locked. */
    void noteSession(SessionId id, @Nullable SessionRow session, @Nullable Long newestLease) {
        lockedSessions.add(id);
        if (session != null && newestLease != null) {
            session.called(newestLease);
        }
        reread(id, session);
    }

    /** Notes a queue that is locked for leasing, and the heads of its lines. */
    void noteLease(@Nullable QueueRow queue, @Nullable Heads read) {
        leasing = queue == null ? null : queue.name;
        heads = read;
    }

    @Override
    protected @Nullable NumberedCall newestCall(UUID client, QueueRow queue) throws SQLException {
        var noted = calling;
        calling = null;
        return noted != null && noted.client().equals(client) && noted.queue().equals(queue.name)
                ? newestCall
                : super.newestCall(client, queue);
    }

    @Override
    protected Heads heads(QueueRow queue) throws SQLException {
        var noted = heads;
        heads = null;
        return noted != null && queue.name.equals(leasing) ? noted : super.heads(queue);
    }

    @Override
    protected boolean[] insert(List<JobRow> rows, List<NewJob> jobs) throws SQLException {
        number(rows);
        var columns = new Columns(rows);
        var added = new HashSet<>(sql.get("job-insert")
                .set("queue", rows.get(0).queue)
                .set("format", rows.get(0).format)
                .setArray("seq", "bigint", columns.of(row -> row.seq))
                .setArray("id", "bytea", columns.bytes(row -> row.id))
                .setArray("type", "text", columns.of(row -> row.type))
                .setArray("line", "integer", columns.of(row -> row.line))
                .setArray("at", "bigint", columns.of(row -> row.at))
                .setArray("priority", "integer", columns.of(row -> row.priority))
                .setArray("encoding", "text", columns.of(row -> row.encoding))
                .setArray("schemaVersion", "integer", columns.of(row -> row.schemaVersion))
                .setArray("fingerprint", "bytea", columns.bytes(row -> row.fingerprint))
                .setArray("payloadSize", "integer", columns.of(row -> row.payloadSize))
                .setArray("runAt", "bigint", columns.of(row -> row.runAt))
                .setArray("readyAt", "bigint", columns.of(row -> row.readyAt))
                .setArray("maxAttempts", "integer", columns.of(row -> row.maxAttempts))
                .setArray("maxCrashes", "integer", columns.of(row -> row.maxCrashes))
                .setArray("more", "integer", columns.of(row -> row.more ? 1 : 0))
                .setArray("payload", "bytea", payloads(jobs))
                .returning(row -> row.getLong(1)));
        var result = new boolean[rows.size()];
        for (var i = 0; i < result.length; i++) {
            result[i] = added.contains(rows.get(i).seq);
        }
        return result;
    }

    private void number(List<JobRow> rows) throws SQLException {
        // By blocks: rows of one call follow each other as their jobs do.
        var numbers = node.numbers().take(sql, rows.size());
        for (var i = 0; i < rows.size(); i++) {
            rows.get(i).seq = (now << JobRow.SEQ_BITS) | numbers[i];
        }
    }

    /** Null where the payload is large. */
    private static @Nullable Object[] payloads(List<NewJob> jobs) {
        var payloads = new byte @Nullable [jobs.size()][];
        for (var i = 0; i < payloads.length; i++) {
            var payload = jobs.get(i).payload();
            payloads[i] = Accepting.isLarge(jobs.get(i)) ? null : payload.bytes();
        }
        return payloads;
    }

    @Override
    protected @Nullable JobRow toChange(long queue, UUID id) throws SQLException {
        var found = Jobs.byId(sql, queue, id);
        return found == null ? null : lock(found);
    }

    @Override
    protected @Nullable JobRow toChange(long seq) throws SQLException {
        var found = Jobs.bySeq(sql, seq);
        return found == null ? null : lock(found);
    }

    /** Locks where the job stands, and reads it anew: it may have moved meanwhile, and then it is tried again there. */
    private @Nullable JobRow lock(JobRow found) throws SQLException {
        JobRow job = found;
        for (var i = 0; i < TRIES; i++) {
            var locked = isLocked(job);
            var again = Jobs.bySeq(sql, job.seq);
            if (again == null || (locked && standsWhere(job, again))) {
                return again;
            }
            job = again;
        }
        return job;
    }

    private boolean isLocked(JobRow job) throws SQLException {
        var lock = job.isRunning()
                ? sql.get("flight-lock").set("job", job.seq)
                : sql.get("place-lock")
                        .set("queue", job.queue)
                        .set("line", job.line)
                        .set("at", job.at)
                        .set("job", job.seq);
        return lock.number(0) == 1;
    }

    private static boolean standsWhere(JobRow one, JobRow other) {
        return one.isRunning() ? other.isRunning() : one.line == other.line && one.at == other.at;
    }

    @Override
    protected List<JobRow> standing(Bound query) throws SQLException {
        return read(query.list(row -> row.getLong(1)));
    }

    @Override
    protected List<JobRow> held(long queue, long session, int limit) throws SQLException {
        // Who takes back only some of it can leave what is being settled to the next pass.
        var query = limit == Integer.MAX_VALUE ? "flight" : "flight-free";
        return read(sql.get(query)
                .set("queue", queue)
                .set("session", session)
                .set("limit", limit)
                .list(row -> row.getLong(1)));
    }

    /** Reads jobs that are locked, in order: after that, so as they stand. */
    private List<JobRow> read(List<Long> seqs) throws SQLException {
        if (seqs.isEmpty()) {
            return List.of();
        }
        var found = new HashMap<Long, JobRow>();
        sql.get("jobs-by-seq")
                .setArray("seqs", "bigint", seqs.toArray())
                .list(row -> found.put(row.getLong(1), JobRow.read(row)));
        complete(found);
        return seqs.stream().map(found::get).filter(Objects::nonNull).toList();
    }

    /** Reads what only some of these jobs have. */
    void complete(Map<Long, JobRow> jobs) throws SQLException {
        var more = jobs.values().stream()
                .filter(job -> job.more)
                .map(job -> job.seq)
                .toArray();
        if (more.length > 0) {
            sql.get("mores-by-seq").setArray("seqs", "bigint", more).list(row -> {
                var job = Objects.requireNonNull(jobs.get(row.getLong(MORE_JOB)));
                return job.readMore(row);
            });
        }
    }

    /** The column behind those that {@link JobRow#readMore} reads. */
    private static final int MORE_JOB = 29;

    @Override
    protected @Nullable SessionRow sessionToChange(SessionId id) throws SQLException {
        if (!lockedSessions.add(id)) {
            return session(id);
        }
        return reread(
                id,
                sql.get("session-lock")
                        .set("namespace", namespace.id())
                        .set("id", id.value())
                        .first(SessionRow::read));
    }

    @Override
    protected List<SessionRow> sessionsToChange() throws SQLException {
        return sql.get("sessions-to-look-at")
                .set("namespace", namespace.id())
                .set("now", now)
                .list(SessionRow::read);
    }

    @Override
    protected void lockAll(List<String> names) throws SQLException {
        lockNames(names.stream().map(node::lockName).toList());
    }

    private void lockNames(List<String> names) throws SQLException {
        sql.get("lock-keys").setArray("names", "text", names.toArray()).list(row -> true);
    }

    @Override
    protected Set<Accepting.Key> knownKeys(long queue, List<NewJob> jobs) throws SQLException {
        var keyed = jobs.stream().filter(job -> job.key().explicit()).toList();
        if (keyed.isEmpty()) {
            return new HashSet<>();
        }
        return new HashSet<>(sql.get("dedup-known")
                .set("queue", queue)
                .setArray("type", "text", keyed.stream().map(NewJob::type).toArray())
                .setArray(
                        "key",
                        "text",
                        keyed.stream().map(job -> job.key().value()).toArray())
                .list(row -> new Accepting.Key(row.getString(1), row.getString(2))));
    }

    @Override
    protected boolean isAlone(String work) throws SQLException {
        return isLockedNow(node.lockName(work));
    }

    private boolean isLockedNow(String name) throws SQLException {
        return sql.get("lock-try").set("name", name).number(0) == 1;
    }

    @Override
    protected QueueRow queueToLease(String name) throws SQLException {
        if (!name.equals(leasing)) {
            sql.get("lock-shared").set("name", node.leaseLock(name)).number(0);
        }
        return queue(name);
    }

    @Override
    protected void lockForPause(QueueRow queue) throws SQLException {
        lockNames(List.of(node.leaseLock(queue.name)));
    }

    @Override
    protected boolean lockForRemoval(QueueRow queue) throws SQLException {
        return isLockedNow("belay queue " + queue.id);
    }

    @Override
    protected void makeDue(QueueRow queue, String type, int schemaVersion) throws SQLException {
        sql.get("unknown-due")
                .set("queue", queue.id)
                .set("type", type)
                .set("schemaVersion", schemaVersion)
                .set("now", now)
                .later();
    }

    @Override
    protected ReadyLines readyLines(QueueRow queue, Heads heads, boolean suspects, int wanted) {
        return PostgresReadyLines.open(this, queue, heads, suspects, wanted);
    }

    @Override
    protected long[] tokens(QueueRow queue, int n) throws SQLException {
        return sql.get("token-draw").set("n", n).list(row -> row.getLong(1)).stream()
                .mapToLong(Long::longValue)
                .toArray();
    }

    @Override
    protected void foldCounts(QueueRow queue) throws SQLException {
        sql.get("queue-fold").set("queue", queue.id).later();
        sql.get("event-fold").set("queue", queue.id).later();
    }

    @Override
    public void beforeCommit() throws SQLException {
        super.beforeCommit();
        for (var signal : signals().entrySet()) {
            var queue = signal.getKey();
            node.tell(sql, queue, signal.getValue(), earliest(queue), guest);
        }
    }

    private long earliest(String queue) throws SQLException {
        return earliest.getOrDefault(queue(queue).id, now);
    }

    @Override
    protected void stands(long queue, long at) {
        earliest.merge(queue, at, Math::min);
    }

    @Override
    public void afterCommit() {
        if (!earliest.isEmpty()) {
            watermarks.lower(Collections.min(earliest.values()));
        }
        super.afterCommit();
    }
}
