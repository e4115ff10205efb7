package dev.belay.memory;

import dev.belay.broker.Event;
import dev.belay.broker.ReapReply;
import dev.belay.broker.ReapReply.Reclaimed;
import dev.belay.job.DeadReason;
import dev.belay.job.HistoryEntry.Kind;
import java.util.ArrayList;
import java.util.List;

/** Ends the sessions of dead workers, by looks, and takes their jobs back. */
final class Reaping {

    /** As many jobs are taken back in one pass. */
    private static final int BATCH = 500;

    private final Store store;
    private final Moves moves;

    Reaping(Store store, Moves moves) {
        this.store = store;
        this.moves = moves;
    }

    /** @param connection the caller's: one that is younger than the grace sets missing marks and ends nothing */
    ReapReply reap(MemoryConnection connection) {
        var now = store.now();
        var last = store.lastReap;
        var interval = store.settings.reapInterval();
        if (Promoting.isTooSoon(last, interval, now)) {
            var reclaimed = takeBack(now);
            return new ReapReply(false, 0, 0, reclaimed, isMoreToTake());
        }
        store.lastReap = now;
        // A last look in the future says as little as one long ago: the clock was set back.
        var late = last == null || last > now || now - last > 2 * interval.toMillis();
        var young = connection.ageMillis(now) < store.settings.reapGrace().toMillis();
        var look = new Look(now, late, young);
        List.copyOf(store.sessions.values()).forEach(look::at);
        // Of what was long before a late look, nothing is known: perhaps nobody served.
        elapseUnknown(last == null ? 0 : Math.min(2 * interval.toMillis(), Math.max(0, now - last)));
        var reclaimed = takeBack(now);
        return new ReapReply(true, look.marked, look.ended, reclaimed, isMoreToTake());
    }

    /** One pass over the sessions. */
    private final class Look {
        final long now;
        final boolean late;
        final boolean young;
        int marked;
        int ended;

        Look(long now, boolean late, boolean young) {
            this.now = now;
            this.late = late;
            this.young = young;
        }

        void at(SessionState session) {
            if (session.ended) {
                return;
            }
            // Longer than a heartbeat gives: the clock was set back since.
            session.deadline = Math.min(
                    session.deadline, now + session.spec.leaseDuration().toMillis());
            if (!session.isPastDeadline(now)) {
                return;
            }
            if (session.markedAt == null || late) {
                session.markedAt = now;
                marked++;
            } else if (!young && session.markedAt + store.settings.reapGrace().toMillis() <= now) {
                session.ended = true;
                ended++;
            }
        }
    }

    /** The time of unknown types runs only while somebody serves the queue, and is measured in looks too. */
    private void elapseUnknown(long millis) {
        for (var queue : store.queues.values()) {
            var served = store.liveSessions(queue.name).findAny().isPresent();
            queue.unknown.elapse(served ? millis : 0, kind -> store.isKnown(queue.name, kind));
        }
    }

    private List<Reclaimed> takeBack(long now) {
        var reclaimed = new ArrayList<Reclaimed>();
        for (var session : List.copyOf(store.sessions.values())) {
            if (session.ended) {
                session.inFlight.values().stream()
                        .limit(BATCH - reclaimed.size())
                        .toList()
                        .forEach(job -> reclaimed.add(takeBack(job, now)));
                if (session.inFlight.isEmpty()) {
                    store.sessions.remove(session.id());
                }
            }
        }
        return List.copyOf(reclaimed);
    }

    private boolean isMoreToTake() {
        return store.sessions.values().stream().anyMatch(session -> session.ended);
    }

    private Reclaimed takeBack(StoredJob job, long now) {
        var begun = job.begunAt != null;
        if (moves.isCorrupt(job, now)) {
            return reclaimed(job, false);
        }
        if (!job.hasOneCrashLeft()) {
            moves.countCrash(job, now);
            moves.change(job, () -> job.stepsTaken++);
            backOff(job, now);
            return reclaimed(job, true);
        }
        if (begun) {
            moves.buryAsLost(job, now);
            return reclaimed(job, true);
        }
        moves.note(job, Kind.RETURNED, null, null, null, now);
        moves.count(job, Event.RETURNED, now);
        backOff(job, now);
        return reclaimed(job, false);
    }

    private void backOff(StoredJob job, long now) {
        var delay = job.options.backoff().delay(Math.max(1, job.stepsTaken), store.random);
        moves.schedule(job, now + delay.toMillis());
    }

    private static Reclaimed reclaimed(StoredJob job, boolean counted) {
        return new Reclaimed(
                job.id(),
                job.queue(),
                job.type(),
                job.token,
                counted,
                job.state,
                job.isDead() ? DeadReason.valueOf(String.valueOf(job.reason)) : null);
    }
}
