package dev.belay.job;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job on its way to a broker: encoded, validated, with its id fixed, so that it can be sent again. Immutable.
 *
 * @param id fixed before the first try
 * @param queue where it goes
 * @param type its wire name
 * @param payload its bytes
 * @param key explicit, or the id
 * @param options how it is run and kept
 * @param start when it may run, earliest
 * @param expiry after it the job is not started any more; null for never
 * @param links to other jobs
 */
public record NewJob(
        JobId id,
        String queue,
        String type,
        Payload payload,
        IdempotencyKey key,
        JobOptions options,
        Moment start,
        @Nullable Moment expiry,
        JobLinks links) {

    public NewJob {
        Objects.requireNonNull(id, "id");
        Limits.name("queue", queue);
        Limits.name("type", type);
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(start, "start");
        Objects.requireNonNull(links, "links");
        options.dedup().check(type, key);
    }

    /** As accepted, with what another request of the same key carries. */
    public NewJob carrying(NewJob other) {
        return new NewJob(id, queue, type, other.payload, other.key, options, start, expiry, links);
    }
}
