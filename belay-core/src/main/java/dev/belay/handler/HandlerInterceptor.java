package dev.belay.handler;

/**
 * Stands around every handler: for tenants, traces, transactions. Interceptors are called in the order in which they were
 * registered, the first one outermost. Must be safe for use by many threads.
 */
@FunctionalInterface
public interface HandlerInterceptor {

    /** Calls {@code next} once, or throws. What it throws is classified as if the handler had thrown it. */
    void around(JobContext context, Next next) throws Exception;

    /** The rest of the chain. */
    @FunctionalInterface
    interface Next {
        void proceed() throws Exception;
    }
}
