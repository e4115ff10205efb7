package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Lease;
import dev.belay.broker.Settlement;
import dev.belay.broker.Verdict;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestClient;
import dev.belay.tck.TestWorker;
import dev.belay.tck.Together;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** G3 under load: many threads on two nodes, and each job in one hand at a time. */
public class ConcurrencyTest extends BrokerSuite {

    private static final int JOBS = 1_000;
    private static final int WORKERS = 12;

    @Test
    void G3_eachJobIsLeasedToOneWorker() {
        accept(JOBS);
        var leases = Together.run(WORKERS, i -> {
            var worker = workerOnNode(i);
            return () -> {
                var mine = new ArrayList<Lease>();
                while (true) {
                    var more = worker.lease(1 + i);
                    if (more.isEmpty()) {
                        return mine;
                    }
                    mine.addAll(more);
                }
            };
        });
        var jobs = new HashSet<JobId>();
        var tokens = new HashSet<Long>();
        leases.stream().flatMap(List::stream).forEach(lease -> {
            assertThat(jobs.add(lease.job().id()))
                    .as("leased twice: %s", lease.id())
                    .isTrue();
            assertThat(tokens.add(lease.id().token())).as("token given twice").isTrue();
        });
        assertThat(jobs).hasSize(JOBS);
    }

    @Test
    void G3_leaseAndSettleInManyHandsEndEachJobOnce() {
        accept(JOBS);
        var left = new AtomicInteger(JOBS);
        var holders = new ConcurrentHashMap<JobId, Long>();
        Together.run(WORKERS, i -> {
            var worker = workerOnNode(i);
            var random = new Random(i);
            return () -> {
                while (left.get() > 0) {
                    for (var lease : worker.lease(5)) {
                        assertThat(holders.putIfAbsent(
                                        lease.job().id(), lease.id().token()))
                                .as("held by two at once")
                                .isNull();
                        var outcome = someOutcome(random);
                        holders.remove(lease.job().id());
                        if (worker.settled(lease, outcome).state() == JobState.SUCCEEDED) {
                            left.decrementAndGet();
                        }
                    }
                }
                return null;
            };
        });
        assertThat(admin.count(JobQuery.ALL.inState(JobState.SUCCEEDED), JOBS + 1))
                .isEqualTo(JOBS);
        assertThat(events(Event.SUCCEEDED)).isEqualTo(JOBS);
    }

    private static Outcome someOutcome(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> new Outcome.Release(false);
            case 1 -> new Outcome.Snooze(seconds(0), false);
            default -> Outcome.Complete.PLAIN;
        };
    }

    @Test
    void G3_oneSettleOfManyAtOnceWins() {
        for (var round = 0; round < 50; round++) {
            accept(1);
            var worker = worker();
            var lease = worker.leaseOne();
            var nodes = List.of(broker, secondNode());
            var verdicts = Together.run(
                    4,
                    i -> () -> nodes.get(i % 2)
                            .settle(
                                    QUEUE,
                                    List.of(new Settlement(
                                            lease.id(),
                                            i < 2 ? Outcome.Complete.PLAIN : new Outcome.Release(false),
                                            null)))
                            .get(0));
            // The others are told what became of it: same token, same session.
            assertThat(verdicts).allMatch(Verdict::isApplied);
            assertThat(verdicts.stream().distinct()).hasSize(1);
            worker.lease(1).forEach(worker::complete);
        }
        assertThat(events(Event.LEASED)).isEqualTo(events(Event.SUCCEEDED) + events(Event.RELEASED));
        assertThat(events(Event.SUCCEEDED)).isEqualTo(50);
    }

    @Test
    void everythingAtOnceLeavesEverythingBalanced() {
        Together.run(WORKERS, i -> {
            var node = i % 2 == 0 ? broker : secondNode();
            var worker = workerOnNode(i);
            var mine = new TestClient(node);
            var random = new Random(i);
            return () -> {
                for (var round = 0; round < 60; round++) {
                    step(node, worker, mine, random);
                }
                return null;
            };
        });
        // The invariants, checked after every test, are the judge.
        assertThat(admin.count(JobQuery.ALL, 100_000)).isPositive();
    }

    private void step(dev.belay.broker.Broker node, TestWorker worker, TestClient mine, Random random) {
        switch (random.nextInt(8)) {
            case 0, 1 ->
                mine.enqueue(
                        job().key("k" + random.nextInt(40)).build(),
                        job().delay(seconds(random.nextInt(2))).build());
            case 2, 3 -> worker.lease(3).forEach(lease -> worker.settle(lease, busyOutcome(random)));
            case 4 ->
                someJob(node, random, JobState.READY, JobState.RUNNING, JobState.SCHEDULED)
                        .forEach(id -> node.admin().cancel(QUEUE, id, ANN));
            case 5 ->
                someJob(node, random, JobState.DEAD, JobState.CANCELLED)
                        .forEach(id -> node.admin().replay(QUEUE, id, null, ANN));
            case 6 -> {
                node.promote(QUEUE, java.time.Duration.ofMillis(1));
                node.reap();
                node.prune();
            }
            default -> worker.lease(2);
        }
    }

    private static Outcome busyOutcome(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> TestWorker.retry(seconds(random.nextInt(2)));
            case 1 -> new Outcome.Bury(dev.belay.job.DeadReason.BY_HANDLER, null);
            case 2 -> new Outcome.Release(true);
            default -> Outcome.Complete.PLAIN;
        };
    }

    private static List<JobId> someJob(dev.belay.broker.Broker node, Random random, JobState... states) {
        var jobs = node.admin().list(JobQuery.ALL.inState(states), null, 50).jobs();
        return jobs.isEmpty()
                ? List.of()
                : List.of(jobs.get(random.nextInt(jobs.size())).id());
    }

    private TestWorker workerOnNode(int i) {
        return worker(i % 2 == 0 ? broker : secondNode(), TestWorker.spec(QUEUE));
    }
}
