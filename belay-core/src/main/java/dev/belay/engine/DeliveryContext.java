package dev.belay.engine;

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

/** What a handler is handed. */
final class DeliveryContext implements JobContext {

    private final Delivery delivery;
    private final Parts parts;
    private final List<NewJob> followUps = new ArrayList<>();
    private byte @Nullable [] result;
    private boolean closed;

    DeliveryContext(Delivery delivery, Parts parts) {
        this.delivery = delivery;
        this.parts = parts;
    }

    @Override
    public Job job() {
        return delivery.lease().job();
    }

    @Override
    public int attempt() {
        return job().counts().attempt();
    }

    @Override
    public int delivery() {
        return job().counts().deliveries();
    }

    @Override
    public long token() {
        return delivery.id().token();
    }

    @Override
    public String idempotencyKey() {
        return job().key().value();
    }

    @Override
    public boolean leaseLost() {
        return delivery.state() == Delivery.State.LOST;
    }

    @Override
    public boolean leaseUncertain() {
        return !delivery.lane().isLeaseCertain(parts.clock().nanos());
    }

    @Override
    public void onLeaseLost(Runnable callback) {
        delivery.onLost(callback);
    }

    @Override
    public boolean stopRequested() {
        return delivery.isStopRequested();
    }

    @Override
    public void progress(String text) {
        Limits.text("progress", text, 0, Limits.PROGRESS_BYTES);
        Limits.bytes("progress", Limits.utf8Length(text), Limits.PROGRESS_BYTES);
        delivery.progress(text);
    }

    @Override
    public @Nullable String progress() {
        return delivery.progress();
    }

    @Override
    public void result(Object value) {
        var bytes = parts.config().codecs().encodeResult(value);
        synchronized (this) {
            if (!closed) {
                result = bytes;
            }
        }
    }

    @Override
    public JobId followUp(JobRequest<?> request) {
        var job = parts.config().codecs().encode(request, new JobLinks(job().id(), null));
        Limits.bytes("payload", job.payload().size(), parts.broker().settings().maxPayloadBytes());
        synchronized (this) {
            if (!closed) {
                followUps.add(job);
            }
        }
        return job.id();
    }

    @Override
    public JobSignal.Snooze snooze(Duration delay) {
        return new JobSignal.Snooze(delay);
    }

    @Override
    public JobSignal.RetryAfter retryAfter(Duration delay, String why) {
        return new JobSignal.RetryAfter(delay, why);
    }

    @Override
    public JobSignal.Bury bury(String why) {
        return new JobSignal.Bury(why);
    }

    /** The handler has returned: what is said afterwards is ignored. */
    synchronized void close() {
        closed = true;
    }

    /** What a normal return means. */
    synchronized Outcome completed() {
        return result == null && followUps.isEmpty() ? Outcome.Complete.PLAIN : new Outcome.Complete(result, followUps);
    }
}
