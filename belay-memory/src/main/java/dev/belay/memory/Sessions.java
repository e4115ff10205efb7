package dev.belay.memory;

import dev.belay.broker.Beat;
import dev.belay.broker.BeatReply;
import dev.belay.broker.Broker.Death;
import dev.belay.broker.ReconcileReply;
import dev.belay.broker.Registration;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.Verdict;
import dev.belay.job.DeadReason;
import dev.belay.job.InvalidInputException;
import dev.belay.job.LeaseId;
import dev.belay.job.Limits;
import dev.belay.job.SessionId;
import java.util.ArrayList;
import java.util.List;

/** What a worker does with its sessions, and the session with its leases. */
final class Sessions {

    private final Store store;
    private final Moves moves;
    private final Settling settling;

    Sessions(Store store, Moves moves, Settling settling) {
        this.store = store;
        this.moves = moves;
        this.settling = settling;
    }

    Registration register(SessionSpec spec) {
        if (store.usedSessionIds.containsKey(spec.id()) || store.sessions.containsKey(spec.id())) {
            throw new InvalidInputException(
                    "session", "must be a fresh id for every try to register, but " + spec.id() + " was used before");
        }
        var now = store.now();
        var queue = store.queue(spec.queue());
        var session = new SessionState(spec, now);
        store.usedSessionIds.put(spec.id(), now);
        store.sessions.put(spec.id(), session);
        for (var job : queue.unknown.nowKnown(session::knows)) {
            moves.change(job, () -> {
                job.unknownSince = null;
                job.runAt = job.isScheduled() ? now : job.runAt;
            });
            store.signals.ready(queue.name);
        }
        return new Registration(store.settings, queue.settings, queue.paused, now);
    }

    List<BeatReply> heartbeat(List<Beat> beats) {
        beats.forEach(beat -> beat.progress()
                .values()
                .forEach(progress -> Limits.bytes("progress", Limits.utf8Length(progress), Limits.PROGRESS_BYTES)));
        var now = store.now();
        return beats.stream().map(beat -> heartbeat(beat, now)).toList();
    }

    private BeatReply heartbeat(Beat beat, long now) {
        var session = store.liveSession(beat.session());
        if (session == null) {
            return BeatReply.ENDED;
        }
        session.extend(now);
        session.dropCommands(beat.lastCommand());
        beat.progress().forEach((lease, progress) -> {
            var job = lease.session().equals(session.id()) ? session.holds(lease) : null;
            if (job != null) {
                job.progress = progress;
            }
        });
        var queue = store.queue(session.spec.queue());
        return new BeatReply(false, session.commands(), queue.paused, false, (int)
                store.liveSessions(queue.name).count());
    }

    List<Death> endSessions(List<SessionId> ids) {
        var now = store.now();
        var deaths = new ArrayList<Death>();
        for (var id : ids) {
            var session = store.sessions.remove(id);
            if (session != null) {
                session.ended = true;
                List.copyOf(session.inFlight.values()).forEach(job -> giveBack(job, deaths, now));
            }
        }
        return List.copyOf(deaths);
    }

    private void giveBack(StoredJob job, List<Death> deaths, long now) {
        if (moves.isCorrupt(job, now)) {
            deaths.add(Moves.death(job, DeadReason.CORRUPT));
        } else if (Settling.isAtMostOnce(job)) {
            deaths.add(moves.buryAsLost(job, now));
        } else {
            settling.giveBack(job, now);
        }
    }

    Verdict begin(LeaseId lease) {
        var session = store.liveSession(lease.session());
        if (session == null) {
            return Verdict.ENDED;
        }
        var job = session.holds(lease);
        if (job == null) {
            return Verdict.STALE;
        }
        var now = store.now();
        var holdsMore = session.inFlight.size() > 1;
        if (session.markedAt != null || session.isPastDeadline(now) || (job.isSuspect() && holdsMore)) {
            return Verdict.BUSY;
        }
        job.begunAt = now;
        return Verdict.APPLIED;
    }

    List<Boolean> held(List<LeaseId> leases) {
        return leases.stream().map(this::isHeld).toList();
    }

    private boolean isHeld(LeaseId lease) {
        var session = store.sessions.get(lease.session());
        return session != null && session.holds(lease) != null;
    }

    ReconcileReply reconcile(SessionId id, long number) {
        var session = store.liveSession(id);
        if (session == null) {
            return new ReconcileReply(number, true, List.of());
        }
        session.fenceUpTo(number);
        return new ReconcileReply(number, false, session.held());
    }
}
