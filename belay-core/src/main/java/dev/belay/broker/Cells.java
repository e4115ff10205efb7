package dev.belay.broker;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Small shared values with versions: for what must happen once across a fleet without a leader. Keys are text of 1 to
 * 255 characters, values at most 64 KiB. Safe for use by many threads.
 */
public interface Cells {

    int MAX_VALUE_BYTES = 64 * 1024;

    /** The value of a key, unless it was never set, was removed, or its time to live is over. */
    Optional<Cell> get(String key);

    /**
     * Sets or removes a value if the key's version is the expected one.
     *
     * @param expected the version that the caller saw; 0 for absent
     * @param value the new value; null removes the key
     * @param timeToLive after which the key is absent, by the broker's clock; null for ever
     * @return whether it was done
     */
    boolean compareAndSet(String key, long expected, byte @Nullable [] value, @Nullable Duration timeToLive);

    /** The keys that start with {@code prefix}, in order of their text, at most {@code limit}. */
    List<Cell> list(String prefix, int limit);

    /**
     * A value.
     *
     * @param version grows with each change of the key, even through a removal
     */
    record Cell(String key, long version, byte[] value) {}
}
