package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.handler.JobContext;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** Case 141, small: nothing of one job is seen by the next on the same thread, and nothing is left of any. */
public class IsolationTest extends EngineSuite {

    private final ExecutorService one = Executors.newSingleThreadExecutor();

    @AfterEach
    void endPool() {
        one.shutdownNow();
    }

    @Test
    void case141_noContextOfOneJobIsSeenInTheNext() {
        var seen = new CopyOnWriteArrayList<String>();
        var contexts = ConcurrentHashMap.<JobContext>newKeySet();
        var threads = ConcurrentHashMap.<Thread>newKeySet();
        start(define().executor(one).queue(QUEUE, 1).handle(WORK, effects.count((payload, context) -> {
            threads.add(Thread.currentThread());
            if (Thread.currentThread().isInterrupted()) {
                seen.add("an interrupt before " + payload);
            }
            if (MDC.get("job") != null) {
                seen.add("the MDC of " + MDC.get("job") + " before " + payload);
            }
            if (!contexts.add(context)) {
                seen.add("a context twice");
            }
            if (context.progress() != null || context.leaseLost() || context.stopRequested()) {
                seen.add("another's state");
            }
            MDC.put("job", payload);
            context.progress(payload);
            context.result(payload);
            Thread.currentThread().interrupt();
            if (payload.endsWith("3")) {
                throw context.bury("hopeless");
            }
        })));
        var ids = enqueueMany(100);
        awaitAllFinal(ids);
        assertThat(seen).isEmpty();
        assertThat(threads).hasSize(1);
        assertThat(ids)
                .allSatisfy(id -> assertThat(job(id).progress())
                        .isEqualTo(effects.of(id).get(0).payload()));
    }

    @Test
    void case141_theMdcOfTheExecutorsThreadIsLeftAsItWas() throws Exception {
        one.submit(() -> MDC.put("application", "shop")).get();
        var seen = new CopyOnWriteArrayList<String>();
        start(define().executor(one).queue(QUEUE, 1).handle(WORK, effects.count((payload, context) -> {
            seen.add(MDC.get("application"));
            MDC.clear();
            MDC.put("job", payload);
        })));
        awaitAll(enqueueMany(10), JobState.SUCCEEDED);
        assertThat(seen).hasSize(10).containsOnly("shop");
        assertThat(one.submit(() -> String.valueOf(MDC.getCopyOfContextMap())).get())
                .isEqualTo("{application=shop}");
    }

    @Test
    void case141_handlersThatEnqueueIntoTheirOwnQueueLeaveNothingBehind() {
        keepNothing();
        var worker = serve(4, (payload, context) -> {
            var left = Integer.parseInt(payload);
            if (left > 0) {
                belay.enqueue(WORK.with(String.valueOf(left - 1)));
                context.followUp(WORK.with("0"));
            }
        });
        var first = new ArrayList<JobId>();
        for (var i = 0; i < 20; i++) {
            first.add(enqueue("30"));
        }
        eventually(() -> assertThat(effects.starts()).isEqualTo(20 * 31 + 20 * 30));
        eventually(
                () -> assertThat(admin.count(dev.belay.broker.JobQuery.ALL, 10)).isZero());
        eventually(() -> {
            assertThat(worker.health().running()).isZero();
            assertThat(worker.health().settling()).isZero();
            assertThat(worker.health().prefetched()).isZero();
        });
        assertThat(first).allSatisfy(id -> assertThat(effects.of(id)).hasSize(1));
    }

    @Test
    void case141_aWorkerThatHasStoppedLeavesNoThread() {
        for (var round = 0; round < 5; round++) {
            var worker = start(define().queue(QUEUE, 4)
                    .queue(OTHER_QUEUE, 4)
                    .handle(WORK, effects.count((payload, context) -> {})));
            awaitAll(enqueueMany(20), JobState.SUCCEEDED);
            worker.close();
        }
        eventually(() -> assertThat(engineThreads()).isEmpty());
    }

    private static Set<String> engineThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> List.of(
                                "belay-lease",
                                "belay-settle",
                                "belay-heartbeat",
                                "belay-reaper",
                                "belay-timeouts",
                                "belay-handler")
                        .stream()
                        .anyMatch(name::startsWith))
                .collect(Collectors.toSet());
    }
}
