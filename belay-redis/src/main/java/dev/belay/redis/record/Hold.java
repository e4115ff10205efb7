package dev.belay.redis.record;

import dev.belay.job.SessionId;
import java.nio.ByteBuffer;

/**
 * What a session's in-flight set says of a job: the head of a running job is of before its lease.
 *
 * @param begunAt 0 where it was not begun
 */
public record Hold(SessionId session, long token, long leasedAt, long begunAt) {

    /** Reads what a script wrote. */
    public static Hold parse(SessionId session, byte[] stored) {
        var buffer = ByteBuffer.wrap(stored);
        return new Hold(session, buffer.getLong(), buffer.getLong(), buffer.getLong());
    }
}
