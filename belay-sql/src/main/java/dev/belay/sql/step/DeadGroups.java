package dev.belay.sql.step;

import dev.belay.sql.row.JobRow;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The dead letters by kind of error: how many there are now, and when each kind was first and last seen. */
final class DeadGroups {

    /** As much of the newest message is kept. */
    private static final int MESSAGE = 200;

    private final Tx tx;

    DeadGroups(Tx tx) {
        this.tx = tx;
    }

    void enter(JobRow job) throws SQLException {
        tx.tally.deadBytes(job.queue, job.payloadSize);
        tx.sql
                .get("dead-enter")
                .set("queue", job.queue)
                .set("type", job.type)
                .set("fingerprint", fingerprint(job))
                .set("reason", String.valueOf(job.reason))
                .set("errorClass", job.errorClass)
                .set("message", shortened(job.errorMessage))
                .set("at", tx.now)
                .later();
    }

    void leave(JobRow job) throws SQLException {
        tx.tally.deadBytes(job.queue, -job.payloadSize);
        tx.sql
                .get("dead-leave")
                .set("queue", job.queue)
                .set("type", job.type)
                .set("fingerprint", fingerprint(job))
                .later();
    }

    private static String fingerprint(JobRow job) {
        return job.errorFingerprint == null ? "" : job.errorFingerprint;
    }

    private static @Nullable String shortened(@Nullable String message) {
        return message == null || message.codePointCount(0, message.length()) <= MESSAGE
                ? message
                : message.substring(0, message.offsetByCodePoints(0, MESSAGE)) + "…";
    }
}
