package dev.belay.redis.record;

import dev.belay.broker.SessionSpec;
import dev.belay.job.SessionId;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What a session brought, as it is stored. */
public final class SpecRecord {

    private SpecRecord() {}

    /** Worker, lease duration, types, and what is only shown. */
    public static byte[] bytes(SessionSpec spec) {
        return Packed.bytes(Arrays.asList(
                spec.worker(),
                spec.leaseDuration().toMillis(),
                Map.copyOf(spec.types()),
                spec.version(),
                spec.slots()));
    }

    public static SessionSpec read(SessionId id, String queue, byte[] stored) throws CorruptRecordException {
        var row = new Row(Packed.array(stored));
        var types = new HashMap<String, Integer>();
        if (row.at(2) instanceof Map<?, ?> map) {
            map.forEach((type, version) -> {
                if (version instanceof Long number) {
                    types.put(String.valueOf(type), number.intValue());
                }
            });
        }
        return new SessionSpec(
                id, queue, row.text(0), row.text(3), row.small(4), Duration.ofMillis(row.number(1)), types);
    }
}
