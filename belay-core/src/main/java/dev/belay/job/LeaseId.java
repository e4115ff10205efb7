package dev.belay.job;

/**
 * A lease: the exclusive right to run one job for as long as its session lives. Only the newest token of a job, in the
 * session that holds it, can settle the job.
 *
 * @param queue the job's queue
 * @param job the leased job
 * @param token the fencing token; the tokens of one job grow for ever
 * @param session the session that holds the job
 */
public record LeaseId(String queue, JobId job, long token, SessionId session) {

    @Override
    public String toString() {
        return job + " (token " + token + ", queue " + queue + ")";
    }
}
