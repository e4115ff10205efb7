package dev.belay.tck.crash;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.JobEdit;
import dev.belay.broker.JobQuery;
import dev.belay.event.JobEvent;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Processes are killed with SIGKILL. */
public class KillTest extends CrashSuite {

    private static final int EACH = 4;

    @Test
    void G2_G4_case28_case55_case56_aWorkerIsKilledAtEveryStepOfAJobsWay() {
        // At each step one process is held, in a queue of its own, and killed there.
        var steps = List.of("leased", "started", "settling", "settled");
        var ids = new LinkedHashMap<String, List<JobId>>();
        var children = new ArrayList<Child>();
        for (var step : steps) {
            var mine = new ArrayList<JobId>();
            for (var i = 0; i < EACH; i++) {
                mine.add(enqueue((i % 2 == 0 ? USUAL : ONE_ATTEMPT).with("ok").queue(step)));
            }
            ids.put(step, mine);
            children.add(process(step + ":" + EACH, "hold=" + step));
        }
        for (var i = 0; i < steps.size(); i++) {
            children.get(i).await(steps.get(i), steps.get(i).equals("started") ? EACH : 1);
            if (steps.get(i).equals("settling")) {
                // The first outcome is held; the handlers of the others may still be on their way.
                children.get(i).await("started", EACH);
            }
        }
        eventually(() -> assertThat(states(all(ids)).keySet()).doesNotContain(JobState.READY));
        children.forEach(Child::kill);
        var settledBefore = states(requireNonNull(ids.get("settled")));
        heir(steps.toArray(String[]::new));
        awaitAll(all(ids), JobState.SUCCEEDED);

        var starts = starts();
        ids.forEach((step, jobs) -> jobs.forEach(id -> {
            var job = job(id);
            assertThat(job.counts().failures())
                    .as("a lost worker is no failure: %s", step)
                    .isZero();
            var once = requireNonNull(starts.get(id)) == 1;
            switch (step) {
                case "leased" ->
                    assertThat(once).as("never started by the killed one").isTrue();
                case "started", "settling" ->
                    assertThat(starts.get(id)).as(step).isEqualTo(2);
                default ->
                    assertThat(once)
                            .as("settled, or taken back")
                            .isEqualTo(job.counts().crashes() == 0);
            }
            if (!step.equals("settled")) {
                assertThat(job.counts().crashes()).as(step).isEqualTo(1);
                assertThat(admin.find(null, id).orElseThrow().history())
                        .extracting(HistoryEntry::kind)
                        .containsExactly(HistoryEntry.Kind.CRASHED);
            }
        }));
        assertThat(settledBefore).containsKey(JobState.SUCCEEDED);
        assertThat(events(Event.DEAD)).isZero();
    }

    private static List<JobId> all(LinkedHashMap<String, List<JobId>> ids) {
        return ids.values().stream().flatMap(List::stream).toList();
    }

    @Test
    void G1_G2_case1_manyKillsInARowUnderLoad() {
        var kills = Integer.getInteger("belay.tck.crash.kills", NIGHTLY ? 60 : 5);
        var jobs = Integer.getInteger("belay.tck.crash.jobs", NIGHTLY ? 10_000 : 600);
        var random = new Random(42);
        var children = new ArrayList<Child>();
        for (var i = 0; i < 3; i++) {
            children.add(process(QUEUE + ":4"));
        }
        children.forEach(Child::awaitReady);
        var ids = new ArrayList<JobId>();
        for (var kill = 0; kill < kills; kill++) {
            var before = log.lines().size();
            for (var i = 0; i < jobs / kills; i++) {
                ids.add(enqueue(MANY.with("work:" + random.nextInt(40))));
            }
            eventually(() -> assertThat(log.lines()).hasSizeGreaterThan(before + 20));
            var victim = random.nextInt(children.size());
            children.get(victim).kill();
            children.set(victim, process(QUEUE + ":4"));
        }
        awaitAll(ids, JobState.SUCCEEDED);
        assertAllRan(ids);
        assertThat(events(Event.SUCCEEDED)).isEqualTo(ids.size());
        assertThat(events(Event.FAILED)).isZero();
        assertThat(starts().values()).as("no more runs than leases").allMatch(count -> count <= kills + 1L);
        assertOneAtATime();
    }

    /** Runs of a job never overlap while no process is frozen: the next begins after its predecessor ended or was killed. */
    private void assertOneAtATime() {
        var tokens = new LinkedHashMap<JobId, Long>();
        for (var line : log.lines()) {
            if (line.isStart()) {
                var before = tokens.put(line.job(), line.token());
                assertThat(before == null || before < line.token())
                        .as("tokens grow: %s", line)
                        .isTrue();
            } else {
                assertThat(tokens.get(line.job()))
                        .as("ended after a newer one began: %s", line)
                        .isEqualTo(line.token());
            }
        }
    }

    @Test
    void G5_case7_jobsThatKillTheirProcessAreBuriedAndNoInnocentIs() {
        var killers = new ArrayList<JobId>();
        var innocents = new ArrayList<JobId>();
        for (var i = 0; i < 2; i++) {
            for (var k = 0; k < 6; k++) {
                innocents.add(enqueue(TWO_CRASHES.with("work:30")));
            }
            killers.add(enqueue(TWO_CRASHES.with("halt")));
        }
        var children = new ArrayList<Child>();
        var all = new ArrayList<>(killers);
        all.addAll(innocents);
        // As a supervisor would: whoever dies is started again.
        children.add(process(QUEUE + ":8"));
        eventually(() -> {
            var last = children.get(children.size() - 1);
            if (!last.isAlive()) {
                assertThat(last.exitCode()).isEqualTo(137);
                children.add(process(QUEUE + ":8"));
            }
            assertThat(states(all).keySet()).allMatch(JobState::isFinal);
        });
        assertThat(states(innocents)).isEqualTo(java.util.Map.of(JobState.SUCCEEDED, innocents.size()));
        assertThat(states(killers)).isEqualTo(java.util.Map.of(JobState.DEAD, killers.size()));
        assertThat(killers).allSatisfy(id -> {
            var detail = admin.find(null, id).orElseThrow();
            assertThat(detail.job().reason()).isEqualTo(DeadReason.WORKER_LOST.name());
            assertThat(detail.job().counts().crashes()).isEqualTo(2);
            assertThat(detail.job().counts().failures()).isZero();
            assertThat(detail.payload()).isNotNull();
            assertThat(detail.history())
                    .extracting(HistoryEntry::kind)
                    .contains(HistoryEntry.Kind.CRASHED, HistoryEntry.Kind.BURIED);
            // Told once, by whichever process took it back: soon after it was stored.
            eventually(() -> assertThat(children.stream()
                            .flatMap(child -> child.told("event").stream())
                            .filter(event -> event.startsWith("Died " + id)))
                    .containsExactly("Died " + id + " WORKER_LOST"));
        });
        assertThat(list(JobQuery.DEAD)).hasSize(killers.size());
        // A replay works: once mended, it succeeds.
        children.get(children.size() - 1).kill();
        killers.forEach(id -> applied(belay.deadLetters().replay(id, ANN)));
        heir(QUEUE);
        awaitAll(all, JobState.SUCCEEDED);
        assertThat(told.all(JobEvent.Died.class)).isEmpty();
    }

    @Test
    void case15_jobsThatAreNotDueAreNotLeasedHoweverOftenWorkersStart() {
        var ids = new ArrayList<JobId>();
        for (var i = 0; i < 40; i++) {
            ids.add(enqueue(USUAL.with("ok").delay(Duration.ofHours(1))));
        }
        for (var round = 0; round < 2; round++) {
            process(QUEUE + ":4").awaitReady().kill();
        }
        // However slowly they started, they were killed before anything was due.
        assertThat(events(Event.LEASED)).isZero();
        var soon = new JobEdit(null, new Moment.After(Duration.ofSeconds(NIGHTLY ? 60 : 4)), null);
        ids.forEach(id -> admin.edit(QUEUE, id, soon, By.of("test")));
        var due = job(ids.get(0)).times().runAt();
        process(QUEUE + ":4").awaitReady();
        assertThat(log.lines()).filteredOn(line -> line.millis() < due).isEmpty();
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(starts().values()).hasSize(40).containsOnly(1L);
        assertThat(log.lines()).allMatch(line -> line.millis() >= due - 50);
        assertThat(events(Event.LEASED))
                .as(
                        "leased (released %s, returned %s, crashed %s, snoozed %s)",
                        events(Event.RELEASED), events(Event.RETURNED), events(Event.CRASHED), events(Event.SNOOZED))
                .isEqualTo(40);
    }

    @Test
    void G1_whatAKilledClientWasToldIsThere() {
        var child = clientProcess(1_000_000);
        child.await("accepted", NIGHTLY ? 5_000 : 200);
        child.kill();
        var accepted = child.told("accepted").stream().map(JobId::parse).toList();
        assertThat(states(accepted)).isEqualTo(java.util.Map.of(JobState.READY, accepted.size()));
        // At most the one that was on its way is there beside them.
        assertThat(admin.count(JobQuery.ALL, Long.MAX_VALUE)).isBetween((long) accepted.size(), accepted.size() + 1L);
        heir(QUEUE);
        awaitAll(accepted, JobState.SUCCEEDED);
        assertThat(starts()).allSatisfy((id, count) -> assertThat(count).isEqualTo(1));
    }
}
