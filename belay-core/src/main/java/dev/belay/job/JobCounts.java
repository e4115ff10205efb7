package dev.belay.job;

/**
 * What has happened to a job how often.
 *
 * @param failures deliveries that its handler ended with an error, since the last replay
 * @param crashes deliveries that ended with their session, since the last replay
 * @param stepsTaken failures and crashes without those that had an explicit wait: where its backoff stands
 * @param deliveries leases in its whole life
 * @param snoozes put off at no cost
 * @param releases given back at no cost
 * @param replays put back to work after it was dead or cancelled
 */
public record JobCounts(
        int failures, int crashes, int stepsTaken, int deliveries, int snoozes, int releases, int replays) {

    /** Of a new job. */
    public static final JobCounts NONE = new JobCounts(0, 0, 0, 0, 0, 0, 0);

    /** After one more delivery. */
    public JobCounts delivered() {
        return new JobCounts(failures, crashes, stepsTaken, deliveries + 1, snoozes, releases, replays);
    }

    /** What users see: failures + 1. */
    public int attempt() {
        return failures + 1;
    }
}
