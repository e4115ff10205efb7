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
    private static final int TIMES = 2;
    private static final int COUNTS = 4;
    private static final int KEY = 8;
    private static final int OPTIONS = 16;
    private static final int STORY = 32;

    /** The column behind those of the fragment {@code job-columns}. */
    public static final int NEXT_COLUMN = 52;

    /** Milliseconds of {@code seq} begin at this bit. */
    public static final int SEQ_BITS = 20;

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
    public @Nullable Long finishedAt;
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

    /** Reads the columns of the fragment {@code job-columns}. */
    public static JobRow read(ResultSet row) throws SQLException {
        var job = new JobRow();
        job.readFixed(row);
        var has = row.getInt(19);
        if ((has & EXPIRY) != 0) {
            job.expiresAt = Rows.optionalLong(row, 20);
            job.lifetime = Rows.optionalLong(row, 21);
            job.timer = Rows.optionalLong(row, 22);
        }
        if ((has & TIMES) != 0) {
            job.leasedAt = Rows.optionalLong(row, 23);
            job.begunAt = Rows.optionalLong(row, 24);
            job.finishedAt = Rows.optionalLong(row, 25);
            job.unknownSince = Rows.optionalLong(row, 26);
        }
        if ((has & COUNTS) != 0) {
            job.failures = row.getInt(27);
            job.crashes = row.getInt(28);
            job.stepsTaken = row.getInt(29);
            job.snoozes = row.getInt(30);
            job.releases = row.getInt(31);
            job.replays = row.getInt(32);
            job.historyCount = row.getInt(33);
        }
        if ((has & KEY) != 0) {
            job.key = row.getString(34);
        }
        if ((has & OPTIONS) != 0) {
            job.readOptions(row);
        }
        if ((has & STORY) != 0) {
            job.readStory(row);
        }
        return job;
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
        timeout = Rows.optionalLong(row, 35);
        backoff = row.getString(36);
        retention = Rows.optionalLong(row, 37);
        groupKey = row.getString(38);
        tags = row.getString(39);
        headers = row.getString(40);
        parent = row.getBytes(41);
        replaces = row.getBytes(42);
    }

    private void readStory(ResultSet row) throws SQLException {
        reason = row.getString(43);
        lastToken = Rows.optionalLong(row, 44);
        lastSession = row.getBytes(45);
        lastOutcome = row.getString(46);
        errorClass = row.getString(47);
        errorFingerprint = row.getString(48);
        errorMessage = row.getString(49);
        errorStack = row.getString(50);
        progress = row.getString(51);
    }

    /** Sets the parameters of the statement {@code job-save}. */
    public Bound bind(Bound save) throws SQLException {
        return save.set("seq", seq)
                .set("line", line)
                .set("at", at)
                .set("priority", priority)
                .set("token", token)
                .set("runAt", runAt)
                .set("readyAt", readyAt)
                .set("deliveries", deliveries)
                .set("expiresAt", expiresAt)
                .set("timer", timer)
                .set("leasedAt", leasedAt)
                .set("begunAt", begunAt)
                .set("finishedAt", finishedAt)
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
