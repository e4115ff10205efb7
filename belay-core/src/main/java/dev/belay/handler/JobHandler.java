package dev.belay.handler;

/**
 * Does the work of one type. Called by many threads at once; must be safe for that. Deliveries are at least once: the
 * same job may come again, also while a stalled delivery of it still runs elsewhere.
 *
 * <p>A normal return completes the job. Whatever it throws is a failure, retried by the type's policy; a {@link JobSignal}
 * says something else: {@code throw context.snooze(…)}.
 *
 * @param <P> the payload
 */
@FunctionalInterface
public interface JobHandler<P> {

    /** Handles one delivery. */
    void handle(P payload, JobContext context) throws Exception;
}
