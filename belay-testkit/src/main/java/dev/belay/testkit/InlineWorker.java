package dev.belay.testkit;

import dev.belay.broker.Lease;
import dev.belay.broker.Settlement;
import dev.belay.broker.Verdict;
import dev.belay.delivery.LedgerAccess;
import dev.belay.handler.Codecs;
import dev.belay.handler.HandlerInterceptor;
import dev.belay.handler.Handlers;
import dev.belay.handler.JobHandler;
import dev.belay.handler.JobSignal;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.job.Outcome;
import dev.belay.memory.MemoryBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Leases and runs jobs on the caller's thread. */
final class InlineWorker {

    private static final int ENDLESS = 10_000;

    private final MemoryBroker broker;
    private final EnqueuedJobs enqueued;
    private final Pipeline pipeline;
    private final List<HandlerInterceptor> interceptors = new ArrayList<>();
    private final List<Handlers.Entry<?>> entries = new ArrayList<>();
    private Handlers handlers = Handlers.builder().build();
    private boolean rethrow;
    private boolean running;
    private @Nullable Duration nextDue;

    InlineWorker(
            MemoryBroker broker, Codecs codecs, LedgerAccess ledger, RandomGenerator random, EnqueuedJobs enqueued) {
        this.broker = broker;
        this.enqueued = enqueued;
        this.pipeline = new Pipeline(broker, codecs, ledger, random);
    }

    <P> void handle(JobType<P> type, JobHandler<P> handler) {
        entries.removeIf(entry -> entry.type().name().equals(type.name()));
        entries.add(new Handlers.Entry<>(type, handler));
        var builder = Handlers.builder();
        entries.forEach(entry -> add(builder, entry));
        handlers = builder.build();
    }

    private static <P> void add(Handlers.Builder builder, Handlers.Entry<P> entry) {
        builder.add(entry.type(), entry.handler());
    }

    void intercept(HandlerInterceptor interceptor) {
        interceptors.add(interceptor);
    }

    void rethrowFailures() {
        rethrow = true;
    }

    Optional<Run> runNext() {
        return run(1).stream().findFirst();
    }

    List<Run> runAll() {
        return run(Integer.MAX_VALUE);
    }

    /** How long after the last run that found nothing more the next scheduled job is due; null where none is. */
    @Nullable
    Duration nextDue() {
        return nextDue;
    }

    void checkNotEndless(int runs) {
        if (runs >= ENDLESS) {
            throw new IllegalStateException("ran " + runs
                    + " jobs and there are still more due: do jobs make jobs, or retry without a wait, for ever?");
        }
    }

    private List<Run> run(int atMost) {
        if (running) {
            throw new IllegalStateException("a handler can't run jobs: let it return, then run them");
        }
        running = true;
        var ran = new ArrayList<Run>();
        // What has no handler stays leased until the end, so that it does not stand in the way of what has one.
        try (var sessions = new InlineSessions(broker, handlers.types())) {
            while (ran.size() < atMost) {
                var lease = next(sessions);
                if (lease.isEmpty()) {
                    break;
                }
                ran.add(run(lease.get()));
                checkNotEndless(ran.size());
            }
            nextDue = sessions.nextDue();
        } finally {
            running = false;
        }
        return List.copyOf(ran);
    }

    private Optional<Lease> next(InlineSessions sessions) {
        while (true) {
            var lease = sessions.lease();
            if (lease.isEmpty() || isKnown(lease.get())) {
                return lease;
            }
        }
    }

    private boolean isKnown(Lease lease) {
        var entry = handlers.find(lease.job().type());
        return entry != null && entry.type().version() >= lease.payload().schemaVersion();
    }

    private Run run(Lease lease) {
        enqueued.firstSeen(lease.job());
        var entry = handlers.find(lease.job().type());
        if (entry == null) {
            throw new IllegalStateException("type '" + lease.job().type() + "' has lost its handler");
        }
        var end = pipeline.run(lease, entry, interceptors);
        var verdict = broker.settle(
                        lease.id().queue(), List.of(new Settlement(lease.id(), end.outcome(), end.progress())))
                .get(0);
        if (end.outcome() instanceof Outcome.Complete complete) {
            complete.followUps().forEach(job -> enqueued.accepted(job.id()));
        }
        var job = lease.job();
        var run = new Run(
                job.id(),
                job.queue(),
                job.type(),
                job.counts().attempt(),
                end.outcome(),
                end.thrown(),
                state(lease, verdict));
        rethrow(run);
        return run;
    }

    private void rethrow(Run run) {
        if (run.thrown() instanceof AssertionError assertion) {
            // An assertion of the test's own, within a handler.
            throw assertion;
        }
        if (rethrow && run.thrown() != null && !(run.thrown() instanceof JobSignal)) {
            throw new AssertionError(
                    "a run of job " + run.job() + " of type '" + run.type() + "' failed", run.thrown());
        }
    }

    private @Nullable JobState state(Lease lease, Verdict verdict) {
        return verdict instanceof Verdict.Applied applied
                ? applied.state()
                : broker.admin()
                        .find(lease.id().queue(), lease.id().job())
                        .map(detail -> detail.job().state())
                        .orElse(null);
    }
}
