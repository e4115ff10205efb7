package dev.belay.sql.step;

import dev.belay.jdbc.Bound;
import dev.belay.jdbc.Rows;
import dev.belay.job.Dedup;
import dev.belay.job.Fingerprint;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.NewJob;
import dev.belay.sql.row.JobRow;
import dev.belay.sql.row.Jobs;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The explicit keys that are taken: each while its job exists, and at least for the window from its acceptance; or, if its
 * holder said so, only while that waits.
 */
final class Keys {

    private final Tx tx;

    Keys(Tx tx) {
        this.tx = tx;
    }

    /**
     * A key that is taken.
     *
     * @param since when its job was accepted
     * @param job the holder as it stands; null where it is gone
     */
    record Held(
            JobId holder,
            Fingerprint fingerprint,
            long since,
            @Nullable JobRow job) {

        /** The holder's state; null where it is gone. */
        @Nullable
        JobState state() {
            return job == null ? null : Moves.state(job);
        }
    }

    /** Who holds a key that counts; null where nobody does. */
    @Nullable
    Held holder(long queue, String type, String key) throws SQLException {
        var row = find(queue, type, key);
        if (row == null || (row.orphan && row.end(tx.settings().dedupWindow().toMillis()) <= tx.now)) {
            return null;
        }
        JobId holder;
        Fingerprint fingerprint;
        try {
            holder = new JobId(Rows.uuid(row.holder));
            fingerprint = new Fingerprint(row.fingerprint);
        } catch (IllegalArgumentException e) {
            // A row that can't be read holds nothing: the next claim overwrites it.
            return null;
        }
        var job = Jobs.byId(tx.sql, queue, holder.value());
        var counts = !row.onlyWaiting || (job != null && job.isToStart(tx.now));
        return counts ? new Held(holder, fingerprint, row.since, job) : null;
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Row(
            byte[] holder,
            byte[] fingerprint,
            long since,
            boolean orphan,
            @Nullable Long ownWindow,
            boolean onlyWaiting) {

        long end(long window) {
            return since + (ownWindow == null ? window : ownWindow);
        }
    }

    private @Nullable Row find(long queue, String type, String key) throws SQLException {
        return tx.sql
                .get("dedup-find")
                .set("queue", queue)
                .set("type", type)
                .set("key", key)
                .first(row -> new Row(
                        row.getBytes(1),
                        row.getBytes(2),
                        row.getLong(3),
                        row.getInt(4) != 0,
                        Rows.optionalLong(row, 5),
                        row.getInt(6) != 0));
    }

    /** Takes a key for a job that exists. */
    void claim(long queue, String type, String key, byte[] holder, byte[] fingerprint, long since, Dedup dedup)
            throws SQLException {
        bind(queue, type, key, holder, fingerprint, since, dedup).later();
    }

    /** As {@link #claim}, for a job that was just accepted: together with others, in {@link #claimAll}. */
    void claimLater(long queue, NewJob job, long since) throws SQLException {
        var key = job.key();
        bind(
                        queue,
                        job.type(),
                        key.value(),
                        Rows.bytes(job.id().value()),
                        key.fingerprint().bytes(),
                        since,
                        job.options().dedup())
                .add();
    }

    void claimAll() throws SQLException {
        tx.sql.get("dedup-claim").batchLater();
    }

    private Bound bind(long queue, String type, String key, byte[] holder, byte[] fingerprint, long since, Dedup dedup)
            throws SQLException {
        var window = dedup.window();
        var ownWindow = window == null ? null : (Long) window.toMillis();
        return tx.sql
                .get("dedup-claim")
                .set("queue", queue)
                .set("type", type)
                .set("key", key)
                .set("holder", holder)
                .set("fingerprint", fingerprint)
                .set("since", since)
                // One that counts only while its holder waits is not remembered after it.
                .set("ownWindow", dedup.atMostOneWaiting() ? (Long) 0L : ownWindow)
                .set("onlyWaiting", dedup.atMostOneWaiting() ? 1L : 0L);
    }

    /** The holder of a key has another payload now: all else of the key stays. */
    void replaced(JobRow job) throws SQLException {
        tx.sql
                .get("dedup-replaced")
                .set("queue", job.queue)
                .set("type", job.type)
                .set("key", job.key)
                .set("holder", job.id)
                .set("fingerprint", job.fingerprint)
                .later();
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
                    .later();
        }
    }
}
