package dev.belay.broker;

import dev.belay.job.Job;
import dev.belay.job.LeaseId;
import dev.belay.job.Payload;

/**
 * A job that was handed out: what a worker needs to run it.
 *
 * @param id what settles it
 * @param job as it stands, RUNNING
 * @param payload its bytes
 * @param waitedMillis from when it became ready to this lease, by the broker's clock
 */
public record Lease(LeaseId id, Job job, Payload payload, long waitedMillis) {}
