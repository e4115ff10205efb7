package dev.belay.sqlite.step;

import dev.belay.jdbc.Rows;
import dev.belay.job.Fingerprint;
import dev.belay.job.JobId;
import dev.belay.sqlite.record.JobRow;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The explicit keys that are taken: each while its job exists, and at least for the window from its acceptance. */
final class Keys {

    private final Tx tx;

    Keys(Tx tx) {
        this.tx = tx;
    }

    /**
     * A key that is taken.
     *
     * @param since when its job was accepted
     */
    record Held(JobId holder, Fingerprint fingerprint, long since) {}

    /** Who holds a key; null where nobody does. */
    @Nullable
    Held holder(long queue, String type, String key) throws SQLException {
        var window = tx.settings().dedupWindow().toMillis();
        var found = tx.sql
                .get("dedup-find")
                .set("queue", queue)
                .set("type", type)
                .set("key", key)
                .<Optional<Held>>first(row -> {
                    var since = row.getLong(3);
                    var over = row.getInt(4) != 0 && since + window <= tx.now;
                    return over ? Optional.empty() : held(row.getBytes(1), row.getBytes(2), since);
                });
        return found == null ? null : found.orElse(null);
    }

    private static Optional<Held> held(byte[] holder, byte[] fingerprint, long since) {
        try {
            return Optional.of(new Held(new JobId(Rows.uuid(holder)), new Fingerprint(fingerprint), since));
        } catch (IllegalArgumentException e) {
            // A row that can't be read holds nothing: the next claim overwrites it.
            return Optional.empty();
        }
    }

    /** Takes a key for a job that exists. */
    void claim(long queue, String type, String key, byte[] holder, byte[] fingerprint, long since) throws SQLException {
        tx.sql
                .get("dedup-claim")
                .set("queue", queue)
                .set("type", type)
                .set("key", key)
                .set("holder", holder)
                .set("fingerprint", fingerprint)
                .set("since", since)
                .update();
    }

    /** Frees the key of a job at once, if it holds it. */
    void free(JobRow job) throws SQLException {
        change("dedup-free", job);
    }

    /** From now on the window alone keeps the key of a job, if it holds it. */
    void orphan(JobRow job) throws SQLException {
        change("dedup-orphan", job);
    }

    /** The same for a job that was settled in the short way, as part of a batch that the caller runs. */
    void orphanLater(long queue, Leased.Facts job) throws SQLException {
        tx.sql
                .get("dedup-orphan")
                .set("queue", queue)
                .set("type", job.type())
                .set("key", job.key())
                .set("holder", job.id())
                .add();
    }

    private void change(String statement, JobRow job) throws SQLException {
        if (job.key != null) {
            tx.sql
                    .get(statement)
                    .set("queue", job.queue)
                    .set("type", job.type)
                    .set("key", job.key)
                    .set("holder", job.id)
                    .update();
        }
    }
}
