package dev.belay.memory;

import dev.belay.broker.Cells;
import dev.belay.job.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The cells of a namespace. Versions come from one growing number, so that they grow through removals too. */
final class CellTable {

    private final TreeMap<String, Stored> cells = new TreeMap<>();
    private long newestVersion;

    Cells.@Nullable Cell get(String key, long now) {
        var stored = cells.get(checked(key));
        return stored == null || stored.isOver(now) ? null : stored.view(key);
    }

    boolean compareAndSet(String key, long expected, byte @Nullable [] value, @Nullable Duration timeToLive, long now) {
        if (value != null) {
            Limits.bytes("value", value.length, Cells.MAX_VALUE_BYTES);
        }
        if (timeToLive != null) {
            Limits.positive("timeToLive", timeToLive);
        }
        var present = get(key, now);
        if (expected != (present == null ? 0 : present.version())) {
            return false;
        }
        if (value == null) {
            cells.remove(key);
        } else {
            var until = timeToLive == null ? null : (Long) (now + timeToLive.toMillis());
            cells.put(key, new Stored(++newestVersion, value.clone(), until));
        }
        return true;
    }

    List<Cells.Cell> list(String prefix, int limit, long now) {
        var found = new ArrayList<Cells.Cell>();
        for (var entry : cells.tailMap(prefix).entrySet()) {
            if (found.size() >= limit || !entry.getKey().startsWith(prefix)) {
                break;
            }
            if (!entry.getValue().isOver(now)) {
                found.add(entry.getValue().view(entry.getKey()));
            }
        }
        return found;
    }

    void prune(long now) {
        cells.values().removeIf(cell -> cell.isOver(now));
    }

    private static String checked(String key) {
        return Limits.text("key", key, 1, Limits.KEY);
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Stored(
            long version, byte[] value, @Nullable Long until) {

        boolean isOver(long now) {
            return until != null && until <= now;
        }

        Cells.Cell view(String key) {
            return new Cells.Cell(key, version, value.clone());
        }
    }
}
