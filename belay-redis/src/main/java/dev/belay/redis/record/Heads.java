package dev.belay.redis.record;

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
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads heads: a fixed part that scripts look at (format, line, place, flags, seq, at, createdAt, runAt, expiresAt, size,
 * version, length of the body), the type, and a packed body.
 */
public final class Heads {

    /** Lines 0 to 14 are ready jobs by kind and priority; the others have a number each. */
    private static final int UNKNOWN = 16;

    private static final int SCHEDULED = 15;

    /** The flag of a head that a plain success ended, and the length of what it added: token, session. */
    private static final int PLAINLY = 8;

    private static final int PLAIN_END = 24;
    private static final int SEQ_AT = 4;

    private Heads() {}

    /** The number under which a job was accepted into its queue, of a head that can be read. */
    public static long seq(byte[] head) {
        return ByteBuffer.wrap(head).getLong(SEQ_AT);
    }

    /** The state of a job in a line. */
    public static JobState state(int line) throws CorruptRecordException {
        if (line >= 0 && line < SCHEDULED) {
            return JobState.READY;
        }
        return switch (line) {
            case SCHEDULED, UNKNOWN -> JobState.SCHEDULED;
            case 17 -> JobState.RUNNING;
            case 20, 22 -> JobState.SUCCEEDED;
            case 21, 23 -> JobState.CANCELLED;
            case 24 -> JobState.DEAD;
            default -> throw new CorruptRecordException("no line has the number " + line);
        };
    }

    /**
     * Reads a head.
     *
     * @param hold what its session says of it; null where it is not running
     * @param told progress that its session told and no settle has stored; null where there is none
     * @throws CorruptRecordException where it does not say what a job must say
     */
    public static Job job(String queue, JobId id, byte[] head, @Nullable Hold hold, @Nullable String told)
            throws CorruptRecordException {
        try {
            var fixed = new Fixed(ByteBuffer.wrap(head));
            if (fixed.format > Job.FORMAT) {
                return newer(queue, id, fixed, hold);
            }
            if (fixed.format != Job.FORMAT || fixed.body.length != fixed.length) {
                throw new CorruptRecordException("is cut short");
            }
            return job(queue, id, fixed, new Row(Packed.array(fixed.body)), hold, told);
        } catch (BufferUnderflowException
                | IllegalArgumentException
                | ArithmeticException
                | NegativeArraySizeException e) {
            throw new CorruptRecordException(String.valueOf(e.getMessage()));
        }
    }

    /** What can be said of a job whose head can't be read. */
    public static Job salvage(String queue, JobId id) {
        return bare(
                queue,
                id,
                "unknown",
                JobState.DEAD,
                "CORRUPT",
                1,
                0,
                new JobTimes(0, 0, null, null, null, null, 0L, null));
    }

    private static Job newer(String queue, JobId id, Fixed fixed, @Nullable Hold hold) throws CorruptRecordException {
        return bare(
                queue,
                id,
                fixed.type,
                hold == null ? state(fixed.line) : JobState.RUNNING,
                null,
                fixed.format,
                fixed.size,
                new JobTimes(fixed.created, fixed.run, null, null, null, null, null, null));
    }

    private static Job bare(
            String queue,
            JobId id,
            String type,
            JobState state,
            @Nullable String reason,
            int format,
            int size,
            JobTimes times) {
        return new Job(
                id,
                queue,
                type,
                "unknown",
                1,
                size,
                new IdempotencyKey(id.toString(), new Fingerprint(new byte[33]), false),
                JobOptions.DEFAULT,
                state,
                reason,
                times,
                JobCounts.NONE,
                0,
                null,
                null,
                null,
                null,
                JobLinks.NONE,
                0,
                format);
    }

    private static Job job(String queue, JobId id, Fixed fixed, Row body, @Nullable Hold hold, @Nullable String told)
            throws CorruptRecordException {
        var state = hold == null ? state(fixed.line) : JobState.RUNNING;
        var key = body.optionalText(Body.KEY);
        var extras = new Row(Packed.array(body.bytes(Body.EXTRAS)));
        var ready = fixed.line < SCHEDULED;
        var plainly = fixed.plainly;
        return new Job(
                id,
                queue,
                fixed.type,
                body.text(Body.ENCODING),
                fixed.version,
                fixed.size,
                new IdempotencyKey(
                        key == null ? id.toString() : key, new Fingerprint(body.bytes(Body.FINGERPRINT)), key != null),
                options(body, extras),
                state,
                body.optionalText(Body.REASON),
                new JobTimes(
                        fixed.created,
                        fixed.run,
                        ready ? (Long) fixed.at : null,
                        fixed.expires == 0 ? null : (Long) fixed.expires,
                        hold == null ? null : (Long) hold.leasedAt(),
                        hold == null || hold.begunAt() == 0 ? null : (Long) hold.begunAt(),
                        plainly == null ? body.optionalNumber(Body.FINISHED) : (Long) fixed.at,
                        body.optionalNumber(Body.UNKNOWN)),
                new JobCounts(
                        body.small(Body.FAILURES),
                        body.small(Body.CRASHES),
                        body.small(Body.STEPS),
                        body.small(Body.DELIVERIES) + (hold == null && plainly == null ? 0 : 1),
                        body.small(Body.SNOOZES),
                        body.small(Body.RELEASES),
                        body.small(Body.REPLAYS)),
                token(body, hold, plainly),
                hold == null ? null : hold.session(),
                plainly == null ? lastSettled(body) : plainly,
                lastError(body),
                told == null ? body.optionalText(Body.PROGRESS) : told,
                new JobLinks(link(extras.optionalBytes(2)), link(extras.optionalBytes(3))),
                body.small(Body.HISTORY),
                fixed.format);
    }

    private static long token(Row body, @Nullable Hold hold, @Nullable LastSettled plainly)
            throws CorruptRecordException {
        if (hold != null) {
            return hold.token();
        }
        return plainly == null ? body.number(Body.TOKEN) : plainly.token();
    }

    private static JobOptions options(Row body, Row extras) throws CorruptRecordException {
        var backoff = body.optionalText(Body.BACKOFF);
        return new JobOptions(
                body.small(Body.PRIORITY),
                body.small(Body.MAX_ATTEMPTS),
                body.small(Body.MAX_CRASHES),
                duration(body.optionalNumber(Body.TIMEOUT)),
                backoff == null ? Backoff.DEFAULT : Backoff.parse(backoff),
                duration(body.optionalNumber(Body.RETENTION)),
                extras.optionalText(0),
                texts(Packed.array(body.bytes(Body.TAGS))),
                headers(extras.optionalBytes(1)),
                dedup(body));
    }

    private static Dedup dedup(Row body) throws CorruptRecordException {
        var mode = body.optionalNumber(Body.DEDUP);
        return mode == null
                ? Dedup.DEFAULT
                : new Dedup(
                        duration(body.optionalNumber(Body.WINDOW)),
                        (mode & Body.REPLACES_WAITING) != 0,
                        (mode & Body.ONLY_WAITING) != 0);
    }

    private static List<String> texts(List<@Nullable Object> packed) throws CorruptRecordException {
        var row = new Row(packed);
        var texts = new ArrayList<String>();
        for (var i = 0; i < packed.size(); i++) {
            texts.add(row.text(i));
        }
        return texts;
    }

    private static Map<String, String> headers(byte @Nullable [] packed) throws CorruptRecordException {
        if (packed == null) {
            return Map.of();
        }
        var names = texts(Packed.array(packed));
        var headers = new LinkedHashMap<String, String>();
        for (var i = 0; i + 1 < names.size(); i += 2) {
            headers.put(names.get(i), names.get(i + 1));
        }
        return headers;
    }

    private static @Nullable Duration duration(@Nullable Long millis) {
        return millis == null ? null : Duration.ofMillis(millis);
    }

    private static @Nullable JobId link(byte @Nullable [] id) {
        return id == null ? null : Ids.job(id);
    }

    private static @Nullable LastSettled lastSettled(Row body) throws CorruptRecordException {
        var token = body.optionalNumber(Body.LAST_TOKEN);
        return token == null
                ? null
                : new LastSettled(token, Ids.session(body.bytes(Body.LAST_SESSION)), body.text(Body.LAST_OUTCOME));
    }

    private static @Nullable JobError lastError(Row body) throws CorruptRecordException {
        var errorClass = body.optionalText(Body.ERROR_CLASS);
        return errorClass == null
                ? null
                : new JobError(
                        errorClass,
                        body.text(Body.ERROR_MESSAGE),
                        body.text(Body.ERROR_STACK),
                        body.text(Body.ERROR_FINGERPRINT));
    }

    /** The part of a head that scripts look at. */
    private static final class Fixed {
        final int format;
        final int line;
        final long at;
        final long created;
        final long run;
        final long expires;
        final int size;
        final int version;
        final int length;
        final String type;
        final byte[] body;

        /** Which lease ended with a plain success, that only added this to the head; null where none did. */
        final @Nullable LastSettled plainly;

        Fixed(ByteBuffer head) {
            format = head.get() & 0xFF;
            line = head.get() & 0xFF;
            head.get();
            var flags = head.get();
            head.getLong();
            at = head.getLong();
            created = head.getLong();
            run = head.getLong();
            expires = head.getLong();
            size = head.getInt();
            version = head.getInt();
            length = head.getInt();
            var name = new byte[head.get() & 0xFF];
            head.get(name);
            type = Packed.text(name);
            var ended = (flags & PLAINLY) != 0;
            body = new byte[head.remaining() - (ended ? PLAIN_END : 0)];
            head.get(body);
            plainly = ended ? plainEnd(head) : null;
        }

        private static LastSettled plainEnd(ByteBuffer head) {
            var token = head.getLong();
            var session = new byte[16];
            head.get(session);
            return new LastSettled(token, Ids.session(session), "complete");
        }
    }
}
