package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.event.JobEvent;
import dev.belay.job.Backoff;
import dev.belay.job.DeadReason;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What a handler can say, and what becomes of its job. */
public class OutcomeTest extends EngineSuite {

    @Test
    void aNormalReturnCompletes() {
        serve(2, (payload, context) -> {});
        var id = enqueue("p");
        awaitState(id, JobState.SUCCEEDED);
        assertThat(effects.of(id)).singleElement().satisfies(run -> {
            assertThat(run.attempt()).isEqualTo(1);
            assertThat(run.delivery()).isEqualTo(1);
            assertThat(run.payload()).isEqualTo("p");
        });
        eventually(() -> assertThat(told.kinds(id)).containsExactlyInAnyOrder("Started", "Succeeded"));
    }

    @Test
    void G5_aFailureIsTriedAgainUntilAttemptsAreExhausted() {
        var type = type(b -> b.maxAttempts(3));
        start(define().queue(QUEUE, 2).handle(type, effects.count((payload, context) -> {
            throw new IllegalStateException("attempt " + context.attempt());
        })));
        var id = enqueue(type.with("p"));
        awaitState(id, JobState.DEAD);

        assertThat(effects.of(id)).extracting(Effects.Run::attempt).containsExactly(1, 2, 3);
        effects.assertNoOverlap();
        var job = job(id);
        assertThat(job.reason()).isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED.name());
        assertThat(job.counts().failures()).isEqualTo(3);
        assertThat(job.lastError()).isNotNull().satisfies(error -> {
            assertThat(error.errorClass()).isEqualTo(IllegalStateException.class.getName());
            assertThat(error.message()).isEqualTo("attempt 3");
        });
        assertThat(admin.find(QUEUE, id).orElseThrow().history())
                .filteredOn(entry -> entry.kind() == HistoryEntry.Kind.FAILED)
                .hasSize(3);
        eventually(() -> assertThat(told.kinds(id))
                .containsExactlyInAnyOrder("Started", "Failed", "Started", "Failed", "Started", "Died"));
    }

    @Test
    void aFailureThatSucceedsLater() {
        serve(2, (payload, context) -> {
            if (context.attempt() < 3) {
                throw new IllegalStateException("not yet");
            }
        });
        var id = enqueue("p");
        awaitState(id, JobState.SUCCEEDED);
        assertThat(job(id).counts().failures()).isEqualTo(2);
        assertThat(effects.of(id)).hasSize(3);
    }

    @Test
    void aFailureWaitsByTheBackoff() {
        var type = type(b -> b.retry(RetryPolicy.with(Backoff.fixed(Duration.ofHours(1)))));
        start(define().queue(QUEUE, 2).handle(type, effects.count((payload, context) -> {
            if (context.attempt() == 1) {
                throw new IllegalStateException("boom");
            }
        })));
        var id = enqueue(type.with("p"));
        awaitState(id, JobState.SCHEDULED);
        assertThat(job(id).times().runAt() - now()).isBetween(3_590_000L, 3_600_000L);
        advance(Duration.ofMinutes(61));
        awaitState(id, JobState.SUCCEEDED);
    }

    @Test
    void aSnoozeCostsNothing() {
        serve(2, (payload, context) -> {
            if (context.delivery() < 3) {
                throw context.snooze(Duration.ofMillis(20));
            }
        });
        var id = enqueue("p");
        awaitState(id, JobState.SUCCEEDED);
        assertThat(job(id).counts().failures()).isZero();
        assertThat(job(id).counts().snoozes()).isEqualTo(2);
        assertThat(effects.of(id)).extracting(Effects.Run::attempt).containsExactly(1, 1, 1);
        eventually(() -> assertThat(told.kinds(id))
                .containsExactlyInAnyOrder("Started", "Snoozed", "Started", "Snoozed", "Started", "Succeeded"));
    }

    @Test
    void retryAfterWaitsAtLeastWhatWasAskedForAndIsAFailure() {
        serve(2, (payload, context) -> {
            if (context.attempt() == 1) {
                throw context.retryAfter(Duration.ofMinutes(10), "429");
            }
        });
        var id = enqueue("p");
        awaitState(id, JobState.SCHEDULED);
        var job = job(id);
        assertThat(job.counts().failures()).isEqualTo(1);
        assertThat(job.counts().stepsTaken())
                .as("an explicit wait leaves the backoff where it is")
                .isZero();
        assertThat(job.times().runAt() - now()).isBetween(595_000L, 660_000L);
        advance(Duration.ofMinutes(12));
        awaitState(id, JobState.SUCCEEDED);
    }

    @Test
    void aHandlerCanBury() {
        serve(2, (payload, context) -> {
            throw context.bury("no such customer");
        });
        var id = enqueue("p");
        awaitState(id, JobState.DEAD);
        assertThat(job(id).reason()).isEqualTo(DeadReason.BY_HANDLER.name());
        assertThat(job(id).lastError()).isNotNull().extracting("message").isEqualTo("no such customer");
        assertThat(effects.of(id)).hasSize(1);
        eventually(() -> assertThat(told.of(id, JobEvent.Died.class))
                .singleElement()
                .satisfies(died -> assertThat(died.reason()).isEqualTo(DeadReason.BY_HANDLER)));
    }

    @Test
    void aResultIsKeptWithTheJob() {
        serve(2, (payload, context) -> {
            context.result("first thought");
            context.result("42");
        });
        var id = enqueue("p");
        awaitState(id, JobState.SUCCEEDED);
        assertThat(admin.find(QUEUE, id).orElseThrow().result())
                .isEqualTo("42".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void aResultOfADeliveryThatFailedIsNotKept() {
        serve(2, (payload, context) -> {
            if (context.attempt() == 1) {
                context.result("wrong");
                throw new IllegalStateException("boom");
            }
        });
        var id = enqueue("p");
        awaitState(id, JobState.SUCCEEDED);
        assertThat(admin.find(QUEUE, id).orElseThrow().result()).isNull();
    }

    @Test
    void aResultThatIsTooLargeIsAFailureWithAText() {
        var type = type(b -> b.maxAttempts(1));
        start(define().queue(QUEUE, 1).handle(type, (payload, context) -> context.result("x".repeat(65 * 1024))));
        var id = enqueue(type.with("p"));
        awaitState(id, JobState.DEAD);
        assertThat(job(id).lastError())
                .isNotNull()
                .extracting("message")
                .asString()
                .contains("result", "65536", "66560");
    }

    @Test
    void progressIsReadByTheNextDelivery() {
        var read = new CopyOnWriteArrayList<String>();
        serve(2, (payload, context) -> {
            read.add(String.valueOf(context.progress()));
            context.progress("step " + context.attempt());
            assertThat(context.progress()).isEqualTo("step " + context.attempt());
            if (context.attempt() < 3) {
                throw new IllegalStateException("boom");
            }
        });
        var id = enqueue("p");
        awaitState(id, JobState.SUCCEEDED);
        assertThat(read).containsExactly("null", "step 1", "step 2");
        assertThat(job(id).progress()).isEqualTo("step 3");
    }

    @Test
    void progressTravelsWithTheHeartbeat() {
        var gate = hold();
        serve(2, (payload, context) -> {
            context.progress("half way");
            gate.pass();
        });
        var id = enqueue("p");
        eventually(() -> assertThat(job(id).progress()).isEqualTo("half way"));
        assertThat(job(id).state()).isEqualTo(JobState.RUNNING);
        gate.open();
        awaitState(id, JobState.SUCCEEDED);
        assertThat(job(id).progress()).isEqualTo("half way");
    }

    @Test
    void followUpsAreStoredWithTheSuccessInWhateverQueueTheyName() {
        var children = new CopyOnWriteArrayList<JobId>();
        var child = type(b -> b.queue(OTHER_QUEUE));
        start(define().queue(QUEUE, 2).queue(OTHER_QUEUE, 2).handle(WORK, effects.count((payload, context) -> {
            if (payload.equals("parent")) {
                children.add(context.followUp(WORK.with("same queue")));
                children.add(context.followUp(child.with("other queue")));
            }
        })));
        var id = enqueue("parent");
        awaitState(id, JobState.SUCCEEDED);
        assertThat(children).hasSize(2);
        awaitAll(children, JobState.SUCCEEDED);
        assertThat(children)
                .allSatisfy(kid -> assertThat(job(kid).links().parent()).isEqualTo(id));
        assertThat(job(children.get(1)).queue()).isEqualTo(OTHER_QUEUE);
        effects.assertOnce(children);
    }

    @Test
    void followUpsOfADeliveryThatFailedAreNotStored() {
        var children = new CopyOnWriteArrayList<JobId>();
        serve(2, (payload, context) -> {
            if (payload.equals("parent")) {
                children.add(context.followUp(WORK.with("child")));
                if (context.attempt() < 3) {
                    throw new IllegalStateException("boom");
                }
            }
        });
        awaitState(enqueue("parent"), JobState.SUCCEEDED);
        awaitState(children.get(2), JobState.SUCCEEDED);
        assertThat(children).hasSize(3);
        assertThat(admin.find(null, children.get(0))).isEmpty();
        assertThat(admin.find(null, children.get(1))).isEmpty();
    }

    @Test
    void whatIsSaidAfterTheHandlerReturnedIsIgnored() {
        var contexts = new CopyOnWriteArrayList<dev.belay.handler.JobContext>();
        var settle = wire.hold("settle");
        serve(2, (payload, context) -> contexts.add(context));
        var id = enqueue("p");
        settle.awaitArrived(1);
        contexts.get(0).result("late");
        var child = contexts.get(0).followUp(WORK.with("late"));
        wire.release();
        awaitState(id, JobState.SUCCEEDED);
        assertThat(admin.find(QUEUE, id).orElseThrow().result()).isNull();
        assertThat(admin.find(null, child)).isEmpty();
    }

    @Test
    void aSucceededJobIsRemovedAtOnceWhereNothingIsKept() {
        keepNothing();
        serve(4, (payload, context) -> {});
        var ids = enqueueMany(50);
        eventually(() -> assertThat(ids)
                .allSatisfy(id -> assertThat(admin.find(null, id)).isEmpty()));
        effects.assertOnce(ids);
        eventually(() -> assertThat(told.all(JobEvent.Succeeded.class)).hasSize(50));
    }

    @Test
    void handlerInterceptorsStandAroundInTheirOrder() {
        var seen = new CopyOnWriteArrayList<String>();
        start(define().queue(QUEUE, 1)
                .intercept((context, next) -> {
                    seen.add("outer in");
                    try {
                        next.proceed();
                    } catch (IllegalStateException e) {
                        seen.add("outer caught");
                        throw context.bury("the interceptor's word: " + e.getMessage());
                    }
                })
                .intercept((context, next) -> {
                    seen.add("inner in");
                    next.proceed();
                    seen.add("inner out");
                })
                .handle(WORK, (payload, context) -> {
                    seen.add("handler");
                    if (payload.equals("bad")) {
                        throw new IllegalStateException("boom");
                    }
                }));
        awaitState(enqueue("good"), JobState.SUCCEEDED);
        assertThat(seen).containsExactly("outer in", "inner in", "handler", "inner out");
        seen.clear();
        var bad = enqueue("bad");
        awaitState(bad, JobState.DEAD);
        assertThat(seen).containsExactly("outer in", "inner in", "handler", "outer caught");
        assertThat(job(bad).lastError()).isNotNull().extracting("message").isEqualTo("the interceptor's word: boom");
    }

    @Test
    void aListenerThatThrowsHarmsNobody() {
        expectLog("Listener");
        start(define().listen(event -> {
                    throw new IllegalStateException("a bad listener");
                })
                .listen(event -> {
                    throw new StackOverflowError();
                })
                .queue(QUEUE, 2)
                .handle(WORK, effects.count((payload, context) -> {})));
        var ids = enqueueMany(20);
        awaitAll(ids, JobState.SUCCEEDED);
        effects.assertOnce(ids);
        assertThat(told.all(JobEvent.Started.class)).hasSize(20);
        assertThat(List.copyOf(told.all())).isNotEmpty();
    }
}
