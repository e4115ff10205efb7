package dev.belay.sql.step;

import dev.belay.job.By;
import dev.belay.job.HistoryEntry.Kind;
import dev.belay.job.JobError;
import dev.belay.job.Limits;
import dev.belay.sql.row.JobRow;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The history of jobs: the newest 20 entries, at most 64 KiB, the oldest stacks cut first; the count of all. */
final class History {

    private final Tx tx;

    History(Tx tx) {
        this.tx = tx;
    }

    void add(
            JobRow job,
            @Nullable Holder holder,
            Kind kind,
            @Nullable By by,
            @Nullable String detail,
            @Nullable JobError error)
            throws SQLException {
        var worker = holder == null ? null : holder.worker();
        var size = size(worker) + size(detail) + (by == null ? 0 : size(by.who()) + size(by.why())) + size(error);
        job.historyCount++;
        tx.sql
                .get("history-add")
                .set("job", job.seq)
                .set("n", job.historyCount)
                .set("at", tx.now)
                .set("kind", kind.name())
                .set("attempt", job.attempt())
                .set("token", holder == null ? 0 : job.token)
                .set("worker", worker)
                .set("byWho", by == null ? null : by.who())
                .set("byWhy", by == null ? null : by.why())
                .set("detail", detail)
                .set("errorClass", error == null ? null : error.errorClass())
                .set("errorFingerprint", error == null ? null : error.fingerprint())
                .set("errorMessage", error == null ? null : error.message())
                .set("errorStack", error == null ? null : error.stack())
                .set("size", size)
                .later();
        if (job.historyCount > Limits.HISTORY_ENTRIES) {
            trim(job, job.historyCount - Limits.HISTORY_ENTRIES);
        }
        if (job.historyCount > 1) {
            cut(job);
        }
    }

    private void cut(JobRow job) throws SQLException {
        var excess = tx.sql.get("history-size").set("job", job.seq).number(0) - Limits.HISTORY_BYTES;
        if (excess <= 0) {
            return;
        }
        var entries = tx.sql
                .get("history-list")
                .set("job", job.seq)
                .list(row -> new Entry(row.getInt(1), size(row.getString(13)), row.getLong(14)));
        for (var i = 0; excess > 0 && i < entries.size(); i++) {
            var entry = entries.get(i);
            if (entry.stack > 0) {
                tx.sql
                        .get("history-cut")
                        .set("job", job.seq)
                        .set("n", entry.n)
                        .set("size", entry.size - entry.stack)
                        .later();
                excess -= entry.stack;
            }
        }
        for (var i = 0; excess > 0 && i < entries.size() - 1; i++) {
            trim(job, entries.get(i).n);
            excess -= entries.get(i).size - entries.get(i).stack;
        }
    }

    private void trim(JobRow job, int upTo) throws SQLException {
        tx.sql.get("history-trim").set("job", job.seq).set("upTo", upTo).later();
    }

    private static long size(@Nullable String text) {
        return text == null ? 0 : Limits.utf8Length(text);
    }

    private static long size(@Nullable JobError error) {
        return error == null
                ? 0
                : size(error.errorClass()) + size(error.message()) + size(error.stack()) + size(error.fingerprint());
    }

    private record Entry(int n, long stack, long size) {}
}
