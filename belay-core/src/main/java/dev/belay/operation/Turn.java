package dev.belay.operation;

import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.Verdict;
import dev.belay.job.By;
import dev.belay.job.Limits;
import java.util.ArrayList;
import java.util.List;

/** Does what an operation asks for to the jobs of one turn. Done again, after a crash or by two at a time, it counts the same. */
final class Turn {

    private static final int AUDIT_LOOK = 100;

    private final BrokerAdmin admin;
    private final MassOperation operation;
    private final By by;

    Turn(BrokerAdmin admin, MassOperation operation) {
        this.admin = admin;
        this.operation = operation;
        this.by = signature(operation);
    }

    /** Who is named in the history and in the audit log: the operation's id tells its acts from all others. */
    static By signature(MassOperation operation) {
        var why = operation.by().why();
        var text = "operation " + operation.id() + (why == null ? "" : ": " + why);
        var length = text.codePointCount(0, text.length());
        return By.of(
                operation.by().who(),
                length <= Limits.REASON ? text : text.substring(0, text.offsetByCodePoints(0, Limits.REASON)));
    }

    /** @param act false to find out only what was done before */
    Tally run(List<Tally.Pending> jobs, boolean act) {
        long done = 0;
        long skipped = 0;
        long refused = 0;
        var left = new ArrayList<Tally.Pending>();
        for (var job : jobs) {
            var verdict = act ? act(job) : Verdict.MISSING;
            if (verdict instanceof Verdict.Applied || wasDone(job)) {
                done++;
            } else if (verdict instanceof Verdict.Busy) {
                left.add(job);
            } else if (verdict instanceof Verdict.Conflict) {
                refused++;
            } else if (act) {
                skipped++;
            }
        }
        return new Tally(done, skipped, refused, left);
    }

    private Verdict act(Tally.Pending job) {
        return switch (operation.kind()) {
            case REPLAY -> admin.replay(job.queue(), job.id(), operation.finishedBy(), by);
            case DISCARD -> admin.discard(job.queue(), job.id(), operation.finishedBy(), by);
        };
    }

    /** Whether this operation did it in a turn that was not counted: its holder crashed, or lost the turn. */
    private boolean wasDone(Tally.Pending job) {
        return admin.audit(job.id(), null, AUDIT_LOOK).entries().stream()
                .anyMatch(entry -> by.equals(entry.by())
                        && (entry.queue() == null || entry.queue().equals(job.queue())));
    }
}
