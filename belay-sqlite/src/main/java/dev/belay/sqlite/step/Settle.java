package dev.belay.sqlite.step;

import dev.belay.broker.Event;
import dev.belay.broker.Settlement;
import dev.belay.broker.Verdict;
import dev.belay.jdbc.Rows;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobState;
import dev.belay.job.LeaseId;
import dev.belay.job.Outcome;
import dev.belay.sqlite.record.JobRow;
import dev.belay.sqlite.record.Lines;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends leases with an outcome. A plain success of a job that this broker object leased goes the short way: one statement
 * for all of a batch, without reading the jobs. Everything else, and what the short way did not find, goes the long way.
 */
public final class Settle {

    private static final Verdict REMOVED = Verdict.APPLIED;
    private static final Verdict KEPT = new Verdict.Applied(JobState.SUCCEEDED, null);

    private final Tx tx;
    private final QueueRow queue;
    private final Outcomes outcomes;
    private final Verdict[] verdicts;

    private Settle(Tx tx, QueueRow queue, int size) {
        this.tx = tx;
        this.queue = queue;
        this.outcomes = new Outcomes(tx, queue);
        this.verdicts = new Verdict[size];
    }

    public static List<Verdict> run(Tx tx, String name, List<Settlement> settlements) throws SQLException {
        check(tx, name, settlements);
        var queue = tx.knownQueue(name);
        if (queue == null) {
            return settlements.stream().map(any -> Verdict.STALE).toList();
        }
        return new Settle(tx, queue, settlements.size()).run(settlements);
    }

    private static void check(Tx tx, String queue, List<Settlement> settlements) throws SQLException {
        for (var settlement : settlements) {
            if (!settlement.lease().queue().equals(queue)) {
                throw new InvalidInputException(
                        "queue", "a settlement of " + settlement.lease() + " is in a call for '" + queue + "'");
            }
            if (settlement.outcome() instanceof Outcome.Complete complete
                    && !complete.followUps().isEmpty()) {
                new Accepting(tx).check(complete.followUps());
            }
        }
    }

    private List<Verdict> run(List<Settlement> settlements) throws SQLException {
        var remove = new Short("settle-remove", REMOVED);
        var keep = new Short("settle-keep", KEPT);
        var inOrder = !settlements.stream().allMatch(Settle::isPlain) && isAnyTwice(settlements);
        for (var i = 0; i < settlements.size() && !inOrder; i++) {
            var settlement = settlements.get(i);
            var facts = isPlain(settlement) ? tx.namespace.leased().take(settlement.lease()) : null;
            if (facts != null && facts.simple()) {
                (retention(facts) == 0 ? remove : keep).add(i, settlement, facts);
            }
        }
        remove.run();
        keep.run();
        for (var i = 0; i < settlements.size(); i++) {
            if (verdicts[i] == null) {
                verdicts[i] = settle(settlements.get(i));
            }
        }
        return List.copyOf(Arrays.asList(verdicts));
    }

    /** Whether a lease is ended twice, so that the order of the settlements matters. */
    private static boolean isAnyTwice(List<Settlement> settlements) {
        var leases = new HashSet<LeaseId>();
        for (var settlement : settlements) {
            if (!leases.add(settlement.lease())) {
                return true;
            }
        }
        return false;
    }

    /** Whether there is no more to it than that it is done. */
    private static boolean isPlain(Settlement settlement) {
        return settlement.progress() == null
                && settlement.outcome() instanceof Outcome.Complete complete
                && complete.result() == null
                && complete.followUps().isEmpty();
    }

    private long retention(Leased.Facts facts) {
        var own = facts.retention();
        return own == null ? queue.settings.keepFinished().toMillis() : own;
    }

    private Verdict settle(Settlement settlement) throws SQLException {
        var lease = settlement.lease();
        tx.namespace.leased().take(lease);
        var job = tx.sql
                .get("job-by-id")
                .set("queue", queue.id)
                .set("id", lease.job().value())
                .first(JobRow::read);
        if (job == null) {
            return Verdict.STALE;
        }
        var session = tx.session(lease.session());
        var held = session != null && job.isRunning() && job.at == session.no && job.token == lease.token();
        if (session == null || !held) {
            return settledBefore(job, lease) ? Verdicts.applied(job) : Verdict.STALE;
        }
        return outcomes.apply(job, Holder.of(session), settlement);
    }

    private static boolean settledBefore(JobRow job, LeaseId lease) {
        var token = job.lastToken;
        return token != null
                && token == lease.token()
                && Arrays.equals(job.lastSession, Rows.bytes(lease.session().value()));
    }

    /** The settlements of one batch that go the short way to the same end. */
    private final class Short {
        private final String statement;
        private final Verdict verdict;
        private final List<Integer> places = new ArrayList<>();
        private final List<Leased.Facts> facts = new ArrayList<>();

        Short(String statement, Verdict verdict) {
            this.statement = statement;
            this.verdict = verdict;
        }

        void add(int place, Settlement settlement, Leased.Facts fact) throws SQLException {
            var update = tx.sql
                    .get(statement)
                    .set("seq", fact.seq())
                    .set("session", fact.session())
                    .set("token", settlement.lease().token());
            if (verdict == KEPT) {
                update.set("sessionId", settlement.lease().session().value())
                        .set("line", fact.retention() == null ? Lines.SUCCEEDED : Lines.SUCCEEDED_OWN)
                        .set("now", tx.now)
                        .set("timer", timer(fact));
            }
            update.add();
            places.add(place);
            facts.add(fact);
        }

        private @Nullable Long timer(Leased.Facts fact) {
            return fact.retention() == null ? null : (Long) (tx.now + fact.retention());
        }

        void run() throws SQLException {
            var changed = tx.sql.get(statement).updateBatch();
            var done = 0;
            for (var i = 0; i < changed.length; i++) {
                if (changed[i] == 1) {
                    verdicts[places.get(i)] = verdict;
                    done++;
                    follow(facts.get(i));
                }
            }
            tx.sql.get("dedup-orphan").updateBatch();
            tx.sql.get("payload-delete").updateBatch();
            tx.tally.jobs(queue.id, JobState.RUNNING, -done);
            if (verdict == KEPT) {
                tx.tally.jobs(queue.id, JobState.SUCCEEDED, done);
            }
        }

        private void follow(Leased.Facts fact) throws SQLException {
            tx.tally.event(queue.id, fact.type(), Event.SUCCEEDED, 1);
            if (verdict == KEPT) {
                return;
            }
            tx.tally.event(queue.id, fact.type(), Event.PRUNED, 1);
            if (fact.key() != null) {
                new Keys(tx).orphanLater(queue.id, fact);
            }
            if (fact.large()) {
                tx.sql.get("payload-delete").set("job", fact.seq()).add();
            }
        }
    }
}
