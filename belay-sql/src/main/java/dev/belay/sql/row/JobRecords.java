package dev.belay.sql.row;

import dev.belay.jdbc.Rows;
import dev.belay.job.Backoff;
import dev.belay.job.Dedup;
import dev.belay.job.Fingerprint;
import dev.belay.job.IdempotencyKey;
import dev.belay.job.Job;
import dev.belay.job.JobCounts;
import dev.belay.job.JobError;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.JobOptions;
import dev.belay.job.JobState;
import dev.belay.job.JobTimes;
import dev.belay.job.LastSettled;
import dev.belay.job.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns rows into jobs: strictly, or as well as it can be done. */
public final class JobRecords {

    /** What a null in the column {@code backoff} stands for; part of the format, whatever the default becomes. */
    private static final Backoff UNSAID_BACKOFF = Backoff.parse("EXPONENTIAL:1000:2.0:3600000:full");

    private JobRecords() {}

    /**
     * The job of a row.
     *
     * @param session that holds it; null where it is not running
     * @throws CorruptRecordException where the row does not say what a job must say
     */
    public static Job job(JobRow row, String queue, @Nullable SessionId session) throws CorruptRecordException {
        try {
            return job(row, queue, session, id(row), Lines.state(row.line), key(row), options(row), links(row));
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Whether the row can't be read. */
    public static boolean isCorrupt(JobRow row) {
        try {
            job(row, "any", null);
            return false;
        } catch (CorruptRecordException e) {
            return true;
        }
    }

    /** The job of a row that can't be read: what can be read of it, and defaults. */
    public static Job salvage(JobRow row, String queue, @Nullable SessionId session) {
        var id = otherwise(new JobId(new java.util.UUID(0, row.seq)), () -> id(row));
        var bare = new IdempotencyKey(id.toString(), new Fingerprint(new byte[33]), false);
        return job(
                row,
                queue,
                session,
                id,
                otherwise(JobState.DEAD, () -> Lines.state(row.line)),
                otherwise(bare, () -> key(row)),
                otherwise(JobOptions.DEFAULT, () -> options(row)),
                otherwise(JobLinks.NONE, () -> links(row)));
    }

    /** The backoff of a row. */
    public static Backoff backoff(JobRow row) {
        return row.backoff == null ? UNSAID_BACKOFF : Backoff.parse(row.backoff);
    }

    /** How a backoff is stored; null where nothing needs to be said. */
    public static @Nullable String stored(Backoff backoff) {
        return backoff.equals(UNSAID_BACKOFF) ? null : backoff.wire();
    }

    /** What a row says of its key. */
    public static Dedup dedup(JobRow row) {
        return row.dedupWindow == null && row.dedupMode == 0
                ? Dedup.DEFAULT
                : new Dedup(
                        duration(row.dedupWindow),
                        (row.dedupMode & JobRow.REPLACES_WAITING) != 0,
                        (row.dedupMode & JobRow.ONLY_WAITING) != 0);
    }

    /** How that is stored, but for the window. */
    public static int storedMode(Dedup dedup) {
        return (dedup.replaceWaiting() ? JobRow.REPLACES_WAITING : 0)
                + (dedup.atMostOneWaiting() ? JobRow.ONLY_WAITING : 0);
    }

    /** How tags are stored. */
    public static @Nullable String stored(List<String> tags) {
        return JsonText.write(tags);
    }

    /** How headers are stored. */
    public static @Nullable String stored(Map<String, String> headers) {
        return JsonText.write(headers);
    }

    public static JobId id(JobRow row) {
        return new JobId(Rows.uuid(row.id));
    }

    private static Job job(
            JobRow row,
            String queue,
            @Nullable SessionId session,
            JobId id,
            JobState state,
            IdempotencyKey key,
            JobOptions options,
            JobLinks links) {
        return new Job(
                id,
                queue,
                row.type,
                row.encoding,
                row.schemaVersion,
                row.payloadSize,
                key,
                options,
                state,
                row.reason,
                new JobTimes(
                        row.createdAt(),
                        row.runAt,
                        row.readyAt,
                        row.expiresAt,
                        row.leasedAt,
                        row.begunAt,
                        row.finishedAt(),
                        row.unknownSince),
                new JobCounts(
                        row.failures,
                        row.crashes,
                        row.stepsTaken,
                        row.deliveries,
                        row.snoozes,
                        row.releases,
                        row.replays),
                row.token,
                session,
                lastSettled(row),
                lastError(row),
                row.progress,
                links,
                row.historyCount,
                row.format);
    }

    private static IdempotencyKey key(JobRow row) {
        var key = row.key;
        return new IdempotencyKey(
                key == null ? Rows.uuid(row.id).toString() : key, new Fingerprint(row.fingerprint), key != null);
    }

    private static JobOptions options(JobRow row) throws CorruptRecordException {
        return new JobOptions(
                row.priority,
                row.maxAttempts,
                row.maxCrashes,
                duration(row.timeout),
                backoff(row),
                duration(row.retention),
                row.groupKey,
                JsonText.list(row.tags),
                JsonText.map(row.headers),
                dedup(row));
    }

    private static JobLinks links(JobRow row) {
        return row.parent == null && row.replaces == null
                ? JobLinks.NONE
                : new JobLinks(link(row.parent), link(row.replaces));
    }

    private static @Nullable JobId link(byte @Nullable [] bytes) {
        return bytes == null ? null : new JobId(Rows.uuid(bytes));
    }

    private static @Nullable LastSettled lastSettled(JobRow row) {
        return row.lastToken == null || row.lastSession == null || row.lastSession.length != 16
                ? null
                : new LastSettled(
                        row.lastToken, new SessionId(Rows.uuid(row.lastSession)), String.valueOf(row.lastOutcome));
    }

    /** The last failure of a row; null before one. */
    public static @Nullable JobError lastError(JobRow row) {
        return row.errorClass == null
                ? null
                : new JobError(
                        row.errorClass, text(row.errorMessage), text(row.errorStack), text(row.errorFingerprint));
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    private static @Nullable Duration duration(@Nullable Long millis) {
        return millis == null ? null : Duration.ofMillis(millis);
    }

    private interface Part<T> {
        T read() throws CorruptRecordException;
    }

    private static <T> T otherwise(T fallback, Part<T> part) {
        try {
            return part.read();
        } catch (CorruptRecordException | IllegalArgumentException e) {
            return fallback;
        }
    }
}
