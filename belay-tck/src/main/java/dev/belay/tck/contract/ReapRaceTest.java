package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.Lease;
import dev.belay.broker.ReapReply;
import dev.belay.broker.Verdict;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import dev.belay.tck.Together;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Reapers need no leader: many at once do what one would. */
public class ReapRaceTest extends BrokerSuite {

    @Test
    void case24_manyReapersTakeEachJobBackOnce() {
        accept(1_000);
        var workers = new ArrayList<TestWorker>();
        var leases = new ArrayList<Lease>();
        for (var i = 0; i < 10; i++) {
            var worker = worker();
            workers.add(worker);
            leases.addAll(worker.lease(100));
        }
        toTheBrink(workers);
        var nodes = List.of(broker, secondNode());
        var reclaimed = Together.run(20, i -> () -> {
            var mine = new ArrayList<ReapReply.Reclaimed>();
            ReapReply reply;
            do {
                reply = nodes.get(i % 2).reap();
                mine.addAll(reply.reclaimed());
            } while (reply.more());
            return mine;
        });
        var jobs = new HashSet<JobId>();
        reclaimed.stream()
                .flatMap(List::stream)
                .forEach(one -> assertThat(jobs.add(one.job()))
                        .as("taken back twice: %s", one)
                        .isTrue());
        patrol.pass().forEach(one -> jobs.add(one.job()));
        assertThat(jobs).hasSize(1_000);
        assertThat(events(Event.CRASHED)).isEqualTo(1_000);
        for (var lease : leases) {
            assertThat(find(lease.job().id()).counts().crashes()).isEqualTo(1);
        }
        assertThat(admin.sessions()).isEmpty();
    }

    @Test
    void case20_aJobThatIsSettledAndTakenBackAtOnceHasOneEnd() {
        accept(400);
        var worker = worker();
        var leases = worker.lease(400);
        toTheBrink(List.of(worker));
        var results = Together.run(2, i -> i == 0 ? settleAll(worker, leases) : reapAll());

        long settled = results.get(0);
        long taken = results.get(1);
        assertThat(settled + taken).isEqualTo(400);
        assertThat(events(Event.SUCCEEDED)).isEqualTo(settled);
        assertThat(events(Event.CRASHED)).isEqualTo(taken);
        assertThat(admin.queues().get(0).count(JobState.SUCCEEDED)).isEqualTo(settled);
    }

    private static Callable<Integer> settleAll(TestWorker worker, List<Lease> leases) {
        return () -> {
            var applied = 0;
            for (var lease : leases) {
                var verdict = worker.settle(lease, Outcome.Complete.PLAIN);
                assertThat(verdict).isIn(new Verdict.Applied(JobState.SUCCEEDED, null), Verdict.STALE);
                applied += verdict.isApplied() ? 1 : 0;
            }
            return applied;
        };
    }

    private Callable<Integer> reapAll() {
        return () -> {
            var taken = 0;
            ReapReply reply;
            do {
                reply = secondNode().reap();
                taken += reply.reclaimed().size();
            } while (reply.more());
            return taken;
        };
    }

    @Test
    void aHeartbeatAndAReaperAtOnceAgreeOnTheEnd() {
        for (var round = 0; round < 20; round++) {
            var worker = worker();
            toTheBrink(List.of(worker));
            var results = Together.run(
                    2,
                    i -> i == 0
                            ? () -> worker.heartbeat().ended()
                            : () -> secondNode().reap().ended() == 1);

            assertThat(results.get(0))
                    .as("told to have ended if and only if it was")
                    .isEqualTo(results.get(1));
            worker.end();
        }
    }

    /** Lets workers die and time go by until the next pass ends their sessions; that pass has not been made. */
    private void toTheBrink(List<TestWorker> workers) {
        secondNode();
        patrol.start();
        workers.forEach(TestWorker::die);
        while (admin.sessions().stream().anyMatch(session -> session.markedAt() == null)) {
            patrol.next();
        }
        for (var gone = settings().reapInterval();
                gone.compareTo(settings().reapGrace()) < 0;
                gone = gone.plus(settings().reapInterval())) {
            assertThat(patrol.next().ended()).isZero();
        }
        advance(settings().reapInterval());
    }
}
