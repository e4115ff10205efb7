package dev.belay.sql.row;

import dev.belay.jdbc.Bound;
import dev.belay.jdbc.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The row of a job, as it is stored, with what only some jobs have beside it: nothing is judged here, so a row can be read
 * whatever is in it. Mutable; a step changes it and writes it back with {@link #bind} and {@link #bindMore}.
 */
public final class JobRow {

    /** The column behind those that {@link #standing} reads. */
    public static final int NEXT_COLUMN = 23;

    public static final int REPLACES_WAITING = 1;
    public static final int ONLY_WAITING = 2;

    /** Milliseconds of {@code seq} begin at this bit. */
    public static final int SEQ_BITS = 20;

    /** Whether it was in flight when it was read or last written. */
    public boolean flying;

    /** Where it stood, or, in flight, stood before, when it was read or last written. */
    public int placeLine;

    public long placeAt;

    public long seq;
    public long queue;
    public byte[] id = new byte[0];
    public String type = "";
    public int line;
    public long at;
    public int priority;
    public long token;
    public int format;
    public String encoding = "";
    public int schemaVersion;
    public byte[] fingerprint = new byte[0];
    public int payloadSize;
    public long runAt;
    public @Nullable Long readyAt;
    public int maxAttempts;
    public int maxCrashes;
    public int deliveries;

    /** Whether it has a row in the table {@code more}, where what follows is. */
    public boolean more;

    public @Nullable Long expiresAt;
    public @Nullable Long lifetime;
    public @Nullable Long timer;
    public @Nullable Long leasedAt;
    public @Nullable Long begunAt;
    public @Nullable Long unknownSince;
    public int failures;
    public int crashes;
    public int stepsTaken;
    public int snoozes;
    public int releases;
    public int replays;
    public int historyCount;
    public @Nullable String key;
    public @Nullable Long timeout;
    public @Nullable String backoff;
    public @Nullable Long retention;
    public @Nullable String groupKey;
    public @Nullable String tags;
    public @Nullable String headers;
    public byte @Nullable [] parent;
    public byte @Nullable [] replaces;
    public @Nullable String reason;
    public @Nullable Long lastToken;
    public byte @Nullable [] lastSession;
    public @Nullable String lastOutcome;
    public @Nullable String errorClass;
    public @Nullable String errorFingerprint;
    public @Nullable String errorMessage;
    public @Nullable String errorStack;
    public @Nullable String progress;
    public @Nullable Long dedupWindow;

    /** What its key means beside that: the sum of {@link #REPLACES_WAITING} and {@link #ONLY_WAITING}. */
    public int dedupMode;

    /**
     * Reads the columns of the fragment {@code job-columns} of a job that is not in flight. Where {@link #more} says so,
     * {@link #readMore} is to follow.
     */
    public static JobRow standing(ResultSet row) throws SQLException {
        var job = new JobRow();
        job.readFixed(row);
        return job;
    }

    /** As {@link #standing} for a job that may be in flight: the columns of {@code flight-columns} come behind. */
    public static JobRow read(ResultSet row) throws SQLException {
        var job = standing(row);
        var session = Rows.optionalLong(row, NEXT_COLUMN);
        if (session != null) {
            // The row is as it was before the lease: what the lease changed is beside it.
            job.flying = true;
            job.line = Lines.RUNNING;
            job.at = session;
            job.token = row.getLong(NEXT_COLUMN + 1);
            job.leasedAt = Rows.optionalLong(row, NEXT_COLUMN + 2);
            job.begunAt = Rows.optionalLong(row, NEXT_COLUMN + 3);
            job.deliveries++;
        }
        return job;
    }

    /** Reads the columns of the fragment {@code more-columns}. */
    public JobRow readMore(ResultSet row) throws SQLException {
        expiresAt = Rows.optionalLong(row, 1);
        lifetime = Rows.optionalLong(row, 2);
        timer = Rows.optionalLong(row, 3);
        unknownSince = Rows.optionalLong(row, 4);
        failures = row.getInt(5);
        crashes = row.getInt(6);
        stepsTaken = row.getInt(7);
        snoozes = row.getInt(8);
        releases = row.getInt(9);
        replays = row.getInt(10);
        historyCount = row.getInt(11);
        key = row.getString(12);
        timeout = Rows.optionalLong(row, 13);
        backoff = row.getString(14);
        retention = Rows.optionalLong(row, 15);
        groupKey = row.getString(16);
        tags = row.getString(17);
        headers = row.getString(18);
        parent = row.getBytes(19);
        replaces = row.getBytes(20);
        reason = row.getString(21);
        errorClass = row.getString(22);
        errorFingerprint = row.getString(23);
        errorMessage = row.getString(24);
        errorStack = row.getString(25);
        progress = row.getString(26);
        dedupWindow = Rows.optionalLong(row, 27);
        dedupMode = row.getInt(28);
        return this;
    }

    private void readFixed(ResultSet row) throws SQLException {
        seq = row.getLong(1);
        queue = row.getLong(2);
        id = bytes(row, 3);
        type = row.getString(4);
        line = row.getInt(5);
        at = row.getLong(6);
        priority = row.getInt(7);
        token = row.getLong(8);
        format = row.getInt(9);
        encoding = row.getString(10);
        schemaVersion = row.getInt(11);
        fingerprint = bytes(row, 12);
        payloadSize = row.getInt(13);
        runAt = row.getLong(14);
        readyAt = Rows.optionalLong(row, 15);
        maxAttempts = row.getInt(16);
        maxCrashes = row.getInt(17);
        deliveries = row.getInt(18);
        more = row.getInt(19) != 0;
        lastToken = Rows.optionalLong(row, 20);
        if (lastToken != null) {
            lastSession = row.getBytes(21);
            lastOutcome = row.getString(22);
        }
        placeLine = line;
        placeAt = at;
    }

    /** The driver answers null for no bytes. */
    private static byte[] bytes(ResultSet row, int column) throws SQLException {
        var bytes = row.getBytes(column);
        return bytes == null ? new byte[0] : bytes;
    }

    /** Sets the parameters of the statement {@code job-save}. */
    public Bound bind(Bound save) throws SQLException {
        // In flight, the row stays as it was before the lease.
        return save.set("seq", seq)
                .set("line", isRunning() ? placeLine : line)
                .set("at", isRunning() ? placeAt : at)
                .set("priority", priority)
                .set("token", token)
                .set("runAt", runAt)
                .set("readyAt", readyAt)
                .set("deliveries", isRunning() ? deliveries - 1 : deliveries)
                .set("more", more ? 1L : 0L)
                .set("lastToken", lastToken)
                .set("lastSession", lastSession)
                .set("lastOutcome", lastOutcome);
    }

    /** Sets the parameters of the statement {@code more-save}. */
    public Bound bindMore(Bound save) throws SQLException {
        return save.set("job", seq)
                .set("queue", queue)
                .set("expiresAt", expiresAt)
                .set("lifetime", lifetime)
                .set("timer", timer)
                .set("unknownSince", unknownSince)
                .set("failures", failures)
                .set("crashes", crashes)
                .set("stepsTaken", stepsTaken)
                .set("snoozes", snoozes)
                .set("releases", releases)
                .set("replays", replays)
                .set("historyCount", historyCount)
                .set("key", key)
                .set("timeout", timeout)
                .set("backoff", backoff)
                .set("retention", retention)
                .set("groupKey", groupKey)
                .set("tags", tags)
                .set("headers", headers)
                .set("parent", parent)
                .set("replaces", replaces)
                .set("reason", reason)
                .set("errorClass", errorClass)
                .set("errorFingerprint", errorFingerprint)
                .set("errorMessage", errorMessage)
                .set("errorStack", errorStack)
                .set("progress", progress)
                .set("dedupWindow", dedupWindow)
                .set("dedupMode", dedupMode);
    }

    /** Whether there is anything of what only some jobs have. */
    public boolean hasMore() {
        return expiresAt != null
                || timer != null
                || unknownSince != null
                || (failures | crashes | stepsTaken | snoozes | releases | replays | historyCount) != 0
                || key != null
                || timeout != null
                || backoff != null
                || retention != null
                || groupKey != null
                || tags != null
                || headers != null
                || parent != null
                || replaces != null
                || reason != null
                || errorClass != null
                || progress != null
                || dedupWindow != null
                || dedupMode != 0;
    }

    public long createdAt() {
        return seq >> SEQ_BITS;
    }

    /** When it became final; null before. */
    public @Nullable Long finishedAt() {
        return isFinal() ? (Long) at : null;
    }

    public boolean isReady() {
        return Lines.isReady(line);
    }

    public boolean isScheduled() {
        return line == Lines.SCHEDULED || line == Lines.UNKNOWN;
    }

    public boolean isWaiting() {
        return Lines.isWaiting(line);
    }

    /** Whether it may still be started, and has not been. */
    public boolean isToStart(long now) {
        return isWaiting() && !isExpired(now);
    }

    public boolean isRunning() {
        return line == Lines.RUNNING;
    }

    public boolean isDead() {
        return line == Lines.DEAD;
    }

    public boolean isCancelled() {
        return line == Lines.CANCELLED || line == Lines.CANCELLED_OWN;
    }

    public boolean isSucceeded() {
        return line == Lines.SUCCEEDED || line == Lines.SUCCEEDED_OWN;
    }

    public boolean isFinal() {
        return isSucceeded() || isCancelled() || isDead();
    }

    public boolean isExpired(long now) {
        var expiry = expiresAt;
        return expiry != null && expiry <= now;
    }

    public boolean hasOneCrashLeft() {
        return crashes + 1 >= maxCrashes;
    }

    public boolean isSuspect() {
        return crashes >= 1 && hasOneCrashLeft();
    }

    /** Whether it must not be run again: begun, and only one crash ever allowed. */
    public boolean isAtMostOnce() {
        return begunAt != null && maxCrashes == 1;
    }

    public int attempt() {
        return failures + 1;
    }

    /** Its line once it is ready. */
    public int readyLine() {
        return Lines.ready(priority, crashes, maxCrashes);
    }
}
