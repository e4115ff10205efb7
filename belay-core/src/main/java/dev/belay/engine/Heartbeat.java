package dev.belay.engine;

import dev.belay.broker.Beat;
import dev.belay.broker.BeatReply;
import dev.belay.broker.Command;
import dev.belay.job.LeaseId;
import dev.belay.job.SessionId;
import dev.belay.time.Retrying;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call for all sessions of the worker: moves their deadlines, carries progress there and commands back. */
final class Heartbeat implements Service {

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final Parts parts;
    private final Retrying retrying;
    private final Map<SessionId, Long> lastCommands = new HashMap<>();
    private boolean failing;

    Heartbeat(Parts parts) {
        this.parts = parts;
        this.retrying = new Retrying(Duration.ofMillis(50), parts.timing().reconnect());
    }

    @Override
    public String name() {
        return "heartbeat";
    }

    @Override
    public Duration runOnce() {
        try {
            beat();
            if (failing) {
                LOG.info("Heartbeats are answered again");
            }
            failing = false;
            retrying.reset();
            return parts.timing().heartbeat();
        } catch (Throwable e) {
            parts.problems().brokerFails(e);
            if (!failing) {
                LOG.warn("A heartbeat failed; it is tried again at once, then with backoff: {}", e.toString());
            }
            interruptUncertain();
            // The first failure may be a connection that had died while idle.
            var wait = failing ? retrying.next() : Duration.ZERO;
            failing = true;
            return wait;
        }
    }

    private void beat() {
        var lanes = new ArrayList<Lane>();
        var sessions = new ArrayList<SessionId>();
        var beats = new ArrayList<Beat>();
        for (var lane : parts.lanes()) {
            var session = lane.session();
            if (session != null) {
                lanes.add(lane);
                sessions.add(session);
                beats.add(new Beat(session, lastCommands.getOrDefault(session, 0L), progress(session)));
            }
        }
        lastCommands.keySet().retainAll(sessions);
        if (beats.isEmpty()) {
            return;
        }
        var sent = parts.clock().nanos();
        var replies = parts.broker().heartbeat(beats);
        parts.problems().brokerAnswers();
        for (var i = 0; i < replies.size(); i++) {
            answered(lanes.get(i), beats.get(i), replies.get(i), sent);
        }
    }

    private Map<LeaseId, String> progress(SessionId session) {
        var progress = new HashMap<LeaseId, String>();
        for (var delivery : parts.inFlight().ofSession(session)) {
            var text = delivery.state() == Delivery.State.RUNNING ? delivery.untoldProgress() : null;
            if (text != null) {
                progress.put(delivery.id(), text);
            }
        }
        return progress;
    }

    private void answered(Lane lane, Beat beat, BeatReply reply, long sent) {
        if (reply.ended()) {
            parts.sessionEnded(lane, beat.session());
            return;
        }
        lane.beatAnswered(sent, reply.paused());
        beat.progress().forEach((lease, text) -> {
            var delivery = parts.inFlight().find(lease.job(), lease.token());
            if (delivery != null) {
                delivery.progressTold(text);
            }
        });
        if (reply.paused()) {
            lane.takeUnstarted(null).forEach(parts.settlers()::release);
        }
        if (reply.quiet()) {
            parts.problems().outdated();
            lane.quiet(true);
        }
        obey(lane, beat.session(), reply.commands());
    }

    private void obey(Lane lane, SessionId session, List<Command> commands) {
        for (var command : commands) {
            if (command instanceof Command.LeaseRevoked revoked) {
                var delivery = parts.inFlight().find(revoked.job(), revoked.token());
                if (delivery != null) {
                    parts.revoked(delivery);
                } else {
                    // Settled meanwhile; or its lease call is still on its way here, and will bring what is lost
                    // already.
                    lane.reconcileSoon();
                    parts.wakeLeaseLoop();
                }
            } else if (command instanceof Command.GoQuiet) {
                LOG.info("Told to lease nothing more from queue {}", lane.queue());
                lane.quiet(true);
            } else if (command instanceof Command.Resume) {
                LOG.info("Told to lease from queue {} again", lane.queue());
                lane.quiet(false);
                lane.signal();
                parts.wakeLeaseLoop();
            } else if (command instanceof Command.Drain) {
                LOG.info("Told to drain");
                parts.drain();
            }
            lastCommands.merge(session, command.number(), Math::max);
        }
    }

    private void interruptUncertain() {
        if (!parts.config().interruptUncertain()) {
            return;
        }
        var now = parts.clock().nanos();
        for (var delivery : parts.inFlight().all()) {
            if (!delivery.lane().isLeaseCertain(now)) {
                delivery.interrupt(now);
            }
        }
    }
}
