package dev.belay.testkit;

import dev.belay.broker.JobDetail;
import dev.belay.broker.JobQuery;
import dev.belay.handler.Codecs;
import dev.belay.handler.EnqueueInterceptor;
import dev.belay.handler.Enqueued;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobRequest;
import dev.belay.memory.MemoryBroker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** All jobs of a broker, in the order in which they were enqueued, as far as that is known. Thread-safe. */
final class EnqueuedJobs implements EnqueueInterceptor {

    private final MemoryBroker broker;
    private final Codecs codecs;

    /** In the order of acceptance. */
    private final Map<JobId, Integer> accepted = new LinkedHashMap<>();

    /** When a job was to start before it was first run: retries move that. */
    private final Map<JobId, Long> firstRunAt = new LinkedHashMap<>();

    EnqueuedJobs(MemoryBroker broker, Codecs codecs) {
        this.broker = broker;
        this.codecs = codecs;
    }

    @Override
    public CompletionStage<List<Enqueued>> around(List<JobRequest<?>> requests, Next next) {
        return next.proceed(requests).thenApply(answers -> {
            answers.forEach(answer -> accepted(answer.id()));
            return answers;
        });
    }

    synchronized void accepted(JobId id) {
        accepted.putIfAbsent(id, accepted.size());
    }

    synchronized void firstSeen(Job job) {
        accepted(job.id());
        firstRunAt.putIfAbsent(job.id(), job.times().runAt());
    }

    /** In order. */
    List<EnqueuedJob> all() {
        var admin = broker.admin();
        var details = new ArrayList<JobDetail>();
        var cursor = (String) null;
        do {
            var page = admin.list(JobQuery.ALL, cursor, 1_000);
            page.jobs().forEach(job -> admin.find(job.queue(), job.id()).ifPresent(details::add));
            cursor = page.next();
        } while (cursor != null);
        details.sort(Comparator.<JobDetail>comparingInt(this::order)
                .thenComparingLong(detail -> detail.job().times().createdAt()));
        return details.stream()
                .map(detail -> new EnqueuedJob(detail, firstRunAt(detail.job()), codecs))
                .toList();
    }

    void assertNone(String expected, Predicate<EnqueuedJob> unwanted) {
        var all = all();
        var found = all.stream().filter(unwanted).toList();
        if (!found.isEmpty()) {
            throw new AssertionError("Expected " + expected + " to be enqueued, but " + EnqueuedJob.list(found));
        }
    }

    private synchronized int order(JobDetail detail) {
        return accepted.getOrDefault(detail.job().id(), Integer.MAX_VALUE);
    }

    private synchronized long firstRunAt(Job job) {
        return firstRunAt.getOrDefault(job.id(), job.times().runAt());
    }
}
