package dev.belay.sql.step;

import dev.belay.broker.EnqueueCall;
import dev.belay.broker.Verdict;
import dev.belay.job.InvalidInputException;
import dev.belay.job.NewJob;
import java.sql.SQLException;
import java.util.List;

/** The numbered enqueue: a call that is sent again is answered as before, and changes nothing. */
public final class Enqueue {

    private Enqueue() {}

    public static List<Verdict> run(Tx tx, EnqueueCall call) throws SQLException {
        var accepting = new Accepting(tx);
        var known = tx.anyQueue(call.queue());
        var before = known == null ? null : tx.newestCall(call.client(), known);
        if (known != null && before != null && call.number() == before.number()) {
            // Kept for 24 h from the client's last call, this one.
            tx.sql
                    .get("client-touch")
                    .set("client", call.client())
                    .set("queue", known.id)
                    .set("now", tx.now)
                    .later();
            return Verdicts.read(before.verdicts());
        }
        var newest = before == null ? 0 : before.number();
        if (call.number() <= newest) {
            throw new InvalidInputException(
                    "number",
                    "must be above " + newest + ", the newest of client " + call.client() + " in queue '" + call.queue()
                            + "', but is " + call.number());
        }
        accepting.check(call.jobs());
        var queue = tx.queue(call.queue());
        if (before == null && tx.firstCall(call.client(), queue)) {
            // Now there is one to be compared with.
            return run(tx, call);
        }
        var verdicts = accepting.accept(queue, call.jobs());
        tx.sql
                .get("client-save")
                .set("client", call.client())
                .set("queue", queue.id)
                .set("number", call.number())
                .set("now", tx.now)
                .set("verdicts", Verdicts.write(verdicts))
                .later();
        return List.copyOf(verdicts);
    }

    /** Accepts jobs of a queue under no number: whoever ends the transaction knows whether they were. */
    public static List<Verdict> unnumbered(Tx tx, String queue, List<NewJob> jobs) throws SQLException {
        var accepting = new Accepting(tx);
        accepting.check(jobs);
        return List.copyOf(accepting.accept(tx.queue(queue), jobs));
    }
}
