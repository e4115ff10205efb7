package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.Verdict;
import dev.belay.event.JobEvent;
import dev.belay.job.By;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs are cancelled while they run, at the moment of their success, and while they wait. */
public class CancelTest extends EngineSuite {

    private static final By ANN_SAYS = By.of("ann", "wrong customer");

    @ParameterizedTest
    @ValueSource(strings = {"honours", "ignores", "throws"})
    void case41_aCancelledJobStaysCancelledWhateverItsHandlerDoes(String how) {
        var gate = hold();
        var lost = new CopyOnWriteArrayList<Boolean>();
        var worker = serve(1, (payload, context) -> {
            if (payload.equals("next")) {
                return;
            }
            switch (how) {
                case "honours" -> gate.passOrBeInterrupted();
                case "ignores" -> gate.pass();
                default -> {
                    gate.pass();
                    lost.add(context.leaseLost());
                    throw new IllegalStateException("boom");
                }
            }
            lost.add(context.leaseLost());
        });
        var id = enqueue("p");
        gate.awaitArrived(1);
        applied(admin.cancel(QUEUE, id, ANN_SAYS));
        assertThat(job(id).state()).isEqualTo(JobState.CANCELLED);
        gate.awaitInterrupted(1);
        gate.open();
        awaitState(enqueue("next"), JobState.SUCCEEDED);

        if (!how.equals("honours")) {
            assertThat(lost).containsExactly(true);
        }
        var detail = admin.find(QUEUE, id).orElseThrow();
        assertThat(detail.job().state()).isEqualTo(JobState.CANCELLED);
        assertThat(detail.job().reason()).isEqualTo("wrong customer");
        assertThat(detail.job().counts().failures()).isZero();
        assertThat(detail.history()).extracting(HistoryEntry::kind).containsExactly(HistoryEntry.Kind.CANCELLED);
        assertThat(effects.of(id)).hasSize(1);
        assertThat(told.kinds(id)).containsExactlyInAnyOrder("Started", "LeaseLost");
        assertThat(worker.health().problems()).isEmpty();
    }

    @Test
    void case41_aCancelAtTheMomentOfSuccessHasOneEnd() {
        expectLog("was lost before its outcome");
        var tries = 1_000;
        var begun = new AtomicInteger();
        serve(8, (payload, context) -> begun.incrementAndGet());
        var cancelled = 0;
        var ids = new ArrayList<JobId>();
        for (var i = 0; i < tries; i++) {
            var id = enqueue("p");
            ids.add(id);
            if (i % 3 == 0) {
                effects.awaitStarts(id, 1);
            }
            var verdict = admin.cancel(QUEUE, id, ANN_SAYS);
            if (verdict.isApplied()) {
                cancelled++;
                assertThat(job(id).state()).isEqualTo(JobState.CANCELLED);
            } else {
                assertThat(verdict).isEqualTo(new Verdict.WrongState(JobState.SUCCEEDED));
            }
        }
        awaitAllFinal(ids);
        assertThat(events(Event.CANCELLED_RUNNING) + events(Event.CANCELLED_WAITING))
                .isEqualTo(cancelled);
        assertThat(events(Event.SUCCEEDED)).isEqualTo(tries - cancelled);
        assertThat(ids).allSatisfy(id -> assertThat(effects.of(id)).hasSizeLessThanOrEqualTo(1));
        assertThat(cancelled).isBetween(1, tries - 1);
    }

    @Test
    void case41_aJobThatWaitsForItsRetryIsCancelled() {
        serve(1, (payload, context) -> {
            throw context.retryAfter(Duration.ofHours(1), "later");
        });
        var id = enqueue("p");
        awaitState(id, JobState.SCHEDULED);
        applied(admin.cancel(QUEUE, id, ANN_SAYS));
        advance(Duration.ofHours(2));
        steadily(Duration.ofMillis(300), () -> assertThat(effects.starts()).isEqualTo(1));
        assertThat(job(id).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void case41_aHandlerIsToldOfACancelThatCameBeforeItBegan() {
        // The lease is executed and its answer on its way while the job is cancelled and the worker told so.
        var gate = hold();
        serve(1, (payload, context) -> gate.passOrBeInterrupted());
        var calls = wire.hold("lease");
        calls.awaitArrived(1);
        var id = enqueue("p");
        var replies = wire.holdReplies("lease");
        calls.open();
        replies.awaitArrived(1);
        assertThat(job(id).state()).isEqualTo(JobState.RUNNING);
        var beats = wire.calls("heartbeat");
        applied(admin.cancel(QUEUE, id, ANN_SAYS));
        eventually(() -> assertThat(wire.calls("heartbeat")).isGreaterThan(beats + 2));
        wire.release();
        eventually(() -> assertThat(told.of(id, JobEvent.LeaseLost.class)).hasSize(1));
        eventually(() -> assertThat(effects.running()).isZero());
        assertThat(job(id).state()).isEqualTo(JobState.CANCELLED);
    }
}
