package dev.belay.redis.record;

import dev.belay.job.InvalidInputException;
import dev.belay.job.Job;
import dev.belay.job.Payload;
import org.jspecify.annotations.Nullable;

/**
 * What a head says.
 *
 * @param inline the bytes of the payload; null where they lie apart, or the record is newer than this version
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Stored(Job job, byte @Nullable [] inline) {

    /**
     * The payload, wherever it lies.
     *
     * @param apart what lies apart, where the head does not have it
     * @throws CorruptRecordException where it is not there as the head says
     */
    public Payload payload(byte @Nullable [] apart) throws CorruptRecordException {
        var bytes = inline == null ? apart : inline;
        if (bytes == null || bytes.length != job.payloadSize()) {
            throw new CorruptRecordException("its payload is gone or of another size");
        }
        try {
            return new Payload(bytes, job.encoding(), job.schemaVersion());
        } catch (InvalidInputException e) {
            throw new CorruptRecordException(String.valueOf(e.getMessage()));
        }
    }
}
