package dev.belay.delivery;

import dev.belay.broker.Broker;
import dev.belay.broker.Lease;
import dev.belay.handler.Codecs;
import dev.belay.handler.JobContext;
import dev.belay.handler.JobSignal;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.JobRequest;
import dev.belay.job.Limits;
import dev.belay.job.NewJob;
import dev.belay.job.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a handler is handed, but for what depends on who runs it: its lease and its stop. Safe for use by many threads.
 * What is said after {@link #close} is ignored.
 */
public abstract class HandlerContext implements JobContext {

    private final Lease lease;
    private final Codecs codecs;
    private final Broker broker;
    private final List<NewJob> followUps = new ArrayList<>();
    private byte @Nullable [] result;
    private boolean closed;

    protected HandlerContext(Lease lease, Codecs codecs, Broker broker) {
        this.lease = lease;
        this.codecs = codecs;
        this.broker = broker;
    }

    @Override
    public final Job job() {
        return lease.job();
    }

    @Override
    public final int attempt() {
        return job().counts().attempt();
    }

    @Override
    public final int delivery() {
        return job().counts().deliveries();
    }

    @Override
    public final long token() {
        return lease.id().token();
    }

    @Override
    public final String idempotencyKey() {
        return job().key().value();
    }

    @Override
    public final void progress(String text) {
        Limits.text("progress", text, 0, Limits.PROGRESS_BYTES);
        Limits.bytes("progress", Limits.utf8Length(text), Limits.PROGRESS_BYTES);
        keepProgress(text);
    }

    /** Keeps valid progress: it travels with heartbeat and settle. */
    protected abstract void keepProgress(String text);

    @Override
    public final void result(Object value) {
        var bytes = codecs.encodeResult(value);
        synchronized (this) {
            if (!closed) {
                result = bytes;
            }
        }
    }

    @Override
    public final JobId followUp(JobRequest<?> request) {
        var job = codecs.encode(request, new JobLinks(job().id(), null));
        Limits.bytes("payload", job.payload().size(), broker.settings().maxPayloadBytes());
        synchronized (this) {
            if (!closed) {
                followUps.add(job);
            }
        }
        return job.id();
    }

    @Override
    public final JobSignal.Snooze snooze(Duration delay) {
        return new JobSignal.Snooze(delay);
    }

    @Override
    public final JobSignal.RetryAfter retryAfter(Duration delay, String why) {
        return new JobSignal.RetryAfter(delay, why);
    }

    @Override
    public final JobSignal.Bury bury(String why) {
        return new JobSignal.Bury(why);
    }

    /** The handler has returned. */
    public synchronized void close() {
        closed = true;
    }

    /** What a normal return means. */
    public final synchronized Outcome completed() {
        return result == null && followUps.isEmpty() ? Outcome.Complete.PLAIN : new Outcome.Complete(result, followUps);
    }
}
