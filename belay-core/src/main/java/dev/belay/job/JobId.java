package dev.belay.job;

import java.security.SecureRandom;
import java.util.UUID;

/**
 * The id of a job, for its whole life: through every retry and replay. Made by the client as a UUIDv7 before the first
 * try of an enqueue. Unique within its queue. Nothing depends on the order of ids.
 */
public record JobId(UUID value) implements Comparable<JobId> {

    private static final SecureRandom RANDOM = new SecureRandom();

    /** A fresh UUIDv7 (RFC 9562, section 5.7). The client's clock decides its first 48 bits and nothing else. */
    public static JobId next() {
        var millis = System.currentTimeMillis();
        var random = new byte[10];
        RANDOM.nextBytes(random);
        long high = (millis << 16) | 0x7000 | ((random[0] & 0x0F) << 8) | (random[1] & 0xFF);
        long low = 0;
        for (var i = 2; i < 10; i++) {
            low = (low << 8) | (random[i] & 0xFF);
        }
        return new JobId(new UUID(high, (low & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L));
    }

    /** @throws InvalidInputException where the text is no UUID in its canonical form */
    public static JobId parse(String text) {
        try {
            var id = UUID.fromString(text);
            if (text.length() == 36) {
                return new JobId(id);
            }
        } catch (IllegalArgumentException e) {
            // falls through to the one message for both kinds of wrong text
        }
        throw new InvalidInputException(
                "id", "must be a UUID like 0198c2f0-5b7e-7c3a-9d1e-2f4a6b8c0d1e, but is '" + text + "'");
    }

    @Override
    public int compareTo(JobId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
