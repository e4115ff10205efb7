package dev.belay.handler;

import dev.belay.job.JobRequest;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Stands around every enqueue: for tenants, traces, checks. Interceptors are called in the order in which they were
 * registered, the first one outermost. Must be safe for use by many threads.
 */
@FunctionalInterface
public interface EnqueueInterceptor {

    /**
     * Passes the requests, or changed copies of them, to {@code next} once, or throws. The number and the order of the
     * requests must stay.
     */
    CompletionStage<List<Enqueued>> around(List<JobRequest<?>> requests, Next next);

    /** The rest of the chain. */
    @FunctionalInterface
    interface Next {
        CompletionStage<List<Enqueued>> proceed(List<JobRequest<?>> requests);
    }
}
