package dev.belay.engine;

import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.SessionSpec;
import dev.belay.job.InvalidInputException;
import dev.belay.job.SessionId;
import dev.belay.time.Skew;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers lanes: every try under a new id, so that an answer that got lost strands nothing. */
final class Registrar {

    private static final Logger LOG = LoggerFactory.getLogger(Registrar.class);
    private static final Duration TOLERATED_SKEW = Duration.ofSeconds(5);

    private final Parts parts;
    private boolean skewTold;

    Registrar(Parts parts) {
        this.parts = parts;
    }

    void register(Lane lane) {
        var config = parts.config();
        var id = SessionId.next();
        var sent = parts.clock().nanos();
        var registration = parts.broker()
                .register(new SessionSpec(
                        id,
                        lane.queue(),
                        config.name(),
                        Engine.VERSION,
                        lane.slots(),
                        config.timing().lease(),
                        config.handlers().types()));
        check(config.timing(), registration.namespace());
        lane.registered(id, registration.paused(), sent);
        LOG.info("Worker {} serves queue {} with {} slots", config.name(), lane.queue(), lane.slots());
        tellSkew(registration.brokerTime());
    }

    /** Paces that can't work together are refused: a worker that is cut off must be back before it is given up. */
    static void check(Engine.Timing timing, NamespaceSettings namespace) {
        var back = timing.reconnect().plus(namespace.reapInterval().multipliedBy(2));
        if (back.compareTo(namespace.reapGrace()) > 0) {
            throw new InvalidInputException(
                    "reconnectBackoff",
                    "plus two reap intervals must be at most the reap grace of the namespace, " + namespace.reapGrace()
                            + ", but is " + timing.reconnect() + " + 2 × " + namespace.reapInterval() + " = " + back);
        }
    }

    private void tellSkew(long brokerTime) {
        var skew = Skew.of(brokerTime);
        if (!skewTold && skew.abs().compareTo(TOLERATED_SKEW) > 0) {
            skewTold = true;
            LOG.warn(
                    "This host's clock differs from the broker's by {} ms: nothing here depends on it, but times in logs will not match",
                    skew.toMillis());
        }
    }
}
