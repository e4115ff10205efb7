package dev.belay.sql.step;

import dev.belay.job.By;
import dev.belay.job.Fingerprint;
import dev.belay.job.HistoryEntry.Kind;
import dev.belay.job.NewJob;
import dev.belay.sql.row.JobRow;
import dev.belay.sql.row.Lines;
import java.sql.SQLException;

/** Gives a job that waits the payload of another request with its key. Its place in line and its time stay. */
final class Replacement {

    private static final By ENQUEUE = By.of("enqueue");

    private final Tx tx;
    private final Moves moves;
    private final Keys keys;

    Replacement(Tx tx) {
        this.tx = tx;
        this.moves = new Moves(tx);
        this.keys = new Keys(tx);
    }

    void run(JobRow job, NewJob by) throws SQLException {
        var fingerprint = by.key().fingerprint();
        moves.note(
                job,
                null,
                Kind.REPLACED,
                ENQUEUE,
                "the payload with fingerprint " + new Fingerprint(job.fingerprint) + " became one with fingerprint "
                        + fingerprint,
                null);
        if (job.schemaVersion != by.payload().schemaVersion()) {
            forgetRefusal(job);
        }
        job.encoding = by.payload().encoding();
        job.schemaVersion = by.payload().schemaVersion();
        job.fingerprint = fingerprint.bytes();
        write(job, by);
        moves.save(job);
        keys.replaced(job);
    }

    /** Nobody has refused the new version. */
    private void forgetRefusal(JobRow job) {
        job.unknownSince = null;
        if (job.line == Lines.UNKNOWN) {
            moves.stand(job, Lines.SCHEDULED, job.at);
        }
    }

    private void write(JobRow job, NewJob by) throws SQLException {
        var payload = by.payload();
        var large = Accepting.isLarge(by);
        tx.sql
                .get("job-replace-payload")
                .set("seq", job.seq)
                .set("encoding", job.encoding)
                .set("schemaVersion", job.schemaVersion)
                .set("fingerprint", job.fingerprint)
                .set("payloadSize", payload.size())
                .set("payload", large ? null : payload.bytes())
                .later();
        if (job.payloadSize > Accepting.INLINE_BYTES) {
            tx.sql.get("payload-delete").set("job", job.seq).later();
        }
        if (large) {
            tx.sql
                    .get("payload-add")
                    .set("job", job.seq)
                    .set("bytes", payload.bytes())
                    .later();
        }
        job.payloadSize = payload.size();
    }
}
