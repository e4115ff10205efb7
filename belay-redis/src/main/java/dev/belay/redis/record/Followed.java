package dev.belay.redis.record;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A follow-up job on its way to another queue.
 *
 * @param arguments as for enqueue
 * @param parent the id of the job whose handler asked for it
 * @param worker who ran that
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Followed(String queue, List<byte[]> arguments, byte[] parent, String worker) {

    private static final int KEY = 5;

    /** Whether it has an explicit key. */
    public boolean isKeyed() {
        return arguments.get(KEY).length > 0;
    }

    /** @return null where it can't be read */
    public static @Nullable Followed read(byte[] packed) {
        try {
            var row = new Row(Packed.array(packed));
            var arguments = new ArrayList<byte[]>();
            if (row.at(1) instanceof List<?> elements) {
                for (var element : elements) {
                    if (element instanceof byte[] bytes) {
                        arguments.add(bytes);
                    }
                }
            }
            return arguments.size() == 7 ? new Followed(row.text(0), arguments, row.bytes(2), row.text(3)) : null;
        } catch (CorruptRecordException e) {
            return null;
        }
    }
}
