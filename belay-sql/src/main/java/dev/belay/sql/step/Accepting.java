package dev.belay.sql.step;

import dev.belay.broker.Event;
import dev.belay.broker.Verdict;
import dev.belay.jdbc.Rows;
import dev.belay.job.InvalidInputException;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.NewJob;
import dev.belay.sql.row.JobRecords;
import dev.belay.sql.row.JobRow;
import dev.belay.sql.row.Jobs;
import dev.belay.sql.row.Lines;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Accepts jobs into a queue, unless they, or their keys, are there already. */
public final class Accepting {

    /** A payload up to this many bytes stands in the job's row, which is written anew with each change of state. */
    public static final int INLINE_BYTES = 2048;

    private final Tx tx;
    private final Keys keys;
    private final Replacement replacement;

    Accepting(Tx tx) {
        this.tx = tx;
        this.keys = new Keys(tx);
        this.replacement = new Replacement(tx);
    }

    /** Refuses payloads that are too large. */
    void check(List<NewJob> jobs) throws SQLException {
        var limit = tx.settings().maxPayloadBytes();
        for (var job : jobs) {
            if (job.payload().size() > limit) {
                throw new InvalidInputException(
                        "payload",
                        "must be at most " + limit + " bytes, but is "
                                + job.payload().size() + " bytes (job " + job.id() + " of type " + job.type() + ")");
            }
        }
    }

    /** Accepts jobs of one queue; one verdict each, in order. */
    List<Verdict> accept(QueueRow queue, List<NewJob> jobs) throws SQLException {
        tx.lockKeys(queue.id, jobs);
        var known = tx.knownKeys(queue.id, jobs);
        var verdicts = new ArrayList<Verdict>(jobs.size());
        var fresh = new ArrayList<NewJob>();
        for (var job : jobs) {
            // Added as it is read: a key may come twice in one batch.
            if (job.key().explicit() && !known.add(Key.of(job))) {
                insert(queue, fresh, verdicts);
                fresh.clear();
                verdicts.add(acceptKeyed(queue, job));
            } else {
                fresh.add(job);
            }
        }
        insert(queue, fresh, verdicts);
        return verdicts;
    }

    /** An explicit key, within its queue. */
    public record Key(String type, String value) {

        public static Key of(NewJob job) {
            return new Key(job.type(), job.key().value());
        }
    }

    /** Why a job can't be accepted; null where it can. */
    @Nullable
    Verdict taken(QueueRow queue, NewJob job) throws SQLException {
        var twin = Jobs.byId(tx.sql, queue.id, job.id().value());
        if (twin != null) {
            return sameId(job, twin);
        }
        if (!job.key().explicit()) {
            return null;
        }
        var holder = keys.holder(queue.id, job.type(), job.key().value());
        if (holder == null) {
            return null;
        }
        return holder.fingerprint().equals(job.key().fingerprint())
                ? new Verdict.Duplicate(holder.holder(), holder.state())
                : new Verdict.Conflict(holder.holder(), holder.state(), keyConflict(job, holder));
    }

    private Verdict acceptKeyed(QueueRow queue, NewJob job) throws SQLException {
        var waiting = job.options().dedup().replaceWaiting() ? giving(queue, job) : null;
        if (waiting != null) {
            replacement.run(waiting, job);
            return new Verdict.Replaced(JobRecords.id(waiting), Moves.state(waiting));
        }
        var taken = taken(queue, job);
        if (taken != null) {
            return taken;
        }
        var verdicts = new ArrayList<Verdict>(1);
        insert(queue, List.of(job), verdicts);
        return verdicts.get(0);
    }

    /** The holder of a job's key, where it is to give its payload up for this one's; null where nothing is to be replaced. */
    private @Nullable JobRow giving(QueueRow queue, NewJob job) throws SQLException {
        var holder = keys.holder(queue.id, job.type(), job.key().value());
        if (holder == null || holder.fingerprint().equals(job.key().fingerprint())) {
            return null;
        }
        var held = tx.toChange(queue.id, holder.holder().value());
        if (held == null || !held.isToStart(tx.now) || held.format > Job.FORMAT || JobRecords.isCorrupt(held)) {
            return null;
        }
        var own = holder.holder().equals(job.id());
        return own || Jobs.byId(tx.sql, queue.id, job.id().value()) == null ? held : null;
    }

    private void insert(QueueRow queue, List<NewJob> jobs, List<Verdict> verdicts) throws SQLException {
        if (jobs.isEmpty()) {
            return;
        }
        var rows = new ArrayList<JobRow>(jobs.size());
        for (var job : jobs) {
            rows.add(row(queue, job));
        }
        var inserted = tx.insert(rows, jobs);
        for (var i = 0; i < jobs.size(); i++) {
            if (inserted[i]) {
                saveBeside(queue, rows.get(i), jobs.get(i));
            }
        }
        tx.sql.get("more-save").batchLater();
        tx.sql.get("payload-add").batchLater();
        keys.claimAll();
        for (var i = 0; i < jobs.size(); i++) {
            verdicts.add(inserted[i] ? accepted(queue, jobs.get(i)) : twin(queue, jobs.get(i)));
        }
    }

    /** What stands beside the row of a job. */
    private void saveBeside(QueueRow queue, JobRow row, NewJob job) throws SQLException {
        if (row.more) {
            row.bindMore(tx.sql.get("more-save")).add();
        }
        if (isLarge(job)) {
            tx.sql
                    .get("payload-add")
                    .set("job", row.seq)
                    .set("bytes", job.payload().bytes())
                    .add();
        }
        if (job.key().explicit()) {
            keys.claimLater(queue.id, job, tx.now);
        }
    }

    private Verdict accepted(QueueRow queue, NewJob job) {
        var state = runAt(job) > tx.now ? JobState.SCHEDULED : JobState.READY;
        tx.tally.event(queue.id, job.type(), Event.ACCEPTED, 1);
        tx.tally.jobs(queue.id, state, 1);
        if (state == JobState.READY) {
            tx.ready(queue);
        }
        return state == JobState.READY ? Verdicts.ACCEPTED_READY : Verdicts.ACCEPTED_SCHEDULED;
    }

    private Verdict twin(QueueRow queue, NewJob job) throws SQLException {
        var taken = taken(queue, job);
        if (taken == null) {
            throw new SQLException("job " + job.id() + " was refused as a duplicate, but is not there");
        }
        return taken;
    }

    private long runAt(NewJob job) {
        return Math.max(tx.now, job.start().resolve(tx.now));
    }

    private JobRow row(QueueRow queue, NewJob job) {
        var options = job.options();
        var row = new JobRow();
        var payload = job.payload();
        row.id = Rows.bytes(job.id().value());
        row.type = job.type();
        row.format = Job.FORMAT;
        row.encoding = payload.encoding();
        row.schemaVersion = payload.schemaVersion();
        row.fingerprint = job.key().fingerprint().bytes();
        row.payloadSize = payload.size();
        row.queue = queue.id;
        row.priority = options.priority();
        row.maxAttempts = options.maxAttempts();
        row.maxCrashes = options.maxCrashes();
        row.runAt = runAt(job);
        row.at = row.runAt;
        row.readyAt = row.runAt <= tx.now ? (Long) row.runAt : null;
        row.line = row.readyAt == null ? Lines.SCHEDULED : row.readyLine();
        var expiry = job.expiry();
        if (expiry != null) {
            row.expiresAt = expiry.resolve(tx.now);
            row.lifetime = row.expiresAt - tx.now;
            row.timer = row.expiresAt;
        }
        row.key = job.key().explicit() ? job.key().value() : null;
        row.timeout = millis(options.timeout());
        row.backoff = JobRecords.stored(options.backoff());
        row.retention = millis(options.retention());
        row.groupKey = options.groupKey();
        row.tags = JobRecords.stored(options.tags());
        row.headers = JobRecords.stored(options.headers());
        row.parent = bytes(job.links().parent());
        row.replaces = bytes(job.links().replaces());
        row.dedupWindow = millis(options.dedup().window());
        row.dedupMode = JobRecords.storedMode(options.dedup());
        row.more = row.hasMore();
        return row;
    }

    public static boolean isLarge(NewJob job) {
        return job.payload().size() > INLINE_BYTES;
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : duration.toMillis();
    }

    private static byte @Nullable [] bytes(@Nullable JobId id) {
        return id == null ? null : Rows.bytes(id.value());
    }

    private static Verdict sameId(NewJob job, JobRow twin) {
        var state = Moves.state(twin);
        var key = twin.key == null ? job.id().toString() : twin.key;
        var same = twin.type.equals(job.type())
                && key.equals(job.key().value())
                && Arrays.equals(twin.fingerprint, job.key().fingerprint().bytes());
        return same
                ? new Verdict.Duplicate(job.id(), state)
                : new Verdict.Conflict(
                        job.id(),
                        state,
                        "id " + job.id() + " is taken by a job of type '" + twin.type + "' with key '" + key
                                + "' and fingerprint "
                                + java.util.HexFormat.of().formatHex(twin.fingerprint)
                                + ", first seen " + Instant.ofEpochMilli(twin.createdAt())
                                + "; this request is of type '" + job.type() + "' with key '"
                                + job.key().value() + "' and fingerprint "
                                + job.key().fingerprint());
    }

    private static String keyConflict(NewJob job, Keys.Held holder) {
        return keyConflict(job.key().value(), job.type(), holder, job.key().fingerprint());
    }

    static String keyConflict(String key, String type, Keys.Held holder, Object fingerprint) {
        return "key '" + key + "' of type '" + type + "' is held by job " + holder.holder() + " with fingerprint "
                + holder.fingerprint() + ", first seen " + Instant.ofEpochMilli(holder.since())
                + "; this request has fingerprint " + fingerprint;
    }
}
