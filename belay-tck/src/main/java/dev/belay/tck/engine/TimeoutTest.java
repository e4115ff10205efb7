package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.Worker;
import dev.belay.event.JobEvent;
import dev.belay.job.DeadReason;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Handlers that run for longer than they may. */
public class TimeoutTest extends EngineSuite {

    private static final JobType<String> QUICK =
            type(b -> b.timeout(Duration.ofMillis(50)).maxAttempts(1));

    private Worker serveQuick(int slots, dev.belay.handler.JobHandler<String> handler) {
        return start(define().queue(QUEUE, slots).handle(QUICK, effects.count(handler)));
    }

    @Test
    void aHandlerPastItsTimeoutIsInterruptedAndHasFailed() {
        var gate = hold();
        serveQuick(1, (payload, context) -> gate.passOrBeInterrupted());
        var id = enqueue(QUICK.with("p"));
        awaitState(id, JobState.DEAD);

        assertThat(gate.interrupted()).isEqualTo(1);
        assertThat(job(id).reason()).isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED.name());
        assertThat(job(id).lastError()).isNotNull().satisfies(error -> {
            assertThat(error.errorClass()).isEqualTo("TIMEOUT");
            assertThat(error.message()).contains("PT0.05S");
        });
    }

    @Test
    void whateverItReturnsAfterItsTimeoutIsATimeout() {
        var gate = hold();
        serveQuick(1, (payload, context) -> {
            try {
                gate.passOrBeInterrupted();
            } catch (InterruptedException e) {
                context.result("done after all");
            }
        });
        var id = enqueue(QUICK.with("p"));
        awaitState(id, JobState.DEAD);
        assertThat(job(id).lastError()).isNotNull().extracting("errorClass").isEqualTo("TIMEOUT");
        assertThat(job(id).counts().failures()).isEqualTo(1);
    }

    @Test
    void aTimeoutIsAFailureLikeOthersAndTriedAgain() {
        var type = type(b -> b.timeout(Duration.ofMillis(50)).maxAttempts(3));
        var gate = hold();
        start(define().queue(QUEUE, 1).handle(type, effects.count((payload, context) -> {
            if (context.attempt() < 3) {
                gate.passOrBeInterrupted();
            }
        })));
        var id = enqueue(type.with("p"));
        awaitState(id, JobState.SUCCEEDED);
        assertThat(job(id).counts().failures()).isEqualTo(2);
        assertThat(told.of(id, JobEvent.Failed.class))
                .hasSize(2)
                .allSatisfy(failed -> assertThat(failed.error().errorClass()).isEqualTo("TIMEOUT"));
    }

    @Test
    void aHandlerThatIgnoresItsInterruptIsSettledAndHoldsItsSlot() {
        expectLog("ignores the interrupt of its timeout");
        var gate = hold();
        var worker = serveQuick(1, (payload, context) -> {
            if (payload.equals("stubborn")) {
                gate.pass();
            }
        });
        var id = enqueue(QUICK.with("stubborn"));
        gate.awaitInterrupted(1);
        var interrupted = System.nanoTime();
        awaitState(id, JobState.DEAD);
        assertThat(Duration.ofNanos(System.nanoTime() - interrupted))
                .as("settled 2 s after the interrupt")
                .isBetween(Duration.ofMillis(1_500), Duration.ofSeconds(20));
        assertThat(job(id).lastError()).isNotNull().extracting("errorClass").isEqualTo("TIMEOUT");

        // Its thread has not returned: the only slot stays taken, and the worker says that it is not well.
        var next = enqueue(QUICK.with("next"));
        eventually(() -> assertThat(worker.health().problems())
                .anySatisfy(problem -> assertThat(problem).contains("1 slots", QUEUE, "ignore their interrupt")));
        assertThat(worker.health().isHealthy()).isFalse();
        assertThat(worker.health().running()).isEqualTo(1);
        assertThat(job(next).state()).isEqualTo(JobState.READY);
        assertThat(effects.starts()).isEqualTo(1);

        gate.open();
        awaitState(next, JobState.SUCCEEDED);
        eventually(() -> assertThat(worker.health().isHealthy()).isTrue());
        // What the stubborn one said at last changed nothing.
        assertThat(job(id).state()).isEqualTo(JobState.DEAD);
        assertThat(job(id).counts().failures()).isEqualTo(1);
        assertThat(told.of(id, JobEvent.Died.class)).hasSize(1);
    }

    @Test
    void aHandlerThatEndsInTimeIsNotInterruptedLater() {
        var leaked = new CopyOnWriteArrayList<String>();
        var gate = hold();
        var type = type(b -> b.timeout(Duration.ofMillis(150)));
        start(define().queue(QUEUE, 1)
                .handle(type, (payload, context) -> {})
                .handle(JobType.define("slow", String.class).queue(QUEUE).build(), (payload, context) -> {
                    try {
                        gate.passOrBeInterrupted();
                    } catch (InterruptedException e) {
                        leaked.add(payload);
                    }
                }));
        awaitAll(enqueueMany(type, 20), JobState.SUCCEEDED);
        var slow = enqueue(
                JobType.define("slow", String.class).queue(QUEUE).build().with("p"));
        gate.awaitArrived(1);
        steadily(Duration.ofMillis(300), () -> assertThat(leaked).isEmpty());
        gate.open();
        awaitState(slow, JobState.SUCCEEDED);
        assertThat(leaked).isEmpty();
    }
}
