package dev.belay.redis.record;

import dev.belay.job.Fingerprint;
import dev.belay.job.IdempotencyKey;
import dev.belay.job.Job;
import dev.belay.job.JobCounts;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.JobOptions;
import dev.belay.job.JobState;
import dev.belay.job.JobTimes;
import dev.belay.job.LastSettled;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads heads: a fixed part that scripts look at (format, line, place, flags, seq, at, createdAt, runAt, expiresAt, size,
 * version, length of the body), the type, a packed body, the payload where that is small, and what a plain success added.
 */
public final class Heads {

    /** Lines 0 to 14 are ready jobs by kind and priority; the others have a number each. */
    private static final int UNKNOWN = 16;

    private static final int SCHEDULED = 15;

    /** The flag of a head that a plain success ended, and the length of what it added: token, session. */
    private static final int PLAINLY = 8;

    private static final int PLAIN_END = 24;

    /** The flag of a head in which its payload lies. */
    static final int INLINE = 32;

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
    public static Stored stored(String queue, JobId id, byte[] head, @Nullable Hold hold, @Nullable String told)
            throws CorruptRecordException {
        try {
            var rest = ByteBuffer.wrap(head);
            var fixed = new Fixed(rest);
            if (fixed.format > Job.FORMAT) {
                return new Stored(newer(queue, id, head, fixed, hold), null);
            }
            if (fixed.format != Job.FORMAT || rest.remaining() != fixed.lengthOfRest()) {
                throw new CorruptRecordException("is not as long as it says");
            }
            var end = Math.addExact(rest.position(), fixed.length);
            var body = BodyPattern.read(head, Fixed.LENGTH, rest.position(), end);
            rest.position(end);
            var payload = fixed.has(INLINE) ? bytes(rest, fixed.size) : null;
            var plainly = fixed.has(PLAINLY)
                    ? new LastSettled(rest.getLong(), Ids.session(bytes(rest, 16)), "complete")
                    : null;
            return new Stored(job(queue, id, fixed, body, plainly, hold, told), payload);
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

    private static Job newer(String queue, JobId id, byte[] head, Fixed fixed, @Nullable Hold hold)
            throws CorruptRecordException {
        return bare(
                queue,
                id,
                Packed.text(Arrays.copyOfRange(head, Fixed.LENGTH + 1, Fixed.LENGTH + 1 + fixed.named)),
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

    private static byte[] bytes(ByteBuffer from, int count) {
        var bytes = new byte[count];
        from.get(bytes);
        return bytes;
    }

    /** @param plainly which lease ended with a plain success, that only added this to the head; null where none did */
    private static Job job(
            String queue,
            JobId id,
            Fixed fixed,
            BodyRead body,
            @Nullable LastSettled plainly,
            @Nullable Hold hold,
            @Nullable String told)
            throws CorruptRecordException {
        var state = hold == null ? state(fixed.line) : JobState.RUNNING;
        var key = body.key();
        var ready = fixed.line < SCHEDULED;
        return new Job(
                id,
                queue,
                body.type(),
                body.encoding(),
                fixed.version,
                fixed.size,
                new IdempotencyKey(key == null ? id.toString() : key, body.fingerprint(), key != null),
                body.options(),
                state,
                body.reason(),
                new JobTimes(
                        fixed.created,
                        fixed.run,
                        ready ? (Long) fixed.at : null,
                        fixed.expires == 0 ? null : (Long) fixed.expires,
                        hold == null ? null : (Long) hold.leasedAt(),
                        hold == null || hold.begunAt() == 0 ? null : (Long) hold.begunAt(),
                        plainly == null ? body.finished() : (Long) fixed.at,
                        body.unknown()),
                hold == null && plainly == null ? body.counts() : body.counts().delivered(),
                token(body, hold, plainly),
                hold == null ? null : hold.session(),
                plainly == null ? body.lastSettled() : plainly,
                body.lastError(),
                told == null ? body.progress() : told,
                body.links(),
                body.history(),
                fixed.format);
    }

    private static long token(BodyRead body, @Nullable Hold hold, @Nullable LastSettled plainly) {
        if (hold != null) {
            return hold.token();
        }
        return plainly == null ? body.token() : plainly.token();
    }

    /** The part of a head that scripts look at; what is read of it ends behind the type. */
    private static final class Fixed {
        static final int LENGTH = 56;

        final int format;
        final int line;
        private final int flags;
        final long at;
        final long created;
        final long run;
        final long expires;
        final int size;
        final int version;
        final int length;
        final int named;

        Fixed(ByteBuffer head) {
            format = head.get() & 0xFF;
            line = head.get() & 0xFF;
            head.get();
            flags = head.get();
            head.getLong();
            at = head.getLong();
            created = head.getLong();
            run = head.getLong();
            expires = head.getLong();
            size = head.getInt();
            version = head.getInt();
            length = head.getInt();
            named = head.get() & 0xFF;
            head.position(head.position() + named);
        }

        boolean has(int flag) {
            return (flags & flag) != 0;
        }

        /** How much comes after it. Whatever the bytes are, a head of that length has room for each part of it. */
        long lengthOfRest() {
            return Integer.toUnsignedLong(length)
                    + (has(INLINE) ? Integer.toUnsignedLong(size) : 0)
                    + (has(PLAINLY) ? PLAIN_END : 0);
        }
    }
}
