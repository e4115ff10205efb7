package dev.belay.engine;

import dev.belay.broker.Broker;
import dev.belay.broker.Settlement;
import dev.belay.job.Job;
import dev.belay.job.JobError;
import dev.belay.job.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Finds out what became of jobs that their handlers completed in transactions of their own. Only the database knows whether
 * such a transaction was committed, so the broker is asked whether it still holds the lease.
 */
final class CompletionCheck {

    private static final String ROLLED_BACK = "COMPLETION_ROLLED_BACK";

    private CompletionCheck() {}

    /** What a normal return means, where the completion was not committed. */
    static Outcome rolledBack(Job job, RandomGenerator random) {
        var error = new JobError(
                ROLLED_BACK,
                "the handler returned normally, but the transaction in which it had completed the job was rolled back, or"
                        + " not committed before",
                "",
                ROLLED_BACK + ":" + job.type());
        return new Outcome.Retry(job.options().backoff().delay(job.counts().stepsTaken() + 1, random), false, error);
    }

    /**
     * A batch in which each such job has its outcome: the one that it is to have where its lease is still held, else the
     * completion, which the broker recognises as the last word of this lease where it still knows it.
     *
     * @throws dev.belay.broker.BrokerException where the broker could not be asked
     */
    static List<Settler.Item> resolve(Broker broker, List<Settler.Item> batch) {
        var open = batch.stream().filter(Settler.Item::inTransaction).toList();
        if (open.isEmpty()) {
            return batch;
        }
        var held = broker.held(
                        open.stream().map(item -> item.settlement().lease()).toList())
                .iterator();
        var resolved = new ArrayList<Settler.Item>(batch.size());
        for (var item : batch) {
            resolved.add(item.inTransaction() ? resolved(item, held.next()) : item);
        }
        return resolved;
    }

    private static Settler.Item resolved(Settler.Item item, boolean held) {
        var settlement =
                held ? item.settlement() : new Settlement(item.settlement().lease(), Outcome.Complete.PLAIN, null);
        return new Settler.Item(settlement, item.delivery(), item.ran(), !held);
    }
}
