package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.BrokerAdmin.UnknownType;
import dev.belay.broker.Event;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.Verdict;
import dev.belay.job.DeadReason;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs of a type that nobody knows are put off, not run and not lost, until the limit of counted time. */
public class UnknownTypeTest extends BrokerSuite {

    private static final String NEW = "brand-new";
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Outcome PUT_OFF = new Outcome.Snooze(seconds(1), true);

    @Test
    void case45_theFirstRefusalIsRememberedThroughTheNext() {
        var id = accept(job().type(NEW));
        var worker = worker();
        var first = timed(() -> worker.settled(worker.leaseOne(), PUT_OFF));
        var since = find(id).times().unknownSince();
        assertThat(since).isBetween(first.from(), first.to());
        advance(seconds(5));
        worker.settled(worker.leaseOne(), PUT_OFF);

        assertThat(find(id).times().unknownSince()).isEqualTo(since);
        assertThat(find(id).counts().snoozes()).isEqualTo(2);
        assertThat(state(id)).isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void case44_aSessionThatKnowsTheTypeBringsItsJobsBackAtOnce() {
        client.accept(3, job().type(NEW));
        var ignorant = worker();
        ignorant.lease(3).forEach(lease -> ignorant.settled(lease, new Outcome.Snooze(seconds(3_000), true)));
        assertThat(ignorant.lease(5)).isEmpty();
        var expert = worker(TestWorker.spec(QUEUE, Map.of(TYPE, 1, NEW, 1)));

        var leases = expert.lease(10);
        assertThat(leases)
                .hasSize(3)
                .allSatisfy(
                        lease -> assertThat(lease.job().times().unknownSince()).isNull());
        leases.forEach(expert::complete);
    }

    @Test
    void aNewerPayloadVersionIsUnknownToAnOlderWorker() {
        var id = accept(job().type(NEW).schemaVersion(3));
        var old = worker(TestWorker.spec(QUEUE, Map.of(NEW, 2)));
        old.settled(old.leaseOne(), new Outcome.Snooze(seconds(3_000), true));
        var other = worker(TestWorker.spec(QUEUE, Map.of(NEW, 2)));
        assertThat(other.lease(1)).as("it does not know version 3 either").isEmpty();
        assertThat(find(id).times().unknownSince()).isNotNull();

        assertThat(worker(TestWorker.spec(QUEUE, Map.of(NEW, 4)))
                        .leaseOne()
                        .job()
                        .id())
                .isEqualTo(id);
    }

    @Test
    void aRegistrationForAnotherQueueChangesNothing() {
        var id = putOff(worker(), seconds(3_000));
        worker(TestWorker.spec("reports", Map.of(NEW, 1)));

        assertThat(state(id)).isEqualTo(JobState.SCHEDULED);
        assertThat(find(id).times().unknownSince()).isNotNull();
    }

    @Test
    void case44_afterTheLimitTheNextSnoozeIsABury() {
        limit();
        var worker = worker();
        var id = putOff(worker, seconds(1));
        patrol.start();
        patrol.walk(LIMIT.plusSeconds(10));
        var verdict = worker.settle(worker.leaseOne(), PUT_OFF);

        assertThat(verdict).isEqualTo(new Verdict.Applied(JobState.DEAD, DeadReason.UNKNOWN_TYPE));
        assertThat(find(id).reason()).isEqualTo("UNKNOWN_TYPE");
        assertThat(find(id).counts().failures()).isZero();
        assertThat(java.util.List.of(events(Event.BURIED), events(Event.DEAD), events(Event.SNOOZED)))
                .containsExactly(1L, 1L, 1L);
    }

    @Test
    void beforeTheLimitItIsPutOffAgain() {
        limit();
        var worker = worker();
        putOff(worker, seconds(1));
        patrol.start();
        patrol.walk(LIMIT.minusSeconds(25));

        assertThat(worker.settled(worker.leaseOne(), PUT_OFF).state()).isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void timeCountsOnlyWhileSomebodyServesTheQueue() {
        limit();
        var worker = worker();
        var id = putOff(worker, seconds(1));
        worker.end();
        worker("reports");
        patrol.start();
        patrol.walk(LIMIT.multipliedBy(3));

        var next = worker();
        assertThat(next.settled(next.leaseOne(), PUT_OFF).state()).isEqualTo(JobState.SCHEDULED);
        assertThat(state(id)).isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void timeInWhichNobodyLookedDoesNotCount() {
        limit();
        var worker = worker();
        putOff(worker, seconds(1));
        patrol.start();
        worker.end();
        advance(LIMIT.multipliedBy(3));

        var next = worker();
        patrol.walk(seconds(10));
        assertThat(next.settled(next.leaseOne(), PUT_OFF).state()).isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void theTimeIsKeptForAsLongAsJobsOfTheTypeWait() {
        limit();
        var worker = worker();
        putOff(worker, seconds(1));
        patrol.start();
        patrol.walk(LIMIT.minusSeconds(20));
        worker.end();
        advance(Duration.ofHours(30));
        broker.prune();

        var next = worker();
        patrol.walk(seconds(40));
        assertThat(next.settled(next.leaseOne(), PUT_OFF).state()).isEqualTo(JobState.DEAD);
    }

    @Test
    void timeDoesNotCountWhileSomebodyKnowsTheType() {
        limit();
        var ignorant = worker();
        accept(job().type(NEW));
        var lease = ignorant.leaseOne();
        worker(TestWorker.spec(QUEUE, Map.of(NEW, 1)));
        patrol.start();
        patrol.walk(LIMIT.multipliedBy(2));

        assertThat(ignorant.settled(lease, PUT_OFF).state()).isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void aRegistrationThatKnowsTheTypeBeginsTheCountAnew() {
        limit();
        var ignorant = worker();
        putOff(ignorant, seconds(1));
        patrol.start();
        patrol.walk(LIMIT.minusSeconds(20));
        worker(TestWorker.spec(QUEUE, Map.of(NEW, 1))).end();
        patrol.walk(LIMIT.minusSeconds(20));

        assertThat(ignorant.settled(ignorant.leaseOne(), PUT_OFF).state()).isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void timeWithoutLooksDoesNotCount() {
        limit();
        var worker = worker();
        putOff(worker, seconds(1));
        patrol.start();
        advance(seconds(5));

        assertThat(worker.settled(worker.leaseOne(), PUT_OFF).state()).isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void aSuccessForgetsThatTheTypeWasUnknown() {
        var id = accept(job().type(NEW));
        var worker = worker();
        worker.settled(worker.leaseOne(), PUT_OFF);
        advance(seconds(5));
        worker.complete(worker.leaseOne());

        assertThat(find(id).times().unknownSince()).isNull();
    }

    @Test
    void aSnoozeOfAKnownTypeIsNoRefusal() {
        var id = accept(job());
        var worker = worker();
        worker.settled(worker.leaseOne(), new Outcome.Snooze(seconds(5), false));

        assertThat(find(id).times().unknownSince()).isNull();
    }

    @Test
    void case45_goodJobsRunBesideAFloodOfUnknownOnes() {
        client.accept(350, job().type(NEW));
        var worker = worker();
        worker.lease(350).forEach(lease -> worker.settled(lease, PUT_OFF));
        advance(seconds(2));
        var good = accept(job());
        var first = worker.lease(1_000);

        assertThat(first)
                .as("a hundred unknown ones a second, and the good one")
                .hasSize(101);
        assertThat(first).extracting(lease -> lease.job().id()).contains(good);
        first.stream()
                .filter(lease -> !lease.job().id().equals(good))
                .forEach(lease -> worker.settled(lease, new Outcome.Snooze(seconds(1_000), true)));
        assertThat(worker.lease(1_000)).as("within the same second").isEmpty();
        advance(seconds(1));
        assertThat(worker.lease(1_000)).hasSize(100);
    }

    @Test
    void allJobsOfATypeComeBackOnceItIsKnown() {
        client.accept(350, job().type(NEW));
        var worker = worker();
        worker.lease(350).forEach(lease -> worker.settled(lease, new Outcome.Snooze(seconds(3_000), true)));
        var expert = worker(TestWorker.spec(QUEUE, Map.of(NEW, 1)));
        var leased = 0;
        for (var calls = 0; calls < 20 && leased < 350; calls++) {
            leased += expert.lease(400).size();
        }
        assertThat(leased).isEqualTo(350);
    }

    @Test
    void case48_unknownTypesOfWaitingJobsAreListed() {
        client.accept(3, job().type(NEW));
        accept(job().type(NEW).schemaVersion(2).delay(seconds(60)));
        accept(job());
        worker(TestWorker.spec(QUEUE, Map.of(TYPE, 1)));
        assertThat(admin.unknownTypes())
                .isEqualTo(Map.of(new UnknownType(QUEUE, NEW, 1), 3L, new UnknownType(QUEUE, NEW, 2), 1L));

        worker(TestWorker.spec(QUEUE, Map.of(NEW, 1)));
        assertThat(admin.unknownTypes()).isEqualTo(Map.of(new UnknownType(QUEUE, NEW, 2), 1L));
    }

    @Test
    void case48_jobsOfARemovedTypeCanBeHandledLikeAnyOther() {
        var id = dead(job().type("gone"));
        assertThat(admin.list(dev.belay.broker.JobQuery.ALL.ofType("gone"), null, 10)
                        .jobs())
                .hasSize(1);
        applied(admin.replay(QUEUE, id, null, ANN));
        applied(admin.cancel(QUEUE, id, ANN));
        applied(admin.discard(QUEUE, id, null, ANN));
    }

    private JobId putOff(TestWorker worker, Duration delay) {
        var id = accept(job().type(NEW));
        worker.settled(worker.leaseOne(), new Outcome.Snooze(delay, true));
        return id;
    }

    private void limit() {
        var now = settings();
        admin.configure(
                new NamespaceSettings(
                        now.reapInterval(),
                        now.reapGrace(),
                        now.dedupWindow(),
                        LIMIT,
                        now.auditRetention(),
                        now.maxPayloadBytes()),
                ANN);
    }
}
