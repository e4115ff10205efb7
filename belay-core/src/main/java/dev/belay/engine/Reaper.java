package dev.belay.engine;

import dev.belay.event.JobEvent;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends sessions of dead workers and takes their jobs back. Every worker runs one; they need no leader. */
final class Reaper implements Service {

    private static final Logger LOG = LoggerFactory.getLogger(Reaper.class);

    private final Parts parts;

    Reaper(Parts parts) {
        this.parts = parts;
    }

    @Override
    public String name() {
        return "reaper";
    }

    @Override
    public Duration runOnce() {
        while (true) {
            var reply = parts.broker().reap();
            if (reply.ended() > 0 || !reply.reclaimed().isEmpty()) {
                LOG.info(
                        "Ended {} sessions whose workers stopped beating; took back {} jobs",
                        reply.ended(),
                        reply.reclaimed().size());
            }
            for (var job : reply.reclaimed()) {
                parts.events()
                        .tell(new JobEvent.Reclaimed(
                                job.job(), job.queue(), job.type(), job.token(), job.counted(), job.state()));
                var reason = job.deadReason();
                if (reason != null) {
                    parts.events().tell(new JobEvent.Died(job.job(), job.queue(), job.type(), reason, null));
                }
            }
            if (!reply.more()) {
                return shortened(parts.broker().settings().reapInterval());
            }
        }
    }

    /** Jitter only shortens the interval. */
    static Duration shortened(Duration interval) {
        var millis = Math.max(1, interval.toMillis());
        return Duration.ofMillis(
                Math.max(1, millis - ThreadLocalRandom.current().nextLong(millis / 4 + 1)));
    }
}
