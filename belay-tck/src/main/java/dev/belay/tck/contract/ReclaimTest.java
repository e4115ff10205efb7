package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.ReapReply;
import dev.belay.broker.Verdict;
import dev.belay.job.Backoff;
import dev.belay.job.DeadReason;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** G4 and G5: what becomes of the jobs of a session that was ended. */
public class ReclaimTest extends BrokerSuite {

    @Test
    void G4_aJobOfADeadWorkerIsScheduledAgainAndCounted() {
        var id = accept(job().backoff(Backoff.fixed(seconds(30))));
        var worker = worker();
        var lease = worker.leaseOne();
        var reclaimed = timed(() -> crash(worker));

        assertThat(reclaimed.value())
                .containsExactly(
                        new ReapReply.Reclaimed(id, QUEUE, TYPE, lease.id().token(), true, JobState.SCHEDULED, null));
        var job = find(id);
        assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
        assertThat(job.counts().crashes()).isEqualTo(1);
        assertThat(job.counts().failures()).isZero();
        assertThat(job.counts().stepsTaken()).isEqualTo(1);
        assertThat(job.token()).isEqualTo(lease.id().token());
        assertThat(job.times().runAt()).isBetween(now() + 20_000, now() + 30_000);
        assertThat(events(Event.CRASHED)).isEqualTo(1);

        advance(seconds(30));
        assertThat(worker().leaseOne().job().id()).isEqualTo(id);
    }

    @Test
    void G13_aCrashIsInTheHistory() {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        crash(worker);

        assertThat(admin.find(QUEUE, id).orElseThrow().history())
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.kind()).isEqualTo(HistoryEntry.Kind.CRASHED);
                    assertThat(entry.token()).isEqualTo(lease.id().token());
                    assertThat(entry.worker()).isEqualTo(worker.spec().worker());
                    assertThat(entry.attempt()).isEqualTo(1);
                    assertThat(entry.at()).isLessThanOrEqualTo(now());
                });
        assertThat(find(id).historyCount()).isEqualTo(1);
    }

    @Test
    void case56_oneCrashIsNotDeath() {
        var id = accept(job().maxAttempts(5));
        var worker = worker();
        worker.leaseOne();
        crash(worker);

        assertThat(state(id)).isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void case55_aCrashUsesNoAttempt() {
        var id = accept(job().maxAttempts(1).backoff(Backoff.NONE));
        for (var crash = 1; crash <= 2; crash++) {
            var worker = worker();
            worker.leaseOne();
            crash(worker);
            assertThat(find(id).counts().crashes()).isEqualTo(crash);
            assertThat(find(id).counts().failures()).isZero();
        }
        var last = worker();
        assertThat(last.fail(last.leaseSuspect(), seconds(0)))
                .isEqualTo(new Verdict.Applied(JobState.DEAD, DeadReason.ATTEMPTS_EXHAUSTED));
    }

    @Test
    void case7_aJobWhoseWorkersKeepDyingBecomesADeadLetter() {
        var payload = "{\"whole\":true}";
        var id = accept(job().maxCrashes(3).backoff(Backoff.NONE).payload(payload));
        for (var i = 0; i < 2; i++) {
            var worker = worker();
            worker.leaseOne();
            crash(worker);
        }
        var worker = worker();
        var suspect = worker.leaseSuspect();
        applied(worker.begin(suspect));

        assertThat(crash(worker))
                .containsExactly(new ReapReply.Reclaimed(
                        id, QUEUE, TYPE, suspect.id().token(), true, JobState.DEAD, DeadReason.WORKER_LOST));
        var detail = admin.find(QUEUE, id).orElseThrow();
        assertThat(detail.job().reason()).isEqualTo("WORKER_LOST");
        assertThat(detail.job().counts().crashes()).isEqualTo(3);
        assertThat(payload(id)).isEqualTo(payload);
        assertThat(detail.history())
                .extracting(HistoryEntry::kind)
                .containsExactly(
                        HistoryEntry.Kind.CRASHED,
                        HistoryEntry.Kind.CRASHED,
                        HistoryEntry.Kind.CRASHED,
                        HistoryEntry.Kind.BURIED);
        assertThat(List.of(events(Event.CRASHED), events(Event.DEAD), events(Event.BURIED)))
                .containsExactly(3L, 1L, 0L);

        applied(admin.replay(QUEUE, id, null, ANN));
        assertThat(find(id).counts().crashes()).isZero();
        assertThat(worker().leaseOne().job().id()).isEqualTo(id);
    }

    @Test
    void G5_oneCrashLeftAndNotBegunIsNotCounted() {
        var id = accept(job().maxCrashes(1).backoff(Backoff.fixed(seconds(7))));
        for (var round = 0; round < 4; round++) {
            var worker = worker();
            var lease = worker.leaseOne();

            assertThat(crash(worker))
                    .containsExactly(new ReapReply.Reclaimed(
                            id, QUEUE, TYPE, lease.id().token(), false, JobState.SCHEDULED, null));
            assertThat(find(id).counts().crashes()).isZero();
            assertThat(find(id).counts().stepsTaken()).isZero();
            assertThat(find(id).times().runAt()).isLessThanOrEqualTo(now() + 7_000);
            advance(seconds(7));
        }
        assertThat(List.of(events(Event.RETURNED), events(Event.CRASHED), events(Event.DEAD)))
                .containsExactly(4L, 0L, 0L);
        assertThat(admin.find(QUEUE, id).orElseThrow().history())
                .extracting(HistoryEntry::kind)
                .containsOnly(HistoryEntry.Kind.RETURNED)
                .hasSize(4);
    }

    @Test
    void G5_aBegunJobThatMayCrashOnceIsBuriedByItsCrash() {
        var id = accept(job().maxCrashes(1));
        var worker = worker();
        var lease = worker.leaseOne();
        applied(worker.begin(lease));

        assertThat(crash(worker))
                .containsExactly(new ReapReply.Reclaimed(
                        id, QUEUE, TYPE, lease.id().token(), true, JobState.DEAD, DeadReason.WORKER_LOST));
        assertThat(find(id).counts().crashes()).isEqualTo(1);
    }

    @Test
    void case53_jobsThatCrashTogetherComeBackSpread() {
        client.accept(1_000, job().backoff(Backoff.exponential(Duration.ofSeconds(1_000), 2, Duration.ofHours(5))));
        var worker = worker();
        var leases = worker.lease(1_000);
        crash(worker);
        var slices = new int[20];
        var base = now();
        for (var lease : leases) {
            var wait = find(lease.job().id()).times().runAt() - base;
            assertThat(wait).isLessThanOrEqualTo(1_000_000);
            slices[(int) Math.max(0, Math.min(19, wait / 50_000))]++;
        }
        assertThat(java.util.Arrays.stream(slices).max().orElse(0))
                .as("a slice of 5 %% holds at most 9 %% of the jobs")
                .isLessThanOrEqualTo(90);
    }

    @Test
    void case57_theBackoffAfterCrashesFollowsTheFormula() {
        var id = accept(job().maxCrashes(10)
                .backoff(Backoff.exponential(Duration.ofMinutes(10), 2, Duration.ofMinutes(35))
                        .withJitter(false)));
        for (var bound : List.of(10, 20, 35, 35)) {
            var worker = worker();
            worker.leaseOne();
            crash(worker);
            // Taken back by a pass of the last reap interval.
            assertThat(find(id).times().runAt()).isBetween(now() + bound * 60_000L - 2_500, now() + bound * 60_000L);
            advance(Duration.ofMinutes(bound));
        }
    }

    @Test
    void jobsAreTakenBackInBoundedBatchesAndEntriesNotYetTakenStillSettle() {
        client.accept(3_000, job().backoff(Backoff.NONE));
        var worker = worker();
        var leases = worker.lease(3_000);
        patrol.start();
        worker.die();
        ReapReply reply;
        do {
            reply = patrol.next();
        } while (reply.ended() == 0);
        assertThat(reply.more()).as("not all in one pass").isTrue();
        assertThat(reply.reclaimed()).hasSizeLessThan(3_000);
        assertThat(worker.ask(1).status()).isEqualTo(LeaseReply.Status.ENDED);
        assertThat(worker.heartbeat().ended()).isTrue();
        var session = admin.sessions().get(0);
        assertThat(session.ended()).isTrue();
        assertThat(session.inFlight()).isPositive();

        var taken = new ArrayList<JobId>();
        reply.reclaimed().forEach(reclaimed -> taken.add(reclaimed.job()));
        var settled = leases.stream()
                .filter(lease -> !taken.contains(lease.job().id()))
                .findFirst()
                .orElseThrow();
        assertThat(worker.begin(settled)).isEqualTo(Verdict.ENDED);
        assertThat(worker.complete(settled).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(worker.settle(
                        leases.stream()
                                .filter(lease -> taken.contains(lease.job().id()))
                                .findFirst()
                                .orElseThrow(),
                        Outcome.Complete.PLAIN))
                .isEqualTo(Verdict.STALE);

        // At once, without a new look, by any reaper.
        var others = secondNode().reap();
        assertThat(others.looked()).isFalse();
        assertThat(others.reclaimed()).isNotEmpty();
        others.reclaimed().forEach(reclaimed -> taken.add(reclaimed.job()));
        patrol.pass().forEach(reclaimed -> taken.add(reclaimed.job()));
        assertThat(taken)
                .doesNotHaveDuplicates()
                .hasSize(2_999)
                .doesNotContain(settled.job().id());
        assertThat(admin.sessions()).isEmpty();
        assertThat(events(Event.CRASHED)).isEqualTo(2_999);
    }

    @Test
    void case28_allJobsOfAKilledWorkerRunAgain() {
        client.accept(10, job().backoff(Backoff.NONE));
        var killed = worker();
        killed.lease(10);
        crash(killed);

        var heir = worker();
        assertThat(heir.lease(20))
                .hasSize(10)
                .allSatisfy(lease -> assertThat(heir.complete(lease).state()).isEqualTo(JobState.SUCCEEDED));
    }

    @Test
    void case30_whatAnEndedSessionTriesToLeaseIsNotStranded() {
        accept(20);
        var ended = worker();
        ended.lease(3);
        crash(ended);
        for (var i = 0; i < 10; i++) {
            assertThat(ended.ask(2)).isEqualTo(LeaseReply.none(LeaseReply.Status.ENDED));
        }
        assertThat(admin.queues().get(0).count(JobState.RUNNING)).isZero();
        assertThat(admin.queues().get(0).count(JobState.READY)).isEqualTo(17);
    }

    @Test
    void case15_noLeaseIsHeldForAJobThatIsNotDue() {
        client.accept(10, job().delay(Duration.ofMinutes(10)));
        var worker = worker(TestWorker.spec(QUEUE, seconds(5), java.util.Map.of(TYPE, 1)));
        assertThat(worker.lease(10)).isEmpty();
        assertThat(crash(worker)).isEmpty();
        assertThat(admin.queues().get(0).count(JobState.SCHEDULED)).isEqualTo(10);

        advance(Duration.ofMinutes(10));
        var heir = worker();
        assertThat(heir.lease(20))
                .hasSize(10)
                .allSatisfy(
                        lease -> assertThat(lease.job().counts().deliveries()).isEqualTo(1));
    }

    @Test
    void case39_aJobThatCrashedOnItsLastAttemptDoesNotBlockTheQueue() {
        var odd = accept(job().maxAttempts(1).maxCrashes(1).backoff(Backoff.NONE));
        var worker = worker();
        applied(worker.begin(worker.leaseOne()));
        crash(worker);
        accept(5);

        assertThat(state(odd)).isEqualTo(JobState.DEAD);
        assertThat(worker().lease(10)).hasSize(5);
    }
}
