package dev.belay.broker;

import dev.belay.job.Job;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of jobs.
 *
 * @param next what to ask the next page with; null where this is the last
 */
public record JobPage(List<Job> jobs, @Nullable String next) {}
