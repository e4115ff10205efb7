package dev.belay.redis.record;

import dev.belay.broker.DeadGroup;
import org.jspecify.annotations.Nullable;

/** Reads groups of dead letters. */
public final class Groups {

    private static final int MESSAGE = 200;

    private Groups() {}

    /**
     * @param field type and fingerprint, with NUL in between
     * @return null where it can't be read, or where nothing of it is dead now
     */
    public static @Nullable DeadGroup group(String queue, byte[] field, byte[] stored) {
        try {
            var row = new Row(Packed.array(stored));
            var names = Packed.text(field).split("\0", -1);
            if (row.number(0) <= 0 || names.length != 2) {
                return null;
            }
            var message = row.optionalText(5);
            return new DeadGroup(
                    queue,
                    names[0],
                    names[1],
                    row.text(3),
                    row.optionalText(4),
                    message == null ? null : shortened(message),
                    row.number(0),
                    row.number(1),
                    row.number(2));
        } catch (CorruptRecordException e) {
            return null;
        }
    }

    private static String shortened(String message) {
        return message.codePointCount(0, message.length()) <= MESSAGE
                ? message
                : message.substring(0, message.offsetByCodePoints(0, MESSAGE)) + "…";
    }
}
