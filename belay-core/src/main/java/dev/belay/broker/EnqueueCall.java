package dev.belay.broker;

import dev.belay.job.InvalidInputException;
import dev.belay.job.Limits;
import dev.belay.job.NewJob;
import java.util.List;
import java.util.UUID;

/**
 * A numbered enqueue of jobs for one queue.
 *
 * @param client who calls: fixed for the life of a client
 * @param queue of all the jobs
 * @param number per (client, queue), from 1, one call under way at a time
 * @param jobs 1 to 10,000
 */
public record EnqueueCall(UUID client, String queue, long number, List<NewJob> jobs) {

    public EnqueueCall {
        jobs = checked(queue, jobs);
    }

    /**
     * What one call can hold: 1 to 10,000 jobs, all for one queue.
     *
     * @return the jobs, as a list of its own
     * @throws InvalidInputException where it can't
     */
    public static List<NewJob> checked(String queue, List<NewJob> jobs) {
        Limits.name("queue", queue);
        Limits.range("jobs", jobs.size(), 1, Limits.BATCH);
        for (var job : jobs) {
            if (!job.queue().equals(queue)) {
                throw new InvalidInputException(
                        "queue", "a job for '" + job.queue() + "' is in a call for '" + queue + "'");
            }
        }
        return List.copyOf(jobs);
    }
}
