package dev.belay.job;

import org.jspecify.annotations.Nullable;

/**
 * A job's relations.
 *
 * @param parent the job whose handler asked for this one
 * @param replaces the job that this one was made from by a replay with another payload
 */
public record JobLinks(@Nullable JobId parent, @Nullable JobId replaces) {

    /** No relations. */
    public static final JobLinks NONE = new JobLinks(null, null);
}
