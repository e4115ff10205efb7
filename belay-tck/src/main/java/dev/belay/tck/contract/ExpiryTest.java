package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.Verdict;
import dev.belay.job.DeadReason;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Moment;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** After expiresAt a job is not started any more; it becomes a dead letter by whoever meets it first. */
public class ExpiryTest extends BrokerSuite {

    @Test
    void aLeaseThatMeetsAnExpiredJobBuriesIt() {
        var expired = accept(job().expiresAfter(seconds(10)));
        var good = accept(job());
        advance(seconds(10));
        var reply = worker().ask(5);

        assertThat(reply.leases()).extracting(lease -> lease.job().id()).containsExactly(good);
        assertThat(reply.expired())
                .extracting(death -> death.job() + " " + death.queue() + " " + death.type() + " " + death.reason())
                .containsExactly(expired + " " + QUEUE + " " + TYPE + " EXPIRED");
        assertExpiredWaiting(expired);
    }

    @Test
    void G9_expiredJobsAmongDueOnesHoldNobodyUp() {
        var good = new ArrayList<JobId>();
        var expired = new ArrayList<JobId>();
        for (var i = 0; i < 3; i++) {
            good.add(accept(job().delay(seconds(20))));
            expired.add(accept(job().delay(seconds(20)).expiresAfter(seconds(10))));
        }
        advance(seconds(20));
        var reply = worker().ask(10);

        assertThat(reply.leases()).extracting(lease -> lease.job().id()).hasSameElementsAs(good);
        assertThat(reply.expired()).extracting(death -> death.job()).hasSameElementsAs(expired);
        assertThat(expired).allSatisfy(id -> assertThat(find(id).reason()).isEqualTo("EXPIRED"));
    }

    @Test
    void aJobIsLeasedUntilItExpires() {
        accept(job().expiresAfter(seconds(10)));
        advance(seconds(8));

        assertThat(worker().lease(1)).hasSize(1);
    }

    @Test
    void aRunningJobRunsOnBeyondItsExpiry() {
        var id = accept(job().expiresAfter(seconds(10)));
        var worker = worker();
        var lease = worker.leaseOne();
        advance(seconds(60));
        prune();
        broker.promote(QUEUE, seconds(1));

        assertThat(worker.complete(lease).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(state(id)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void aPromoterThatMeetsAnExpiredJobBuriesIt() {
        var expired = accept(job().delay(seconds(20)).expiresAfter(seconds(10)));
        advance(seconds(20));
        var reply = broker.promote(QUEUE, seconds(1));

        assertThat(reply.promoted()).isZero();
        assertThat(reply.expired())
                .extracting(death -> death.job() + " " + death.queue() + " " + death.type() + " " + death.reason())
                .containsExactly(expired + " " + QUEUE + " " + TYPE + " EXPIRED");
        assertExpiredWaiting(expired);
        assertThat(worker().lease(5)).isEmpty();
    }

    @Test
    void aPrunerBuriesWhatExpiredWhileWaiting() {
        var ready = accept(job().expiresAfter(seconds(10)));
        var scheduled = accept(job().delay(Duration.ofHours(9)).expiresAfter(seconds(10)));
        var later = accept(job().expiresAfter(seconds(60)));
        advance(seconds(10));
        var reply = prune();

        assertThat(reply.expired()).extracting(death -> death.job()).containsExactlyInAnyOrder(ready, scheduled);
        assertThat(reply.expired()).allMatch(death -> death.reason() == DeadReason.EXPIRED);
        assertThat(state(scheduled)).isEqualTo(JobState.DEAD);
        assertThat(state(later)).isEqualTo(JobState.READY);
        assertThat(prune().expired()).isEmpty();
    }

    @Test
    void aRetryAfterTheExpiryIsABury() {
        var id = accept(job().expiresAfter(seconds(10)));
        var worker = worker();
        var lease = worker.leaseOne();
        advance(seconds(11));

        assertThat(worker.settle(lease, TestWorker.retry(seconds(0))))
                .isEqualTo(new Verdict.Applied(JobState.DEAD, DeadReason.EXPIRED));
        assertThat(find(id).counts().failures()).isEqualTo(1);
        assertThat(List.of(events(Event.FAILED), events(Event.DEAD), events(Event.EXPIRED)))
                .containsExactly(1L, 1L, 0L);
    }

    @Test
    void exhaustedAttemptsAreToldBeforeTheExpiry() {
        accept(job().maxAttempts(1).expiresAfter(seconds(10)));
        var worker = worker();
        var lease = worker.leaseOne();
        advance(seconds(11));

        assertThat(worker.settle(lease, TestWorker.retry(seconds(0))))
                .isEqualTo(new Verdict.Applied(JobState.DEAD, DeadReason.ATTEMPTS_EXHAUSTED));
    }

    @Test
    void aSnoozeAfterTheExpiryIsABury() {
        var id = accept(job().expiresAfter(seconds(10)));
        var worker = worker();
        var lease = worker.leaseOne();
        advance(seconds(11));

        assertThat(worker.settle(lease, new Outcome.Snooze(seconds(5), false)))
                .isEqualTo(new Verdict.Applied(JobState.DEAD, DeadReason.EXPIRED));
        assertThat(find(id).counts().failures()).isZero();
        assertThat(List.of(events(Event.BURIED), events(Event.DEAD), events(Event.SNOOZED), events(Event.EXPIRED)))
                .containsExactly(1L, 1L, 0L, 0L);
    }

    @Test
    void aRetryBeforeTheExpiryWaitsEvenBeyondIt() {
        var id = accept(job().expiresAfter(seconds(10)));
        var worker = worker();
        worker.fail(worker.leaseOne(), seconds(60));
        assertThat(state(id)).isEqualTo(JobState.SCHEDULED);
        advance(seconds(60));

        assertThat(worker.lease(1)).isEmpty();
        assertExpiredWaiting(id);
    }

    @Test
    void aReleasedJobThatExpiredIsNotStartedAgain() {
        var id = accept(job().expiresAfter(seconds(10)));
        var worker = worker();
        var lease = worker.leaseOne();
        advance(seconds(11));
        worker.settled(lease, new Outcome.Release(false));

        assertThat(worker.lease(1)).isEmpty();
        assertThat(find(id).reason()).isEqualTo("EXPIRED");
    }

    @Test
    void aReplayGivesTheExpiryAnew() {
        var id = accept(job().expiresAfter(seconds(10)));
        advance(Duration.ofHours(1));
        worker().ask(1);
        assertThat(state(id)).isEqualTo(JobState.DEAD);
        var replayed = timed(() -> admin.replay(QUEUE, id, null, ANN));
        applied(replayed.value());

        assertThat(find(id).times().expiresAt()).isBetween(replayed.from() + 10_000, replayed.to() + 10_000);
        assertThat(worker().lease(1)).hasSize(1);
    }

    @Test
    void anInstantOfExpiryIsKept() {
        var at = Instant.ofEpochMilli(now() + 5_000);
        var id = accept(job().expiry(new Moment.At(at)));
        assertThat(find(id).times().expiresAt()).isEqualTo(at.toEpochMilli());
        advance(seconds(5));

        assertThat(worker().lease(1)).isEmpty();
        assertExpiredWaiting(id);
    }

    @Test
    void whatIsExpiredWhenItComesIsNeverStarted() {
        var id = accept(job().expiry(new Moment.At(Instant.ofEpochMilli(now() - 60_000))));

        assertThat(worker().lease(1)).isEmpty();
        assertThat(find(id).reason()).isEqualTo("EXPIRED");
    }

    @Test
    void manyExpiredJobsDoNotHideAGoodOne() {
        client.accept(2_500, job().expiresAfter(seconds(1)));
        var good = accept(job());
        advance(seconds(2));
        var worker = worker();
        var found = List.<dev.belay.broker.Lease>of();
        for (var calls = 0; found.isEmpty(); calls++) {
            assertThat(calls).as("lease calls").isLessThan(50);
            found = worker.lease(1);
        }
        assertThat(found.get(0).job().id()).isEqualTo(good);
    }

    private void assertExpiredWaiting(JobId id) {
        assertThat(find(id).state()).isEqualTo(JobState.DEAD);
        assertThat(find(id).reason()).isEqualTo("EXPIRED");
        assertThat(find(id).times().finishedAt()).isNotNull();
        assertThat(List.of(events(Event.EXPIRED), events(Event.DEAD))).containsExactly(1L, 1L);
        assertThat(admin.find(QUEUE, id).orElseThrow().history())
                .extracting(HistoryEntry::kind)
                .endsWith(HistoryEntry.Kind.EXPIRED);
    }
}
