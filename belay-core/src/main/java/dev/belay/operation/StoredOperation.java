package dev.belay.operation;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An operation as its cell holds it.
 *
 * <p>Jobs are taken up in turns. The cell names a turn's jobs <em>before</em> anything is done to them, so whoever takes
 * over after a crash knows which jobs may have been done without having been counted, and asks the audit log.
 *
 * @param turn grows with each claim: whoever holds an older one has lost the operation
 * @param pending the jobs of the turn
 * @param cursor of the page after these jobs; null before the first page
 * @param lastPage whether there is no page after these jobs
 * @param leaseUntil until when the turn's holder is left alone, by the broker's clock; 0 where nobody holds it
 * @param nextAt the rate allows no job before, by the broker's clock
 * @param unknown fields of a newer version's, kept as they are
 * @param format the version of the stored form
 */
record StoredOperation(
        MassOperation operation,
        long turn,
        List<Tally.Pending> pending,
        @Nullable String cursor,
        boolean lastPage,
        long leaseUntil,
        long nextAt,
        Map<String, String> unknown,
        int format) {

    static final int FORMAT = 1;

    StoredOperation {
        pending = List.copyOf(pending);
    }

    static StoredOperation fresh(MassOperation operation) {
        return new StoredOperation(operation, 0, List.of(), null, false, 0, 0, Map.of(), FORMAT);
    }

    StoredOperation with(MassOperation changed) {
        return new StoredOperation(changed, turn, pending, cursor, lastPage, leaseUntil, nextAt, unknown, format);
    }

    /** The next turn begins: these jobs are taken up. */
    StoredOperation claimed(List<Tally.Pending> jobs, @Nullable String next, boolean last, long until) {
        return new StoredOperation(operation, turn + 1, jobs, next, last, until, nextAt, unknown, format);
    }

    /** The turn is over. */
    StoredOperation counted(Tally tally, long now, long nextTurnAt) {
        return new StoredOperation(
                operation.plus(tally, now), turn, tally.left(), cursor, lastPage, 0, nextTurnAt, unknown, format);
    }

    /** Whether nothing is left to be done, or to be counted. */
    boolean isOver() {
        return operation.state() != MassOperation.State.RUNNING && pending.isEmpty();
    }

    /** When the next turn may begin. */
    long dueAt() {
        return Math.max(leaseUntil, nextAt);
    }
}
