package dev.belay.memory;

import dev.belay.broker.EnqueueCall;
import dev.belay.broker.Verdict;
import dev.belay.job.InvalidInputException;
import dev.belay.job.NewJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Accepts jobs: numbered calls, and what makes a request a duplicate of another. */
final class Enqueuing {

    private final Store store;
    private final Moves moves;

    Enqueuing(Store store, Moves moves) {
        this.store = store;
        this.moves = moves;
    }

    List<Verdict> enqueue(EnqueueCall call) {
        var now = store.now();
        var known = store.queues.get(call.queue());
        var before = known == null ? null : known.clients.remove(call.client());
        if (before != null) {
            // Back in, as the newest: kept for 24 h from the client's last call, whatever becomes of this one.
            var kept = new QueueState.ClientCall(before.number(), before.verdicts(), now);
            store.queue(call.queue()).clients.put(call.client(), kept);
            if (call.number() == before.number()) {
                return before.verdicts();
            }
        }
        var newest = before == null ? 0 : before.number();
        if (call.number() <= newest) {
            throw new InvalidInputException(
                    "number",
                    "must be above " + newest + ", the newest of client " + call.client() + " in queue '" + call.queue()
                            + "', but is " + call.number());
        }
        call.jobs().forEach(store::checkPayload);
        var queue = store.queue(call.queue());
        var verdicts = new ArrayList<Verdict>();
        call.jobs().forEach(job -> verdicts.add(accept(job, now)));
        queue.clients.put(call.client(), new QueueState.ClientCall(call.number(), List.copyOf(verdicts), now));
        return List.copyOf(verdicts);
    }

    /** Accepts one job, unless it, or its key, is there already. */
    Verdict accept(NewJob job, long now) {
        var waiting = giving(job, now);
        if (waiting != null) {
            moves.replacePayload(waiting, job, now);
            return new Verdict.Replaced(waiting.id(), waiting.state);
        }
        var taken = taken(job, now);
        return taken != null ? taken : new Verdict.Applied(moves.accept(job, now).state, null);
    }

    /** The holder of a job's key, where it is to give its payload up for this one's; null where nothing is to be replaced. */
    private @Nullable StoredJob giving(NewJob job, long now) {
        var holder = job.options().dedup().replaceWaiting() ? holder(job, now) : null;
        if (holder == null || holder.fingerprint().equals(job.key().fingerprint())) {
            return null;
        }
        var jobs = store.queue(job.queue()).jobs;
        var held = jobs.get(holder.holder());
        if (held == null || held.raw != null || held.isNewer() || !held.isToStart(now)) {
            return null;
        }
        var twin = jobs.get(job.id());
        return twin == null || twin == held ? held : null;
    }

    /** Why a job can't be accepted; null where it can. */
    @Nullable
    Verdict taken(NewJob job, long now) {
        var queue = store.queue(job.queue());
        var twin = queue.jobs.get(job.id());
        if (twin != null) {
            return isSameRequest(job, twin.request)
                    ? new Verdict.Duplicate(twin.id(), twin.state)
                    : new Verdict.Conflict(
                            twin.id(), twin.state, conflict("id " + job.id(), job, twin.request, twin.createdAt));
        }
        var holder = holder(job, now);
        if (holder == null) {
            return null;
        }
        var held = queue.jobs.get(holder.holder());
        var state = held == null ? null : held.state;
        return holder.fingerprint().equals(job.key().fingerprint())
                ? new Verdict.Duplicate(holder.holder(), state)
                : new Verdict.Conflict(holder.holder(), state, keyConflict(job, holder));
    }

    /** Who holds the explicit key of a job, where it counts; null where nobody does, or the key is not explicit. */
    DedupRows.@Nullable Row holder(NewJob job, long now) {
        if (!job.key().explicit()) {
            return null;
        }
        var queue = store.queue(job.queue());
        var row = queue.dedup.holder(job, now, store.settings.dedupWindow().toMillis());
        if (row != null && row.dedup().atMostOneWaiting()) {
            var held = queue.jobs.get(row.holder());
            return held != null && held.isToStart(now) ? row : null;
        }
        return row;
    }

    static String keyConflict(NewJob job, DedupRows.Row holder) {
        return "key '" + job.key().value() + "' of type '" + job.type() + "' is held by job " + holder.holder()
                + " with fingerprint " + holder.fingerprint() + ", first seen " + Instant.ofEpochMilli(holder.since())
                + "; this request has fingerprint " + job.key().fingerprint();
    }

    private static String conflict(String what, NewJob job, NewJob twin, long since) {
        return what + " is taken by a job of type '" + twin.type() + "' with key '"
                + twin.key().value() + "' and fingerprint " + twin.key().fingerprint() + ", first seen "
                + Instant.ofEpochMilli(since) + "; this request is of type '" + job.type() + "' with key '"
                + job.key().value() + "' and fingerprint " + job.key().fingerprint();
    }

    private static boolean isSameRequest(NewJob one, NewJob other) {
        return one.type().equals(other.type())
                && one.key().value().equals(other.key().value())
                && one.key().fingerprint().equals(other.key().fingerprint());
    }
}
