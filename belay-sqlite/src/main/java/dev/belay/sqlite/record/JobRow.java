package dev.belay.sqlite.record;

import dev.belay.jdbc.Bound;
import dev.belay.jdbc.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The row of a job, as it is stored: nothing is judged here, so a row can be read whatever is in it. Rare columns are
 * read only where the row says that it has any. Mutable; a step changes it and writes it back with {@link #bind}.
 */
public final class JobRow {

    private static final int EXPIRY = 1;
    private static final int UNKNOWN = 2;
    private static final int COUNTS = 4;
    private static final int KEY = 8;
    private static final int OPTIONS = 16;
    private static final int STORY = 32;

    /** The column behind those that {@link #read} reads. */
    public static final int NEXT_COLUMN = 53;

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

    /** Reads the columns of the fragment {@code job-columns}, and the four of the job's flight behind them. */
    public static JobRow read(ResultSet row) throws SQLException {
        var job = new JobRow();
        job.readFixed(row);
        var has = row.getInt(19);
        if ((has & EXPIRY) != 0) {
            job.expiresAt = Rows.optionalLong(row, 20);
            job.lifetime = Rows.optionalLong(row, 21);
            job.timer = Rows.optionalLong(row, 22);
        }
        if ((has & UNKNOWN) != 0) {
            job.unknownSince = Rows.optionalLong(row, 23);
        }
        if ((has & COUNTS) != 0) {
            job.failures = row.getInt(24);
            job.crashes = row.getInt(25);
            job.stepsTaken = row.getInt(26);
            job.snoozes = row.getInt(27);
            job.releases = row.getInt(28);
            job.replays = row.getInt(29);
            job.historyCount = row.getInt(30);
        }
        if ((has & KEY) != 0) {
            job.key = row.getString(31);
        }
        if ((has & OPTIONS) != 0) {
            job.readOptions(row);
        }
        if ((has & STORY) != 0) {
            job.readStory(row);
        }
        job.readFlight(row);
        return job;
    }

    /** In flight, the row is as it was before the lease: what the lease changed is beside it. */
    private void readFlight(ResultSet row) throws SQLException {
        placeLine = line;
        placeAt = at;
        var session = Rows.optionalLong(row, 49);
        if (session != null) {
            flying = true;
            line = Lines.RUNNING;
            at = session;
            token = row.getLong(50);
            leasedAt = Rows.optionalLong(row, 51);
            begunAt = Rows.optionalLong(row, 52);
            deliveries++;
        }
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
    }

    /** The driver answers null for no bytes. */
    private static byte[] bytes(ResultSet row, int column) throws SQLException {
        var bytes = row.getBytes(column);
        return bytes == null ? new byte[0] : bytes;
    }

    private void readOptions(ResultSet row) throws SQLException {
        timeout = Rows.optionalLong(row, 32);
        backoff = row.getString(33);
        retention = Rows.optionalLong(row, 34);
        groupKey = row.getString(35);
        tags = row.getString(36);
        headers = row.getString(37);
        parent = row.getBytes(38);
        replaces = row.getBytes(39);
    }

    private void readStory(ResultSet row) throws SQLException {
        reason = row.getString(40);
        lastToken = Rows.optionalLong(row, 41);
        lastSession = row.getBytes(42);
        lastOutcome = row.getString(43);
        errorClass = row.getString(44);
        errorFingerprint = row.getString(45);
        errorMessage = row.getString(46);
        errorStack = row.getString(47);
        progress = row.getString(48);
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
                .set("expiresAt", expiresAt)
                .set("timer", timer)
                .set("unknownSince", unknownSince)
                .set("failures", failures)
                .set("crashes", crashes)
                .set("stepsTaken", stepsTaken)
                .set("snoozes", snoozes)
                .set("releases", releases)
                .set("replays", replays)
                .set("historyCount", historyCount)
                .set("tags", tags)
                .set("reason", reason)
                .set("lastToken", lastToken)
                .set("lastSession", lastSession)
                .set("lastOutcome", lastOutcome)
                .set("errorClass", errorClass)
                .set("errorFingerprint", errorFingerprint)
                .set("errorMessage", errorMessage)
                .set("errorStack", errorStack)
                .set("progress", progress);
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
