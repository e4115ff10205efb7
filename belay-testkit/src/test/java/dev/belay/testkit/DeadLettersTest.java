package dev.belay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.Belay;
import dev.belay.DeadLetters;
import dev.belay.broker.JobQuery;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.Settlement;
import dev.belay.broker.Verdict;
import dev.belay.failure.ErrorDescriber;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.job.Outcome;
import dev.belay.job.SessionId;
import dev.belay.memory.MemoryBroker;
import dev.belay.operation.MassOperation;
import dev.belay.operation.MassOperations;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DeadLettersTest {

    private static final JobType<String> MAIL = JobType.of("mail", String.class);
    private static final By ANN = By.of("ann", "checked");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemoryBroker broker = MemoryBroker.builder().clock(now::get).build();
    private final Belay belay = Belay.on(broker);
    private final DeadLetters dead = belay.deadLetters();
    private final ErrorDescriber describer = new ErrorDescriber();

    @Test
    void theyAreListedCountedGroupedAndShown() {
        var ids = died("mail", 5, new IOException("server 1 is down"));
        died("sms", 2, new IllegalStateException("no credit"));
        belay.enqueue(MAIL, "alive");

        assertThat(dead.count(JobQuery.ALL)).isEqualTo(7);
        assertThat(dead.count(JobQuery.ALL.inQueue("mail"))).isEqualTo(5);
        assertThat(dead.count(JobQuery.ALL.withErrorClass("java.lang.IllegalStateException")))
                .isEqualTo(2);
        var page = dead.list(JobQuery.ALL.inState(JobState.READY), null, 4);
        assertThat(page.jobs()).hasSize(4).allMatch(job -> job.state() == JobState.DEAD);
        assertThat(dead.list(JobQuery.ALL, page.next(), 4).jobs()).hasSize(3);
        assertThat(dead.groups(null, 10))
                .extracting(group -> group.queue() + " " + group.errorClass() + " " + group.count())
                .containsExactly("mail java.io.IOException 5", "sms java.lang.IllegalStateException 2");
        assertThat(dead.show("mail", ids.get(0))).isPresent();
        assertThat(dead.show(null, belay.enqueue(MAIL, "alive").id())).isEmpty();
    }

    @Test
    void oneIsReplayedOrDiscarded() {
        var ids = died("mail", 2, new IOException("x"));

        assertThat(dead.replay(ids.get(0), ANN)).isEqualTo(new Verdict.Applied(JobState.READY, null));
        assertThat(dead.replay(ids.get(0), ANN)).isEqualTo(new Verdict.WrongState(JobState.READY));
        assertThat(dead.discard(ids.get(0), ANN)).isEqualTo(new Verdict.WrongState(JobState.READY));
        assertThat(dead.discard(ids.get(1), ANN).isApplied()).isTrue();
        assertThat(dead.discard(ids.get(1), ANN)).isEqualTo(Verdict.MISSING);
        assertThat(dead.replay(JobId.next(), ANN)).isEqualTo(Verdict.MISSING);
        assertThat(broker.admin().audit(null, null, 10).entries())
                .extracting(entry -> entry.action() + " by " + entry.by().who() + ", "
                        + entry.by().why())
                .containsExactly("discard by ann, checked", "replay by ann, checked");
    }

    @Test
    void allThatMatchAreReplayedOrDiscardedByAnOperation() {
        died("mail", 150, new IOException("x"));
        died("sms", 30, new IOException("x"));
        tick(1);
        var replay = dead.replayAll(JobQuery.ALL.inQueue("mail"), null, ANN);
        var discard = dead.discardAll(JobQuery.ALL.inQueue("sms").inState(JobState.READY), null, ANN);
        tick(1);

        while (dead.operations().stream().anyMatch(o -> o.state() == MassOperation.State.RUNNING)) {
            new MassOperations(broker).step();
        }

        assertThat(dead.operation(replay.id()).orElseThrow().done()).isEqualTo(150);
        assertThat(dead.operation(discard.id()).orElseThrow().done()).isEqualTo(30);
        assertThat(dead.count(JobQuery.ALL)).isZero();
        assertThat(broker.admin().count(JobQuery.ALL, 1_000)).isEqualTo(150);
        assertThat(dead.stop(replay.id(), ANN).orElseThrow().state()).isEqualTo(MassOperation.State.DONE);
    }

    private List<JobId> died(String queue, int count, Throwable error) {
        var ids = new ArrayList<JobId>();
        for (var i = 0; i < count; i++) {
            ids.add(belay.enqueue(MAIL.with("m" + i).queue(queue)).id());
        }
        var session = SessionId.next();
        broker.register(new SessionSpec(session, queue, "w", "1", count, Duration.ofSeconds(30), Map.of("mail", 1)));
        var leases = broker.lease(LeaseRequest.of(session, 1, count)).leases();
        assertThat(leases).hasSize(count);
        broker.settle(
                queue,
                leases.stream()
                        .map(lease -> new Settlement(
                                lease.id(),
                                new Outcome.Bury(DeadReason.NOT_RETRYABLE, describer.describe("mail", error)),
                                null))
                        .toList());
        broker.endSessions(List.of(session));
        return ids;
    }

    private void tick(long millis) {
        now.updateAndGet(instant -> instant.plusMillis(millis));
    }
}
