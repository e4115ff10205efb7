package dev.belay.redis.record;

import dev.belay.job.JobId;
import dev.belay.job.SessionId;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Ids as their 16 bytes. */
public final class Ids {

    private Ids() {}

    public static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    public static byte[] bytes(JobId id) {
        return bytes(id.value());
    }

    public static byte[] bytes(SessionId id) {
        return bytes(id.value());
    }

    /** A token as its eight bytes. */
    public static byte[] token(long token) {
        return ByteBuffer.allocate(Long.BYTES).putLong(token).array();
    }

    public static UUID uuid(byte[] bytes) {
        var buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    public static JobId job(byte[] bytes) {
        return new JobId(uuid(bytes));
    }

    public static SessionId session(byte[] bytes) {
        return new SessionId(uuid(bytes));
    }
}
