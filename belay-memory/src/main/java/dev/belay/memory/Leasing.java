package dev.belay.memory;

import dev.belay.broker.Broker.Death;
import dev.belay.broker.Lease;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.LeaseReply.Status;
import dev.belay.broker.LeaseRequest;
import dev.belay.job.DeadReason;
import dev.belay.job.LeaseId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Hands jobs out, in order. */
final class Leasing {

    /** Each token that this divides goes to the job that has waited longest, whatever its priority. */
    private static final int LONGEST_WAITING_EVERY = 10;
    /** How long a record of a newer version is put off: this version can't run it, another may. */
    private static final long NEWER_PUT_OFF_MILLIS = 30_000;

    private final Store store;
    private final Moves moves;
    private final Promoting promoting;

    Leasing(Store store, Moves moves, Promoting promoting) {
        this.store = store;
        this.moves = moves;
        this.promoting = promoting;
    }

    LeaseReply lease(LeaseRequest request) {
        var session = store.liveSession(request.session());
        if (session == null) {
            return LeaseReply.none(Status.ENDED);
        }
        if (!session.enter(request.number())) {
            return LeaseReply.none(Status.FENCED);
        }
        var now = store.now();
        var queue = store.queue(session.spec.queue());
        var deaths = new ArrayList<Death>();
        promoting.promoteDue(queue, now, deaths);
        var leases = new ArrayList<Lease>();
        if (!queue.paused) {
            if (request.suspect()) {
                takeSuspect(queue, session, leases, deaths, now);
            } else {
                take(queue, session, request, leases, deaths, now);
            }
        }
        return new LeaseReply(
                queue.paused ? Status.PAUSED : Status.OK,
                List.copyOf(leases),
                queue.lines.hasReady(),
                !queue.lines.suspects.isEmpty(),
                promoting.nextDue(queue, now),
                List.copyOf(deaths));
    }

    private void take(
            QueueState queue,
            SessionState session,
            LeaseRequest request,
            List<Lease> leases,
            List<Death> deaths,
            long now) {
        long bytes = 0;
        var fragile = 0;
        while (leases.size() < request.slots() + request.extra()) {
            var longestWaiting = (queue.token + 1) % LONGEST_WAITING_EVERY == 0;
            var job = queue.lines.next(longestWaiting, fragile < request.slots());
            if (job == null) {
                return;
            }
            if (!canStart(job, deaths, now)) {
                continue;
            }
            bytes += job.request.payload().size();
            if (bytes > request.maxBytes() && !leases.isEmpty()) {
                return;
            }
            fragile += job.hasOneCrashLeft() ? 1 : 0;
            leases.add(lease(queue, session, job, now));
        }
    }

    private void takeSuspect(QueueState queue, SessionState session, List<Lease> leases, List<Death> deaths, long now) {
        for (var job = suspect(queue); job != null && leases.isEmpty(); job = suspect(queue)) {
            if (canStart(job, deaths, now)) {
                leases.add(lease(queue, session, job, now));
            }
        }
    }

    private static @Nullable StoredJob suspect(QueueState queue) {
        return Lines.first(queue.lines.suspects);
    }

    /** Whether a job at the head of its line can be leased; one that can't leaves the line. */
    private boolean canStart(StoredJob job, List<Death> deaths, long now) {
        if (moves.isCorrupt(job, now)) {
            deaths.add(Moves.death(job, DeadReason.CORRUPT));
            return false;
        }
        if (job.isNewer()) {
            moves.schedule(job, now + NEWER_PUT_OFF_MILLIS);
            return false;
        }
        if (job.isExpired(now)) {
            deaths.add(moves.expire(job, now));
            return false;
        }
        return true;
    }

    private Lease lease(QueueState queue, SessionState session, StoredJob job, long now) {
        moves.lease(job, session, ++queue.token, now);
        return new Lease(
                new LeaseId(queue.name, job.id(), job.token, session.id()),
                job.view(),
                job.request.payload(),
                Math.max(0, now - Objects.requireNonNull(job.readyAt)));
    }
}
