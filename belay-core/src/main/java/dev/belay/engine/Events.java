package dev.belay.engine;

import dev.belay.broker.Broker;
import dev.belay.event.JobEvent;
import dev.belay.event.JobListener;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listeners what happened; none of them can harm the engine or another. */
final class Events {

    private static final Logger LOG = LoggerFactory.getLogger(Events.class);

    private final List<JobListener> listeners;

    Events(List<JobListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    /** Whether anybody listens: lets the hot path skip making events for nobody. */
    boolean isHeard() {
        return !listeners.isEmpty();
    }

    /** Tells of jobs that died in a call that was not their settle. */
    void tellDeaths(List<Broker.Death> deaths) {
        deaths.forEach(
                death -> tell(new JobEvent.Died(death.job(), death.queue(), death.type(), death.reason(), null)));
    }

    void tell(JobEvent event) {
        for (var listener : listeners) {
            try {
                listener.on(event);
            } catch (Throwable e) {
                LOG.warn("Listener {} failed on {}", listener.getClass().getName(), event, e);
            }
        }
    }
}
