package dev.belay.sqlite;

import dev.belay.jdbc.Bound;
import dev.belay.jdbc.Statements;
import dev.belay.job.NewJob;
import dev.belay.sql.row.JobRow;
import dev.belay.sql.step.Accepting;
import dev.belay.sql.step.Heads;
import dev.belay.sql.step.Namespace;
import dev.belay.sql.step.QueueRow;
import dev.belay.sql.step.ReadyLines;
import dev.belay.sql.step.Tx;
import dev.belay.sqlite.file.Writer;
import java.sql.SQLException;
import java.util.List;

/** A transaction of the writer, or of a caller that has the write lock. Nobody else writes meanwhile, so it takes no locks. */
final class SqliteTx extends Tx implements Writer.Transaction {

    private final NewRows newRows = new NewRows();
    private boolean placesPending;

    private SqliteTx(Statements sql, Namespace namespace, boolean guest) {
        super(sql, namespace, namespace.clock().millis(), guest);
    }

    /** A transaction of the writer. */
    static SqliteTx ofWriter(Statements sql, Namespace namespace) {
        return new SqliteTx(sql, namespace, false);
    }

    /** Work within a transaction that a caller ends. */
    static SqliteTx ofGuest(Statements sql, Namespace namespace) {
        return new SqliteTx(sql, namespace, true);
    }

    @Override
    protected boolean[] insert(List<JobRow> rows, List<NewJob> jobs) throws SQLException {
        var insert = sql.get("job-insert");
        var number = newRows.take(this, rows.size());
        placesPending = true;
        for (var i = 0; i < rows.size(); i++) {
            var row = rows.get(i);
            row.seq = number + i;
            bind(insert, row, jobs.get(i));
            insert.add();
        }
        var inserted = insert.updateBatch();
        var added = new boolean[inserted.length];
        for (var i = 0; i < inserted.length; i++) {
            added[i] = inserted[i] > 0;
        }
        return added;
    }

    private static void bind(Bound insert, JobRow row, NewJob job) throws SQLException {
        insert.set("seq", row.seq)
                .set("queue", row.queue)
                .set("id", row.id)
                .set("type", row.type)
                .set("line", row.line)
                .set("at", row.at)
                .set("priority", row.priority)
                .set("format", row.format)
                .set("encoding", row.encoding)
                .set("schemaVersion", row.schemaVersion)
                .set("fingerprint", row.fingerprint)
                .set("payloadSize", row.payloadSize)
                .set("runAt", row.runAt)
                .set("readyAt", row.readyAt)
                .set("maxAttempts", row.maxAttempts)
                .set("maxCrashes", row.maxCrashes)
                .set("more", row.more ? 1L : 0L)
                .set("payload", Accepting.isLarge(job) ? null : job.payload().bytes());
    }

    /** Once for all that were accepted: their rows are numbered without gaps. */
    @Override
    protected void placeAccepted() throws SQLException {
        if (placesPending) {
            placesPending = false;
            newRows.place(this);
        }
    }

    @Override
    protected ReadyLines readyLines(QueueRow queue, Heads heads, boolean suspects, int wanted) {
        return SqliteReadyLines.open(this, queue, heads, suspects);
    }

    @Override
    protected long[] tokens(QueueRow queue, int n) {
        var tokens = new long[n];
        for (var i = 0; i < n; i++) {
            tokens[i] = ++queue.token;
        }
        tally.token(queue.id, queue.token);
        return tokens;
    }
}
