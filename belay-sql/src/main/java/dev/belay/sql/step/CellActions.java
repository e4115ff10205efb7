package dev.belay.sql.step;

import dev.belay.broker.Cells;
import dev.belay.job.Limits;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Changes cells. Versions come from one number of the namespace, so they grow through removals too. */
public final class CellActions {

    private CellActions() {}

    public static boolean compareAndSet(
            Tx tx, String key, long expected, byte @Nullable [] value, @Nullable Duration timeToLive)
            throws SQLException {
        Limits.text("key", key, 1, Limits.KEY);
        if (value != null) {
            Limits.bytes("value", value.length, Cells.MAX_VALUE_BYTES);
        }
        if (timeToLive != null) {
            Limits.positive("timeToLive", timeToLive);
        }
        tx.lock("cell " + key);
        var present = tx.sql
                .get("cell-find")
                .set("namespace", tx.namespace.id())
                .set("key", key)
                .set("now", tx.now)
                .number(0);
        if (expected != present) {
            return false;
        }
        if (value == null) {
            tx.sql
                    .get("cell-remove")
                    .set("namespace", tx.namespace.id())
                    .set("key", key)
                    .later();
            return true;
        }
        var version = tx.sql
                .get("cell-version")
                .set("namespace", tx.namespace.id())
                .returning(row -> row.getLong(1))
                .get(0);
        tx.sql
                .get("cell-save")
                .set("namespace", tx.namespace.id())
                .set("key", key)
                .set("version", version.longValue())
                .set("value", value)
                .set("until", timeToLive == null ? null : (Long) (tx.now + timeToLive.toMillis()))
                .later();
        return true;
    }
}
