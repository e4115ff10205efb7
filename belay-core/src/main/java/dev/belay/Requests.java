package dev.belay;

import dev.belay.handler.Codecs;
import dev.belay.handler.EnqueueInterceptor;
import dev.belay.handler.Enqueued;
import dev.belay.job.JobLinks;
import dev.belay.job.JobRequest;
import dev.belay.job.Limits;
import dev.belay.job.NewJob;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The way of a client's requests: through its interceptors, then encoded. Thread-safe.
 *
 * @param interceptors the first is the outermost
 */
record Requests(Codecs codecs, List<EnqueueInterceptor> interceptors) {

    Requests {
        interceptors = List.copyOf(interceptors);
    }

    /** Hands requests through the interceptors to what enqueues them. */
    CompletionStage<List<Enqueued>> through(List<JobRequest<?>> requests, EnqueueInterceptor.Next innermost) {
        return through(0, requests, innermost);
    }

    private CompletionStage<List<Enqueued>> through(
            int i, List<JobRequest<?>> requests, EnqueueInterceptor.Next innermost) {
        if (i == interceptors.size()) {
            return innermost.proceed(requests);
        }
        return interceptors.get(i).around(requests, changed -> {
            if (changed.size() != requests.size()) {
                throw new IllegalStateException(
                        "interceptor " + interceptors.get(i).getClass().getName() + " turned " + requests.size()
                                + " requests into " + changed.size() + ": their number must stay");
            }
            return through(i + 1, changed, innermost);
        });
    }

    /** @throws dev.belay.job.InvalidInputException where one can't be stored */
    List<NewJob> encoded(List<JobRequest<?>> requests, int maxPayload) {
        var jobs = new ArrayList<NewJob>(requests.size());
        for (var request : requests) {
            var job = codecs.encode(request, JobLinks.NONE);
            Limits.bytes("payload", job.payload().size(), maxPayload);
            jobs.add(job);
        }
        return jobs;
    }
}
