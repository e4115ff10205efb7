package dev.belay.sql.step;

import dev.belay.broker.Event;
import dev.belay.broker.Settlement;
import dev.belay.broker.Verdict;
import dev.belay.jdbc.Bound;
import dev.belay.jdbc.Rows;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobState;
import dev.belay.job.LeaseId;
import dev.belay.job.Outcome;
import dev.belay.sql.row.JobRow;
import dev.belay.sql.row.Lines;
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
        var remove = new Short(false);
        var keep = new Short(true);
        var inOrder = !settlements.stream().allMatch(Settle::isPlain) && isAnyTwice(settlements);
        for (var i = 0; i < settlements.size() && !inOrder; i++) {
            var settlement = settlements.get(i);
            var facts = isPlain(settlement) ? tx.leased().take(settlement.lease()) : null;
            if (facts != null && facts.simple()) {
                (retention(facts) == 0 ? remove : keep).add(i, settlement.lease(), facts);
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
        tx.leased().take(lease);
        var job = tx.toChange(queue.id, lease.job().value());
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
        private final boolean keep;
        private final List<Integer> places = new ArrayList<>();
        private final List<LeaseId> leases = new ArrayList<>();
        private final List<Leased.Facts> facts = new ArrayList<>();

        Short(boolean keep) {
            this.keep = keep;
        }

        void add(int place, LeaseId lease, Leased.Facts fact) throws SQLException {
            ends().set("job", fact.seq())
                    .set("session", fact.session())
                    .set("token", lease.token())
                    .add();
            places.add(place);
            leases.add(lease);
            facts.add(fact);
        }

        /** Each of the two ends has its own copy: both are filled before one is run. */
        private Bound ends() throws SQLException {
            return tx.sql.get("flight-end", keep ? 1 : 0);
        }

        void run() throws SQLException {
            var ended = ends().updateBatch();
            var done = 0;
            for (var i = 0; i < ended.length; i++) {
                if (ended[i] == 1) {
                    done++;
                    tx.tally.event(queue.id, facts.get(i).type(), Event.SUCCEEDED, 1);
                    if (keep) {
                        keep(leases.get(i), facts.get(i));
                    } else {
                        remove(facts.get(i));
                    }
                    verdicts[places.get(i)] = keep ? KEPT : REMOVED;
                }
            }
            tx.tally.jobs(queue.id, JobState.RUNNING, -done);
            if (keep) {
                tx.sql.get("settle-keep").batchLater();
                tx.sql.get("more-succeed").batchLater();
                tx.sql.get("place-add").batchLater();
                tx.tally.jobs(queue.id, JobState.SUCCEEDED, done);
            } else {
                removeRows(ended);
            }
        }

        private void keep(LeaseId lease, Leased.Facts fact) throws SQLException {
            var line = fact.retention() == null ? Lines.SUCCEEDED : Lines.SUCCEEDED_OWN;
            tx.sql
                    .get("settle-keep")
                    .set("seq", fact.seq())
                    .set("token", lease.token())
                    .set("sessionId", lease.session().value())
                    .set("line", line)
                    .set("now", tx.now)
                    .add();
            if (fact.more()) {
                tx.sql
                        .get("more-succeed")
                        .set("job", fact.seq())
                        .set("timer", timer(fact))
                        .add();
            }
            tx.sql
                    .get("place-add")
                    .set("queue", queue.id)
                    .set("line", line)
                    .set("at", tx.now)
                    .set("job", fact.seq())
                    .add();
        }

        private @Nullable Long timer(Leased.Facts fact) {
            return fact.retention() == null ? null : (Long) (tx.now + fact.retention());
        }

        private void remove(Leased.Facts fact) throws SQLException {
            tx.tally.event(queue.id, fact.type(), Event.PRUNED, 1);
            tx.sql
                    .get("settle-remove")
                    .set("seq", fact.seq())
                    .set("more", fact.more() ? 1 : 0)
                    .add();
            if (fact.more()) {
                tx.sql.get("more-delete").set("job", fact.seq()).add();
                // It may have got a history while it was leased: somebody edited it.
                tx.sql.get("history-delete").set("job", fact.seq()).add();
            }
            if (fact.key() != null) {
                new Keys(tx).orphanLater(queue.id, fact);
            }
            if (fact.large()) {
                tx.sql.get("payload-delete").set("job", fact.seq()).add();
            }
        }

        private void removeRows(int[] ended) throws SQLException {
            var removed = tx.sql.get("settle-remove").updateBatch();
            tx.sql.get("more-delete").batchLater();
            tx.sql.get("history-delete").batchLater();
            tx.sql.get("dedup-orphan").batchLater();
            tx.sql.get("payload-delete").batchLater();
            var next = 0;
            for (var i = 0; i < ended.length; i++) {
                if (ended[i] == 1 && removed[next++] == 0) {
                    // It got more while it was leased: somebody edited it, or its worker told its progress.
                    var seq = facts.get(i).seq();
                    tx.sql.get("job-delete").set("seq", seq).later();
                    tx.sql.get("more-delete").set("job", seq).later();
                    tx.sql.get("history-delete").set("job", seq).later();
                }
            }
        }
    }
}
