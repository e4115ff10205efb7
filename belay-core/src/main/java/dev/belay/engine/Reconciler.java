package dev.belay.engine;

import dev.belay.broker.ReconcileReply;
import dev.belay.job.LeaseId;
import dev.belay.job.SessionId;
import java.util.HashSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes this worker and the broker agree on what a session holds. Called by the lease loop alone, so between two lease
 * calls.
 */
final class Reconciler {

    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

    private final Parts parts;

    Reconciler(Parts parts) {
        this.parts = parts;
    }

    /**
     * Fences all lease calls so far, releases what this worker does not know, loses what the broker does not hold.
     *
     * @return what the session holds; nothing where it has ended
     */
    List<LeaseId> reconcile(Lane lane) {
        var session = lane.session();
        if (session == null) {
            return List.of();
        }
        // Only what was known, and not on its way to be settled, before the call can be lost by its answer.
        var candidates = parts.inFlight().ofSession(session).stream()
                .filter(Reconciler::isUnsettled)
                .toList();
        var reply = ask(lane, session);
        if (reply.ended()) {
            parts.sessionEnded(lane, session);
            return List.of();
        }
        for (var lease : reply.held()) {
            if (!parts.inFlight().knows(lease)) {
                LOG.info("Releasing job {}, which was leased to this worker by a call whose answer got lost", lease);
                parts.settlers().releaseUnknown(lane, lease);
            }
        }
        var held = new HashSet<>(reply.held());
        for (var delivery : candidates) {
            if (!held.contains(delivery.id()) && isUnsettled(delivery)) {
                parts.lose(delivery);
            }
        }
        lane.reconciled(parts.clock().nanos());
        return reply.held();
    }

    private ReconcileReply ask(Lane lane, SessionId session) {
        var number = lane.number();
        lane.reconciling();
        try {
            var reply = parts.broker().reconcile(session, number);
            if (reply.number() != number) {
                throw new IllegalStateException(
                        "a broker answered reconcile " + number + " with the answer to " + reply.number());
            }
            return reply;
        } catch (Throwable e) {
            lane.reconcileSoon();
            throw e;
        }
    }

    private static boolean isUnsettled(Delivery delivery) {
        return switch (delivery.state()) {
            case WAITING, RUNNING -> true;
            case SETTLING, LOST -> false;
        };
    }
}
