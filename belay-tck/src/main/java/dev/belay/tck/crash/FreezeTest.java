package dev.belay.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Processes are frozen with SIGSTOP, lose their leases, and wake up. */
public class FreezeTest extends CrashSuite {

    /**
     * Freezes processes between two of their writes. Where a store has one writer at a time, a process that is frozen in
     * the middle of one holds up all others until it goes on: nobody can lose a lease meanwhile, nor take one.
     */
    private void freeze(List<Child> children) {
        while (true) {
            children.forEach(child -> child.signal("STOP"));
            var write = CompletableFuture.runAsync(() -> admin.resume("probe", ANN));
            try {
                write.get(1, TimeUnit.SECONDS);
                return;
            } catch (TimeoutException | ExecutionException e) {
                children.forEach(child -> child.signal("CONT"));
                write.exceptionally(failure -> null).join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static final List<String> SAYS = List.of("succeed", "fail", "snooze", "bury", "progress");

    @Test
    void G3_case17_whatAFrozenWorkerSaysWhenItWakesChangesNothing() {
        // One hears of its loss before its handlers end, the other's handlers end first.
        var hears = process("hears:5");
        var speaks = process("speaks:5");
        var frozen = List.of(hears, speaks);
        var ids = new ArrayList<JobId>();
        for (var queue : List.of("hears", "speaks")) {
            SAYS.forEach(what -> ids.add(enqueue(USUAL.with("then:" + what).queue(queue))));
        }
        frozen.forEach(child -> child.await("started", SAYS.size()));
        freeze(frozen);
        heir("hears", "speaks");
        awaitAll(ids, JobState.SUCCEEDED);
        var before = ids.stream().map(this::job).toList();

        hears.signal("CONT");
        hears.await("lost", SAYS.size()).await("interrupted", SAYS.size()).go();
        speaks.go();
        speaks.signal("CONT");
        eventually(() -> assertThat(frozen)
                .allSatisfy(child -> assertThat(child.told("event"))
                        .filteredOn(event -> event.startsWith("LeaseLost"))
                        .hasSize(SAYS.size())));
        assertThat(ids.stream().map(this::job).toList()).isEqualTo(before);
        assertThat(ids).allSatisfy(id -> {
            var detail = admin.find(null, id).orElseThrow();
            assertThat(detail.job().counts().crashes()).isEqualTo(1);
            assertThat(detail.job().counts().failures()).isZero();
            assertThat(detail.job().progress()).isNull();
            assertThat(detail.result()).isNull();
            assertThat(detail.history()).extracting(HistoryEntry::kind).containsExactly(HistoryEntry.Kind.CRASHED);
            assertThat(log.starts(id)).hasSize(2);
        });
        assertThat(events(Event.DEAD) + events(Event.FAILED)).isZero();
        // They have registered anew, beside the heir's two sessions.
        eventually(() -> assertThat(admin.sessions())
                .filteredOn(session -> !session.ended())
                .hasSize(4));
    }

    @Test
    void case17_aWorkerThatIsFrozenForLessThanItsLeaseLosesNothing() {
        var child = process(QUEUE + ":5");
        child.awaitReady();
        var id = enqueue(USUAL.with("hold"));
        child.await("started", 1);
        heir(OTHER_QUEUE);
        for (var round = 0; round < 3; round++) {
            child.signal("STOP");
            var beats = child.told("lost");
            steadily(HEARTBEAT, () -> assertThat(beats).isEmpty());
            child.signal("CONT");
        }
        child.go();
        awaitState(id, JobState.SUCCEEDED);
        assertThat(job(id).counts().crashes()).isZero();
        assertThat(log.starts(id)).hasSize(1);
    }
}
