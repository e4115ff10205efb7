package dev.belay.engine;

import dev.belay.broker.BrokerException;
import dev.belay.broker.Verdict;
import dev.belay.delivery.Call;
import dev.belay.event.JobEvent;
import dev.belay.failure.ErrorDescriber;
import dev.belay.failure.OutcomeClassifier;
import dev.belay.handler.Handlers;
import dev.belay.job.JobError;
import dev.belay.job.Outcome;
import dev.belay.job.RetryPolicy;
import dev.belay.time.Retrying;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * A delivery's pipeline, on its handler's thread: refuse or begin → decode → intercept → handle → classify → settle.
 * Whatever a job does, this returns, and the delivery has an outcome.
 */
final class JobRunner {

    private static final Logger LOG = LoggerFactory.getLogger(JobRunner.class);

    private final Parts parts;
    private final ErrorDescriber describer = new ErrorDescriber();
    private final Timeouts timeouts;
    private final UnknownTypes unknownTypes;

    JobRunner(Parts parts, Timeouts timeouts) {
        this.parts = parts;
        this.timeouts = timeouts;
        this.unknownTypes = new UnknownTypes(parts.clock());
    }

    /** Runs an ordinary delivery. Never throws. */
    void run(Delivery delivery) {
        try {
            if (mayStart(delivery) && (!mustBegin(delivery) || begin(delivery))) {
                runBegun(delivery);
            }
        } catch (Throwable e) {
            LOG.error("The pipeline of job {} failed before its handler started: giving it back", delivery.id(), e);
            parts.settlers().release(delivery);
        }
    }

    /** Runs a delivery that needs no begin, or was begun. Never throws. */
    void runBegun(Delivery delivery) {
        var started = parts.clock().nanos();
        var ran = 0L;
        Outcome outcome;
        try {
            var entry = parts.config().handlers().find(delivery.lease().job().type());
            if (entry == null
                    || entry.type().version() < delivery.lease().payload().schemaVersion()) {
                outcome = unknownTypes.snooze(delivery.lease().job());
            } else {
                outcome = handle(delivery, entry, started);
                ran = parts.clock().nanos() - started;
            }
        } catch (Throwable e) {
            outcome = lastResort(delivery, e);
        }
        if (ran > 0) {
            measure(delivery, started, ran);
        }
        if (delivery.takeOutcome()) {
            parts.settlers().settle(delivery, outcome, Duration.ofNanos(ran));
        }
    }

    private boolean mayStart(Delivery delivery) {
        if (delivery.state() != Delivery.State.WAITING) {
            return false;
        }
        if (parts.isStopping() || !delivery.lane().isLeaseCertain(parts.clock().nanos())) {
            parts.settlers().release(delivery);
            return false;
        }
        return true;
    }

    private static boolean mustBegin(Delivery delivery) {
        return delivery.lease().job().hasOneCrashLeft();
    }

    private boolean begin(Delivery delivery) {
        Verdict verdict;
        try {
            verdict = askToBegin(delivery);
        } catch (Throwable e) {
            LOG.info("It is not known whether job {} was begun: giving it back", delivery.id());
            parts.settlers().release(delivery);
            return false;
        }
        if (verdict.isApplied()) {
            return true;
        }
        if (verdict instanceof Verdict.Stale) {
            parts.lose(delivery);
        } else if (verdict instanceof Verdict.Ended) {
            parts.sessionEnded(delivery.lane(), delivery.id().session());
        } else {
            parts.settlers().release(delivery);
        }
        return false;
    }

    /** Asks again after a lost reply: to give back a job that may run once, and was begun, is to bury it. */
    private Verdict askToBegin(Delivery delivery) {
        var retrying = new Retrying(Duration.ofMillis(20), Duration.ofSeconds(1));
        while (true) {
            try {
                return parts.broker().begin(delivery.id());
            } catch (BrokerException.Unknown | BrokerException.NotApplied e) {
                if (parts.isStopping()
                        || !delivery.lane().isLeaseCertain(parts.clock().nanos())) {
                    throw e;
                }
                LockSupport.parkNanos(retrying.next().toNanos());
            }
        }
    }

    private Outcome handle(Delivery delivery, Handlers.Entry<?> entry, long started) {
        var job = delivery.lease().job();
        var call = Call.decode(delivery.lease(), entry, parts.config().codecs(), describer);
        if (call.undecodable() != null) {
            return call.undecodable();
        }
        if (!delivery.begin(Thread.currentThread())) {
            return new Outcome.Release(false);
        }
        if (parts.events().isHeard()) {
            parts.events()
                    .tell(new JobEvent.Started(
                            job.id(),
                            job.queue(),
                            job.type(),
                            job.counts().attempt(),
                            delivery.id().token(),
                            waited(delivery, started)));
        }
        var context = new DeliveryContext(delivery, parts);
        var timeout = timeouts.watch(delivery);
        var mdc = MDC.getCopyOfContextMap();
        try {
            call.run(parts.config().interceptors(), context);
            return returned(delivery, context, null, entry.type().retryPolicy());
        } catch (Throwable e) {
            return returned(delivery, context, e, entry.type().retryPolicy());
        } finally {
            context.close();
            timeout.cancel();
            delivery.handlerReturned();
            // Nothing meant for this delivery, or left by it, reaches the next one on this thread.
            Thread.interrupted();
            restore(mdc);
        }
    }

    private static void restore(@Nullable Map<String, String> mdc) {
        if (mdc == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(mdc);
        }
    }

    private Outcome returned(
            Delivery delivery, DeliveryContext context, @Nullable Throwable thrown, RetryPolicy policy) {
        var job = delivery.lease().job();
        var random = ThreadLocalRandom.current();
        var completed = delivery.completion() != Delivery.Completion.NONE;
        if (completed && thrown != null) {
            delivery.thrown(thrown);
        }
        if (delivery.isTimedOut()) {
            return Timeouts.outcome(job, random);
        }
        if (thrown == null) {
            return completed ? CompletionCheck.rolledBack(job, random) : context.completed();
        }
        if (delivery.isStopInterrupted()) {
            // It ended because the drain was over: that is no failure.
            return new Outcome.Release(true);
        }
        Thread.interrupted();
        var error = describer.describe(job.type(), thrown);
        return OutcomeClassifier.classify(thrown, job, policy, random, error);
    }

    /** Something failed that should not be able to: the job is retried, with what can be said. */
    private Outcome lastResort(Delivery delivery, Throwable e) {
        LOG.error("The pipeline of job {} failed", delivery.id(), e);
        var job = delivery.lease().job();
        var error = new JobError(
                e.getClass().getName(), "the pipeline failed: " + e.getClass().getName(), "", "pipeline");
        return new Outcome.Retry(
                job.options().backoff().delay(job.counts().stepsTaken() + 1, ThreadLocalRandom.current()),
                false,
                error);
    }

    private void measure(Delivery delivery, long started, long ran) {
        var job = delivery.lease().job();
        delivery.lane().prefetch().observe(ran);
        parts.times().observe(job.queue(), job.type(), waited(delivery, started).toNanos() / 1_000, ran / 1_000);
    }

    private static Duration waited(Delivery delivery, long started) {
        return Duration.ofMillis(delivery.lease().waitedMillis()).plusNanos(started - delivery.leasedNanos());
    }
}
