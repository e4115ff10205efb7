package dev.belay.sql.step;

import dev.belay.broker.SessionSpec;
import dev.belay.sql.row.JobRow;
import java.sql.SQLException;

/** For how long types that a worker refused have been known to nobody, while somebody served the queue. */
final class UnknownTypes {

    private final Tx tx;

    UnknownTypes(Tx tx) {
        this.tx = tx;
    }

    /** Notes that a worker refused a job, and answers whether its type has been unknown for too long. */
    boolean isOver(JobRow job) throws SQLException {
        var counted = tx.sql
                .get("unknown-find")
                .set("queue", job.queue)
                .set("type", job.type)
                .set("schemaVersion", job.schemaVersion)
                .number(0);
        tx.sql
                .get("unknown-add")
                .set("queue", job.queue)
                .set("type", job.type)
                .set("schemaVersion", job.schemaVersion)
                .later();
        return counted >= tx.settings().unknownTypeLimit().toMillis();
    }

    /** Adds the time between two looks. */
    void elapse(long millis) throws SQLException {
        tx.sql
                .get("unknown-elapse")
                .set("namespace", tx.namespace.id())
                .set("millis", millis)
                .later();
    }

    /** A session came that knows types: what was put off for want of one is due now. */
    void nowKnown(QueueRow queue, SessionSpec spec) throws SQLException {
        tx.placeAccepted();
        for (var type : spec.types().entrySet()) {
            var forgotten = change("unknown-known", queue, type.getKey(), type.getValue())
                    .returning(row -> row.getInt(1));
            if (!forgotten.isEmpty()) {
                tx.makeDue(queue, type.getKey(), type.getValue());
                change("unknown-cleared", queue, type.getKey(), type.getValue()).later();
                tx.ready(queue);
            }
        }
    }

    private dev.belay.jdbc.Bound change(String statement, QueueRow queue, String type, int version)
            throws SQLException {
        return tx.sql.get(statement).set("queue", queue.id).set("type", type).set("schemaVersion", version);
    }
}
