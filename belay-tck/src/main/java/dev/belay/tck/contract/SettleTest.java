package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.EventCount;
import dev.belay.broker.Lease;
import dev.belay.broker.Settlement;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.DeadReason;
import dev.belay.job.HistoryEntry.Kind;
import dev.belay.job.JobCounts;
import dev.belay.job.JobState;
import dev.belay.job.LastSettled;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every outcome of a lease that is held: state, counts, events, history, and what a second settle is told. */
public class SettleTest extends BrokerSuite {

    /**
     * One row of the table.
     *
     * @param reason of a dead letter; null otherwise
     * @param counts afterwards, one delivery included
     * @param events beside ACCEPTED and LEASED
     * @param history kinds of the entries
     */
    record Row(
            Outcome outcome,
            JobState state,
            @Nullable DeadReason reason,
            JobCounts counts,
            List<Event> events,
            List<Kind> history) {
        @Override
        public String toString() {
            return outcome.toString();
        }
    }

    static Stream<Row> rows() {
        var error = TestWorker.error("java.io.IOException", "no answer");
        return Stream.of(
                row(Outcome.Complete.PLAIN, JobState.SUCCEEDED, null, counts(0, 0, 0, 0), List.of(Event.SUCCEEDED)),
                row(
                        TestWorker.retry(seconds(0)),
                        JobState.READY,
                        null,
                        counts(1, 1, 0, 0),
                        List.of(Event.FAILED),
                        Kind.FAILED),
                row(
                        TestWorker.retry(seconds(9)),
                        JobState.SCHEDULED,
                        null,
                        counts(1, 1, 0, 0),
                        List.of(Event.FAILED),
                        Kind.FAILED),
                row(
                        new Outcome.Retry(seconds(0), true, error),
                        JobState.READY,
                        null,
                        counts(1, 0, 0, 0),
                        List.of(Event.FAILED),
                        Kind.FAILED),
                row(
                        new Outcome.Retry(seconds(9), true, error),
                        JobState.SCHEDULED,
                        null,
                        counts(1, 0, 0, 0),
                        List.of(Event.FAILED),
                        Kind.FAILED),
                row(
                        new Outcome.Bury(DeadReason.NOT_RETRYABLE, error),
                        JobState.DEAD,
                        DeadReason.NOT_RETRYABLE,
                        counts(1, -1, 0, 0),
                        List.of(Event.FAILED, Event.DEAD),
                        Kind.FAILED,
                        Kind.BURIED),
                row(
                        new Outcome.Bury(DeadReason.UNDECODABLE, error),
                        JobState.DEAD,
                        DeadReason.UNDECODABLE,
                        counts(1, -1, 0, 0),
                        List.of(Event.FAILED, Event.DEAD),
                        Kind.FAILED,
                        Kind.BURIED),
                row(
                        new Outcome.Bury(DeadReason.BY_HANDLER, null),
                        JobState.DEAD,
                        DeadReason.BY_HANDLER,
                        counts(0, 0, 0, 0),
                        List.of(Event.BURIED, Event.DEAD),
                        Kind.BURIED),
                row(
                        new Outcome.Bury(DeadReason.OUTCOME_UNKNOWN, null),
                        JobState.DEAD,
                        DeadReason.OUTCOME_UNKNOWN,
                        counts(0, 0, 0, 0),
                        List.of(Event.BURIED, Event.DEAD),
                        Kind.BURIED),
                row(new Outcome.Release(false), JobState.READY, null, counts(0, 0, 0, 1), List.of(Event.RELEASED)),
                row(
                        new Outcome.Release(true),
                        JobState.READY,
                        null,
                        counts(0, 0, 0, 1),
                        List.of(Event.RELEASED),
                        Kind.INTERRUPTED),
                row(
                        new Outcome.Snooze(seconds(0), false),
                        JobState.READY,
                        null,
                        counts(0, 0, 1, 0),
                        List.of(Event.SNOOZED)),
                row(
                        new Outcome.Snooze(seconds(9), false),
                        JobState.SCHEDULED,
                        null,
                        counts(0, 0, 1, 0),
                        List.of(Event.SNOOZED)),
                row(
                        new Outcome.Snooze(seconds(9), true),
                        JobState.SCHEDULED,
                        null,
                        counts(0, 0, 1, 0),
                        List.of(Event.SNOOZED)));
    }

    private static Row row(
            Outcome outcome,
            JobState state,
            @Nullable DeadReason reason,
            JobCounts counts,
            List<Event> events,
            Kind... history) {
        return new Row(outcome, state, reason, counts, events, List.of(history));
    }

    /** @param steps -1 for whatever it is */
    private static JobCounts counts(int failures, int steps, int snoozes, int releases) {
        return new JobCounts(failures, 0, steps, 1, snoozes, releases, 0);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void eachOutcomeOfAHeldLease(Row row) {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        var settled = timed(() -> worker.settle(lease, row.outcome()));

        assertThat(settled.value()).isEqualTo(new Verdict.Applied(row.state(), row.reason()));
        var job = find(id);
        assertThat(job.state()).isEqualTo(row.state());
        assertThat(job.reason())
                .isEqualTo(row.reason() == null ? null : row.reason().name());
        assertThat(job.counts()).isEqualTo(expected(row.counts(), job.counts()));
        assertThat(job.lastSettled())
                .isEqualTo(new LastSettled(
                        lease.id().token(), worker.id(), row.outcome().name()));
        assertThat(job.token()).isEqualTo(lease.id().token());
        assertThat(job.session()).isNull();
        assertThat(job.lastError()).isEqualTo(errorOf(row.outcome()));
        assertThat(eventsBesideLease()).isEqualTo(ones(row.events()));
        assertThat(admin.find(QUEUE, id).orElseThrow().history())
                .extracting(entry -> entry.kind())
                .containsExactlyElementsOf(row.history());
        assertThat(job.historyCount()).isEqualTo(row.history().size());
        if (row.state().isFinal()) {
            assertThat(job.times().finishedAt()).isBetween(settled.from(), settled.to());
        }
        assertTimes(row, lease, settled.from(), settled.to());
        assertThat(worker.reconcile().held()).isEmpty();
    }

    private void assertTimes(Row row, Lease lease, long from, long to) {
        var times = find(lease.job().id()).times();
        if (row.state() == JobState.SCHEDULED) {
            assertThat(times.runAt()).isBetween(from + 9_000, to + 9_000);
        }
        if (row.outcome() instanceof Outcome.Release) {
            assertThat(times.readyAt()).isEqualTo(lease.job().times().readyAt());
        } else if (row.state() == JobState.READY) {
            assertThat(times.readyAt()).isBetween(from, to);
        }
        var unknown = row.outcome() instanceof Outcome.Snooze snooze && snooze.unknownType();
        assertThat(times.unknownSince() != null).isEqualTo(unknown);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void case23_aSettleSentAgainIsAnsweredWithTheStateAsItIsNow(Row row) {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        worker.settled(lease, row.outcome());
        var before = find(id);
        var events = eventsBesideLease();

        assertThat(worker.settle(lease, row.outcome())).isEqualTo(new Verdict.Applied(row.state(), row.reason()));
        assertThat(worker.settle(lease, Outcome.Complete.PLAIN))
                .as("another outcome changes nothing either")
                .isEqualTo(new Verdict.Applied(row.state(), row.reason()));
        assertThat(find(id)).isEqualTo(before);
        assertThat(eventsBesideLease()).isEqualTo(events);
        if (row.state() == JobState.SCHEDULED) {
            applied(admin.runNow(QUEUE, id, ANN));
            var heir = worker();
            var next = heir.leaseOne();
            assertThat(worker.settle(lease, row.outcome())).isEqualTo(new Verdict.Applied(JobState.RUNNING, null));
            heir.complete(next);
            assertThat(worker.settle(lease, row.outcome())).isEqualTo(Verdict.STALE);
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void eachOutcomeOfAJobThatIsNotHeldIsStale(Row row) {
        var worker = worker();
        var held = accept(job().priority(0));
        var cancelled = worker.leaseOne();
        applied(admin.cancel(QUEUE, held, ANN));
        var crashed = accept(job());
        var dead = worker();
        var lost = dead.leaseOne();
        crash(dead);
        var before = List.of(find(held), find(crashed));

        assertThat(worker.settle(cancelled, row.outcome())).isEqualTo(Verdict.STALE);
        assertThat(dead.settle(lost, row.outcome())).isEqualTo(Verdict.STALE);
        assertThat(List.of(find(held), find(crashed))).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theHistoryTellsWhoHadIt(Row row) {
        accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        worker.settled(lease, row.outcome());

        assertThat(admin.find(QUEUE, lease.job().id()).orElseThrow().history()).allSatisfy(entry -> {
            assertThat(entry.worker()).isEqualTo(worker.spec().worker());
            assertThat(entry.token()).isEqualTo(lease.id().token());
            assertThat(entry.attempt()).isBetween(1, 2);
            assertThat(entry.error()).isEqualTo(entry.kind() == Kind.FAILED ? errorOf(row.outcome()) : entry.error());
        });
    }

    @ParameterizedTest
    @MethodSource("rows")
    void progressIsSettledWithTheOutcome(Row row) {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        broker.settle(QUEUE, List.of(new Settlement(lease.id(), row.outcome(), "last word")));

        assertThat(find(id).progress()).isEqualTo("last word");
    }

    @Test
    void aSettleWithoutProgressLeavesWhatIsStored() {
        var id = accept(job());
        var worker = worker();
        broker.settle(QUEUE, List.of(new Settlement(worker.leaseOne().id(), TestWorker.retry(seconds(0)), "half way")));
        worker.complete(worker.leaseOne());

        assertThat(find(id).progress()).isEqualTo("half way");
    }

    @Test
    void anEmptyBatchIsHarmless() {
        assertThat(broker.settle(QUEUE, List.of())).isEmpty();
    }

    private static JobCounts expected(JobCounts row, JobCounts actual) {
        return row.stepsTaken() >= 0
                ? row
                : new JobCounts(
                        row.failures(),
                        row.crashes(),
                        actual.stepsTaken(),
                        row.deliveries(),
                        row.snoozes(),
                        row.releases(),
                        row.replays());
    }

    private static dev.belay.job.@Nullable JobError errorOf(Outcome outcome) {
        if (outcome instanceof Outcome.Retry retry) {
            return retry.error();
        }
        return outcome instanceof Outcome.Bury bury ? bury.error() : null;
    }

    private Map<Event, Long> eventsBesideLease() {
        var sums = new EnumMap<Event, Long>(Event.class);
        for (EventCount count : admin.statistics(StatisticsQuery.TOTAL)) {
            if (count.count() != 0 && count.event() != Event.ACCEPTED && count.event() != Event.LEASED) {
                sums.merge(count.event(), count.count(), Long::sum);
            }
        }
        return sums;
    }

    private static Map<Event, Long> ones(List<Event> events) {
        var sums = new EnumMap<Event, Long>(Event.class);
        events.forEach(event -> sums.merge(event, 1L, Long::sum));
        return sums;
    }
}
