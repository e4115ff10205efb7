package dev.belay.operation;

import dev.belay.job.JobId;
import java.util.List;

/**
 * What became of a turn's jobs.
 *
 * @param left jobs about which nothing is known yet: to be taken up again
 */
record Tally(long done, long skipped, long refused, List<Pending> left) {

    /** A job that an operation has taken up. */
    record Pending(String queue, JobId id) {}

    long looked() {
        return done + skipped + refused;
    }
}
