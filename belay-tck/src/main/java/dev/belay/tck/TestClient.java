package dev.belay.tck;

import dev.belay.broker.Broker;
import dev.belay.broker.EnqueueCall;
import dev.belay.broker.Verdict;
import dev.belay.job.JobId;
import dev.belay.job.NewJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A client of a broker: one id, one numbered call after the other for each queue. For one thread. */
public final class TestClient {

    private final Broker broker;
    private final UUID id = UUID.randomUUID();
    private final Map<String, Long> numbers = new HashMap<>();

    public TestClient(Broker broker) {
        this.broker = broker;
    }

    public UUID id() {
        return id;
    }

    /** The next call for the queue of these jobs, ready to be sent, also again. */
    public EnqueueCall call(List<NewJob> jobs) {
        var queue = jobs.get(0).queue();
        return new EnqueueCall(id, queue, numbers.merge(queue, 1L, Long::sum), jobs);
    }

    public EnqueueCall call(NewJob... jobs) {
        return call(Arrays.asList(jobs));
    }

    public List<Verdict> enqueue(NewJob... jobs) {
        return broker.enqueue(call(jobs));
    }

    public List<Verdict> enqueue(List<NewJob> jobs) {
        return broker.enqueue(call(jobs));
    }

    public Verdict enqueue(JobBuilder job) {
        return enqueue(job.build()).get(0);
    }

    /** Enqueues a job that must be accepted. */
    public JobId accept(JobBuilder job) {
        return accept(List.of(job.build())).get(0);
    }

    /** Enqueues that many jobs alike, which must be accepted. */
    public List<JobId> accept(int count, JobBuilder job) {
        var jobs = new ArrayList<NewJob>();
        for (var i = 0; i < count; i++) {
            jobs.add(job.build());
        }
        return accept(jobs);
    }

    /** Enqueues jobs of one queue that must all be accepted. */
    public List<JobId> accept(List<NewJob> jobs) {
        var verdicts = enqueue(jobs);
        if (verdicts.size() != jobs.size() || !verdicts.stream().allMatch(Verdict::isApplied)) {
            throw new AssertionError(
                    "expected " + jobs.size() + " jobs to be accepted, but the verdicts are " + verdicts);
        }
        return jobs.stream().map(NewJob::id).toList();
    }
}
