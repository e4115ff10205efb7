package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.Verdict;
import dev.belay.job.DeadReason;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobState;
import dev.belay.job.Limits;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Budgets of failures, and the history that tells them. */
public class RetryTest extends BrokerSuite {

    @Test
    void G5_aJobFailsAsOftenAsItMayAndIsBuriedThen() {
        var id = accept(job().maxAttempts(3));
        var worker = worker();
        for (var failure = 1; failure <= 2; failure++) {
            var lease = worker.leaseOne();
            assertThat(lease.job().counts().attempt()).isEqualTo(failure);
            assertThat(worker.fail(lease, seconds(0)).state()).isEqualTo(JobState.READY);
        }
        assertThat(worker.fail(worker.leaseOne(), seconds(0)))
                .isEqualTo(new Verdict.Applied(JobState.DEAD, DeadReason.ATTEMPTS_EXHAUSTED));
        assertThat(find(id).reason()).isEqualTo("ATTEMPTS_EXHAUSTED");
        assertThat(find(id).counts().failures()).isEqualTo(3);
        assertThat(find(id).times().finishedAt()).isNotNull();
        assertThat(List.of(events(Event.FAILED), events(Event.DEAD), events(Event.BURIED)))
                .containsExactly(3L, 1L, 0L);
        assertThat(kinds(id))
                .containsExactly(
                        HistoryEntry.Kind.FAILED,
                        HistoryEntry.Kind.FAILED,
                        HistoryEntry.Kind.FAILED,
                        HistoryEntry.Kind.BURIED);
        assertThat(worker.lease(5)).isEmpty();
    }

    @Test
    void oneAttemptIsOneFailure() {
        accept(job().maxAttempts(1));
        var worker = worker();

        assertThat(worker.fail(worker.leaseOne(), seconds(60)))
                .isEqualTo(new Verdict.Applied(JobState.DEAD, DeadReason.ATTEMPTS_EXHAUSTED));
    }

    @Test
    void anExplicitWaitCountsAsAFailureButTakesNoStep() {
        var id = accept(job().maxAttempts(3));
        var worker = worker();
        worker.settled(worker.leaseOne(), explicit(0));
        worker.fail(worker.leaseOne(), seconds(0));
        assertThat(find(id).counts().failures()).isEqualTo(2);
        assertThat(find(id).counts().stepsTaken()).isEqualTo(1);

        assertThat(worker.settle(worker.leaseOne(), explicit(5)))
                .isEqualTo(new Verdict.Applied(JobState.DEAD, DeadReason.ATTEMPTS_EXHAUSTED));
    }

    @Test
    void aWaitIsKeptToTheMillisecond() {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        var failed = timed(() -> worker.settled(
                lease, new Outcome.Retry(java.time.Duration.ofMillis(12_345), true, TestWorker.error("A", "b"))));

        assertThat(find(id).times().runAt()).isBetween(failed.from() + 12_345, failed.to() + 12_345);
        advance(seconds(11));
        assertThat(worker.lease(1)).isEmpty();
        advance(java.time.Duration.ofMillis(1_345));
        assertThat(worker.lease(1)).hasSize(1);
    }

    @Test
    void snoozesAndReleasesAreFree() {
        var id = accept(job().maxAttempts(2).maxCrashes(2));
        var worker = worker();
        for (var i = 0; i < 10; i++) {
            worker.settled(worker.leaseOne(), new Outcome.Snooze(seconds(0), false));
            worker.settled(worker.leaseOne(), new Outcome.Release(false));
        }
        var counts = find(id).counts();
        assertThat(counts.failures() + counts.crashes() + counts.stepsTaken()).isZero();
        assertThat(counts.snoozes()).isEqualTo(10);
        assertThat(counts.releases()).isEqualTo(10);
        assertThat(counts.deliveries()).isEqualTo(20);
        assertThat(state(id)).isEqualTo(JobState.READY);
        assertThat(kinds(id)).as("counted, not listed").isEmpty();
    }

    @Test
    void crashesAndFailuresHaveBudgetsOfTheirOwn() {
        var id = accept(job().maxAttempts(2).maxCrashes(5).backoff(dev.belay.job.Backoff.NONE));
        var worker = worker();
        worker.fail(worker.leaseOne(), seconds(0));
        worker.leaseOne();
        crash(worker);

        assertThat(find(id).counts().failures()).isEqualTo(1);
        assertThat(find(id).counts().crashes()).isEqualTo(1);
        assertThat(find(id).counts().stepsTaken()).isEqualTo(2);
        assertThat(state(id)).isIn(JobState.SCHEDULED, JobState.READY);
    }

    @Test
    void aReplayGivesAFreshBudget() {
        var id = accept(job().maxAttempts(2));
        var worker = worker();
        for (var replay = 1; replay <= 3; replay++) {
            worker.fail(worker.leaseOne(), seconds(0));
            assertThat(worker.fail(worker.leaseOne(), seconds(0)).deadReason())
                    .isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED);
            applied(admin.replay(QUEUE, id, null, ANN));
            var counts = find(id).counts();
            assertThat(counts.failures() + counts.crashes() + counts.stepsTaken())
                    .isZero();
            assertThat(counts.replays()).isEqualTo(replay);
            assertThat(counts.deliveries()).isEqualTo(2 * replay);
        }
    }

    @Test
    void theLastErrorIsTheOneShown() {
        var id = accept(job());
        var worker = worker();
        for (var name : List.of("A", "B", "C")) {
            worker.settled(
                    worker.leaseOne(), new Outcome.Retry(seconds(0), false, TestWorker.error(name, "of " + name)));
            assertThat(find(id).lastError()).isEqualTo(TestWorker.error(name, "of " + name));
        }
        worker.complete(worker.leaseOne());
        assertThat(admin.find(QUEUE, id).orElseThrow().history())
                .extracting(entry -> entry.error() == null ? "" : entry.error().errorClass())
                .containsExactly("A", "B", "C");
    }

    @Test
    void G13_theHistoryKeepsTheNewestEntriesAndTheCountOfAll() {
        var id = accept(job().maxAttempts(100));
        var worker = worker();
        for (var i = 1; i <= 30; i++) {
            worker.settled(worker.leaseOne(), new Outcome.Retry(seconds(0), false, TestWorker.error("E" + i, "m")));
            advance(seconds(1));
        }
        var history = admin.find(QUEUE, id).orElseThrow().history();
        assertThat(history).hasSize(Limits.HISTORY_ENTRIES);
        assertThat(history)
                .extracting(entry -> entry.error() == null ? "" : entry.error().errorClass())
                .startsWith("E11")
                .endsWith("E30");
        assertThat(history).extracting(HistoryEntry::at).isSorted();
        assertThat(history).extracting(HistoryEntry::attempt).startsWith(11).endsWith(30);
        assertThat(find(id).historyCount()).isEqualTo(30);
    }

    @Test
    void aHistoryOfLargeErrorsIsCutAtItsOldestStacks() {
        var id = accept(job().maxAttempts(100));
        var worker = worker();
        var stack = "x".repeat(Limits.ERROR_STACK);
        for (var i = 1; i <= 20; i++) {
            var error = new dev.belay.job.JobError("E" + i, "message " + i, stack, "f");
            worker.settled(worker.leaseOne(), new Outcome.Retry(seconds(0), false, error));
        }
        var history = admin.find(QUEUE, id).orElseThrow().history();
        assertThat(history).hasSize(20);
        var bytes = history.stream()
                .mapToInt(entry ->
                        entry.error() == null ? 0 : entry.error().stack().length())
                .sum();
        assertThat(bytes).isLessThanOrEqualTo(Limits.HISTORY_BYTES).isGreaterThan(Limits.ERROR_STACK);
        var newest = Objects.requireNonNull(history.get(19).error(), "error");
        assertThat(newest.stack()).as("the newest is whole").isEqualTo(stack);
        assertThat(history)
                .extracting(entry -> entry.error() == null ? "" : entry.error().message())
                .startsWith("message 1")
                .endsWith("message 20");
    }

    private static Outcome explicit(long seconds) {
        return new Outcome.Retry(seconds(seconds), true, TestWorker.error("RetryAfter", "later"));
    }

    private List<HistoryEntry.Kind> kinds(dev.belay.job.JobId id) {
        return admin.find(QUEUE, id).orElseThrow().history().stream()
                .map(HistoryEntry::kind)
                .toList();
    }
}
