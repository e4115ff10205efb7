package dev.belay.tck;

import dev.belay.broker.BrokerAdmin.SessionView;
import dev.belay.broker.ReapReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A reaper and the heartbeats beside it, as time goes by: one pass each reap interval. */
public final class Patrol {

    private final BrokerSuite suite;

    Patrol(BrokerSuite suite) {
        this.suite = suite;
    }

    /** Brings connection and reaping into their usual state: the connection is no longer young, the last pass is now. */
    public void start() {
        suite.advance(suite.settings().reapGrace().plusSeconds(1));
        suite.beat();
        pass();
    }

    /** One reap interval later: living workers send their heartbeats, then the reaper looks once. */
    public ReapReply next() {
        suite.advance(suite.settings().reapInterval());
        suite.beat();
        return suite.broker.reap();
    }

    /** One pass now, repeated while there is more to take back. */
    public List<ReapReply.Reclaimed> pass() {
        var reclaimed = new ArrayList<ReapReply.Reclaimed>();
        ReapReply reply;
        do {
            reply = suite.broker.reap();
            reclaimed.addAll(reply.reclaimed());
        } while (reply.more());
        return reclaimed;
    }

    /** Lets time go by, with passes and heartbeats. */
    public List<ReapReply.Reclaimed> walk(Duration time) {
        var interval = suite.settings().reapInterval();
        var reclaimed = new ArrayList<ReapReply.Reclaimed>();
        for (var gone = Duration.ZERO; gone.compareTo(time) < 0; gone = gone.plus(interval)) {
            suite.advance(interval);
            suite.beat();
            reclaimed.addAll(pass());
        }
        return reclaimed;
    }

    /**
     * Lets a worker die and waits until its session is ended and empty.
     *
     * @return what was taken back meanwhile
     */
    public List<ReapReply.Reclaimed> crash(TestWorker worker) {
        start();
        worker.die();
        var settings = suite.settings();
        var patience = worker.spec()
                .leaseDuration()
                .plus(settings.reapGrace())
                .plus(settings.reapInterval().multipliedBy(2));
        var reclaimed = new ArrayList<ReapReply.Reclaimed>();
        for (var gone = Duration.ZERO; isRegistered(worker); gone = gone.plus(settings.reapInterval())) {
            if (gone.compareTo(patience) >= 0) {
                throw new AssertionError(
                        "the session of a dead worker is not gone after " + patience + ": " + suite.admin.sessions());
            }
            suite.advance(settings.reapInterval());
            suite.beat();
            reclaimed.addAll(pass());
        }
        return reclaimed;
    }

    /** Whether a worker's session is still listed, ended or not. */
    public boolean isRegistered(TestWorker worker) {
        return suite.admin.sessions().stream()
                .map(SessionView::spec)
                .anyMatch(spec -> spec.id().equals(worker.id()));
    }
}
