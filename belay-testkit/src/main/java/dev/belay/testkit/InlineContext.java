package dev.belay.testkit;

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
import dev.belay.memory.MemoryBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a handler is handed by a {@link TestBelay}. */
final class InlineContext implements JobContext {

    private final Lease lease;
    private final MemoryBroker broker;
    private final Codecs codecs;
    private final List<NewJob> followUps = new ArrayList<>();
    private final List<Runnable> lostCallbacks = new ArrayList<>();
    private byte @Nullable [] result;
    private @Nullable String progress;
    private boolean closed;

    InlineContext(Lease lease, MemoryBroker broker, Codecs codecs) {
        this.lease = lease;
        this.broker = broker;
        this.codecs = codecs;
        this.progress = lease.job().progress();
    }

    @Override
    public Job job() {
        return lease.job();
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
        return lease.id().token();
    }

    @Override
    public String idempotencyKey() {
        return job().key().value();
    }

    /** Nobody tells this thread of a lost lease while it is busy, so the broker is asked. */
    @Override
    public boolean leaseLost() {
        var lost = !broker.held(List.of(lease.id())).get(0);
        List<Runnable> callbacks = List.of();
        synchronized (this) {
            if (lost) {
                callbacks = List.copyOf(lostCallbacks);
                lostCallbacks.clear();
            }
        }
        callbacks.forEach(Runnable::run);
        return lost;
    }

    @Override
    public boolean leaseUncertain() {
        return false;
    }

    @Override
    public void onLeaseLost(Runnable callback) {
        synchronized (this) {
            lostCallbacks.add(callback);
        }
        leaseLost();
    }

    @Override
    public boolean stopRequested() {
        return false;
    }

    @Override
    public synchronized void progress(String text) {
        Limits.text("progress", text, 0, Limits.PROGRESS_BYTES);
        Limits.bytes("progress", Limits.utf8Length(text), Limits.PROGRESS_BYTES);
        if (!closed) {
            progress = text;
        }
    }

    @Override
    public synchronized @Nullable String progress() {
        return progress;
    }

    @Override
    public void result(Object value) {
        var bytes = codecs.encodeResult(value);
        synchronized (this) {
            if (!closed) {
                result = bytes;
            }
        }
    }

    @Override
    public JobId followUp(JobRequest<?> request) {
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
    void close() {
        // Runs what waits for a lost lease, if it was lost.
        leaseLost();
        synchronized (this) {
            closed = true;
        }
    }

    /** What a normal return means. */
    @SuppressWarnings("NullAway") // that an array may be null is not read from class files
    synchronized Outcome completed() {
        return result == null && followUps.isEmpty() ? Outcome.Complete.PLAIN : new Outcome.Complete(result, followUps);
    }
}
