package dev.belay.broker;

import dev.belay.job.Limits;
import dev.belay.job.SessionId;
import java.time.Duration;
import java.util.Map;

/**
 * What a worker brings when it registers with a queue.
 *
 * @param id fresh for every try
 * @param queue to be served
 * @param worker the worker's name, the same in all its sessions: host and process, for people
 * @param version of the worker's Belay
 * @param slots how many jobs of this queue it runs at a time
 * @param leaseDuration from a heartbeat to the session's deadline
 * @param types the types it knows, each with the newest payload version it can read
 */
public record SessionSpec(
        SessionId id,
        String queue,
        String worker,
        String version,
        int slots,
        Duration leaseDuration,
        Map<String, Integer> types) {

    public SessionSpec {
        Limits.name("queue", queue);
        Limits.text("worker", worker, 1, Limits.KEY);
        Limits.text("version", version, 1, Limits.NAME);
        Limits.range("slots", slots, 1, 100_000);
        Limits.positive("leaseDuration", leaseDuration);
        types = Map.copyOf(types);
    }
}
