package dev.belay.sql.step;

import dev.belay.broker.AuditEntry;
import dev.belay.job.By;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Writes the audit log. */
public final class Audit {

    private Audit() {}

    static void write(
            Tx tx, String action, @Nullable String queue, byte @Nullable [] job, By by, @Nullable String detail)
            throws SQLException {
        tx.sql
                .get("audit-add")
                .set("namespace", tx.namespace.id())
                .set("at", tx.now)
                .set("action", action)
                .set("queue", queue)
                .set("job", job)
                .set("byWho", by.who())
                .set("byWhy", by.why())
                .set("detail", detail)
                .later();
    }

    /** An entry about something that is no call of the broker's. Its time is set by the broker. */
    public static void write(Tx tx, AuditEntry entry) throws SQLException {
        var job = entry.job();
        write(
                tx,
                entry.action(),
                entry.queue(),
                job == null ? null : dev.belay.jdbc.Rows.bytes(job.value()),
                entry.by(),
                entry.detail());
    }
}
