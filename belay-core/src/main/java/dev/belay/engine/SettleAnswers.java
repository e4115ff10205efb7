package dev.belay.engine;

import dev.belay.broker.Verdict;
import dev.belay.event.JobEvent;
import dev.belay.job.Job;
import dev.belay.job.JobError;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What follows from the answer to a settle: the delivery is forgotten, and the listeners are told. */
final class SettleAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(SettleAnswers.class);

    private final Parts parts;

    SettleAnswers(Parts parts) {
        this.parts = parts;
    }

    void answered(Settler.Item item, Verdict verdict, boolean uncertain) {
        var delivery = item.delivery();
        if (delivery == null) {
            return;
        }
        parts.inFlight().remove(delivery);
        delivery.answered();
        if (item.inTransaction() && isCommitted(delivery, verdict)) {
            committed(item, delivery);
        } else if (verdict instanceof Verdict.Applied applied) {
            applied(item, delivery, applied);
        } else if (uncertain || delivery.completion() != Delivery.Completion.NONE) {
            // Most likely the try whose answer got lost, or the handler's transaction, had settled it: not a lost
            // lease.
            var job = delivery.lease().job();
            tell(new JobEvent.Unconfirmed(
                    job.id(), job.queue(), job.type(), delivery.id().token()));
        } else {
            LOG.warn(
                    "The lease of job {} was lost before its outcome ({}) arrived: the outcome is dropped",
                    delivery.id(),
                    item.settlement().outcome().name());
            var job = delivery.lease().job();
            tell(new JobEvent.LeaseLost(
                    job.id(), job.queue(), job.type(), delivery.id().token()));
        }
    }

    /** Of a job that is removed when it succeeds, nothing is left that could tell. */
    private static boolean isCommitted(Delivery delivery, Verdict verdict) {
        return verdict.isApplied() || delivery.completion() == Delivery.Completion.REMOVED;
    }

    private void committed(Settler.Item item, Delivery delivery) {
        var thrown = delivery.thrown();
        if (thrown != null) {
            LOG.warn(
                    "The handler of job {} failed after its transaction had completed the job: the job is done",
                    delivery.id(),
                    thrown);
        }
        var job = delivery.lease().job();
        tell(new JobEvent.Succeeded(
                job.id(), job.queue(), job.type(), job.counts().attempt(), item.ran()));
    }

    private void applied(Settler.Item item, Delivery delivery, Verdict.Applied applied) {
        if (!parts.events().isHeard()) {
            return;
        }
        tell(event(item, delivery.lease().job(), applied));
    }

    private static JobEvent event(Settler.Item item, Job job, Verdict.Applied applied) {
        var outcome = item.settlement().outcome();
        var reason = applied.deadReason();
        if (applied.state() == JobState.DEAD && reason != null) {
            return new JobEvent.Died(job.id(), job.queue(), job.type(), reason, error(outcome));
        }
        if (outcome instanceof Outcome.Retry retry) {
            return failed(job, item.ran(), retry);
        }
        if (outcome instanceof Outcome.Snooze snooze) {
            return new JobEvent.Snoozed(job.id(), job.queue(), job.type(), snooze.delay(), snooze.unknownType());
        }
        if (outcome instanceof Outcome.Release) {
            return new JobEvent.Released(job.id(), job.queue(), job.type());
        }
        return new JobEvent.Succeeded(
                job.id(), job.queue(), job.type(), job.counts().attempt(), item.ran());
    }

    private static JobEvent failed(Job job, Duration ran, Outcome.Retry retry) {
        return new JobEvent.Failed(
                job.id(), job.queue(), job.type(), job.counts().attempt(), ran, retry.delay(), retry.error());
    }

    private static @Nullable JobError error(Outcome outcome) {
        if (outcome instanceof Outcome.Retry retry) {
            return retry.error();
        }
        return outcome instanceof Outcome.Bury bury ? bury.error() : null;
    }

    private void tell(JobEvent event) {
        parts.events().tell(event);
    }
}
