package dev.belay.redis.record;

import dev.belay.broker.AuditEntry;
import dev.belay.job.By;
import org.jspecify.annotations.Nullable;

/** Reads entries of the audit log. Their times are stored in microseconds. */
public final class Audits {

    private Audits() {}

    /** When it was written, in microseconds; 0 where it can't be read. */
    public static long micros(byte[] stored) {
        try {
            return new Row(Packed.array(stored)).number(0);
        } catch (CorruptRecordException e) {
            return 0;
        }
    }

    /** @return null where it can't be read */
    public static @Nullable AuditEntry entry(@Nullable String queue, byte[] stored) {
        try {
            var row = new Row(Packed.array(stored));
            var job = row.optionalBytes(2);
            return new AuditEntry(
                    row.number(0) / 1_000,
                    row.text(1),
                    queue,
                    job == null || job.length != 16 ? null : Ids.job(job),
                    new By(row.text(3), row.optionalText(4)),
                    row.optionalText(5));
        } catch (CorruptRecordException | IllegalArgumentException e) {
            return null;
        }
    }
}
