package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Broker;
import dev.belay.broker.JobQuery;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestClient;
import dev.belay.tck.TestWorker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** case12: two namespaces on one store share nothing. */
public class NamespaceTest extends BrokerSuite {

    @SuppressWarnings("NullAway.Init") // set before each test
    private Broker other;

    @BeforeEach
    void other() {
        other = bench.namespace("tenant-b");
    }

    @Test
    void case12_jobsDoNotCross() {
        var mine = accept(job());
        var theirs = new TestClient(other).accept(job());

        assertThat(admin.list(JobQuery.ALL, null, 10).jobs())
                .extracting(job -> job.id())
                .containsExactly(mine);
        assertThat(other.admin().list(JobQuery.ALL, null, 10).jobs())
                .extracting(job -> job.id())
                .containsExactly(theirs);
        assertThat(other.admin().find(null, mine)).isEmpty();
        assertThat(other.admin().cancel(null, mine, ANN)).isEqualTo(Verdict.MISSING);
        assertThat(worker(other, TestWorker.spec(QUEUE)).lease(10))
                .extracting(lease -> lease.job().id())
                .containsExactly(theirs);
        assertThat(worker().lease(10)).hasSize(1);
    }

    @Test
    void case87_keysIdsAndCallNumbersDoNotCross() {
        var id = JobId.next();
        var job = job().id(id).key("k").build();
        var call = client.call(job);
        broker.enqueue(call);

        assertThat(other.enqueue(call)).containsExactly(new Verdict.Applied(JobState.READY, null));
        assertThat(other.admin().find(QUEUE, id)).isPresent();
        applied(admin.cancel(QUEUE, id, ANN));
        assertThat(other.admin().find(QUEUE, id).orElseThrow().job().state()).isEqualTo(JobState.READY);
    }

    @Test
    void case12_leasesAndSessionsDoNotCross() {
        accept(1);
        new TestClient(other).accept(job());
        var worker = worker();
        var lease = worker.leaseOne();

        assertThat(other.admin().sessions()).isEmpty();
        assertThat(other.lease(worker.request(5)).status()).isEqualTo(LeaseReply.Status.ENDED);
        assertThat(other.held(java.util.List.of(lease.id()))).containsExactly(false);
        assertThat(other.settle(
                        QUEUE,
                        java.util.List.of(new dev.belay.broker.Settlement(lease.id(), Outcome.Complete.PLAIN, null))))
                .containsExactly(Verdict.STALE);
        assertThat(other.endSessions(java.util.List.of(worker.id()))).isEmpty();
        assertThat(worker.heartbeat().ended()).isFalse();
        assertThat(worker.complete(lease).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void case12_reapersDoNotCross() {
        accept(1);
        var worker = worker();
        worker.leaseOne();
        worker.die();
        advance(Duration.ofDays(1));
        for (var i = 0; i < 30; i++) {
            other.reap();
            advance(seconds(2));
        }
        assertThat(worker.heartbeat().ended()).isFalse();
    }

    @Test
    void case12_pausesAndSettingsDoNotCross() {
        accept(1);
        new TestClient(other).accept(job());
        other.admin().pause(QUEUE, ANN);
        other.admin().configure(NamespaceSettings.DEFAULT.withReaping(seconds(1), seconds(7)), ANN);
        other.admin().configure(QUEUE, dev.belay.broker.QueueSettings.DEFAULT.withFinished(Duration.ZERO, 0), ANN);

        assertThat(broker.settings()).isEqualTo(NamespaceSettings.DEFAULT);
        assertThat(admin.queues().get(0).paused()).isFalse();
        assertThat(admin.queues().get(0).settings()).isEqualTo(dev.belay.broker.QueueSettings.DEFAULT);
        assertThat(worker().lease(5)).hasSize(1);
        assertThat(admin.audit(null, null, 10).entries()).isEmpty();
    }

    @Test
    void case12_figuresDoNotCross() {
        accept(2);
        new TestClient(other).accept(5, job());

        assertThat(admin.statistics(StatisticsQuery.TOTAL))
                .extracting(count -> count.count())
                .containsExactly(2L);
        assertThat(other.admin().statistics(StatisticsQuery.TOTAL))
                .extracting(count -> count.count())
                .containsExactly(5L);
        assertThat(admin.queues()).hasSize(1);
        assertThat(admin.queues().get(0).count(JobState.READY)).isEqualTo(2);
    }

    @Test
    void case12_cellsDoNotCross() {
        assertThat(broker.cells().compareAndSet("k", 0, "mine".getBytes(StandardCharsets.UTF_8), null))
                .isTrue();

        assertThat(other.cells().get("k")).isEmpty();
        assertThat(other.cells().list("", 10)).isEmpty();
        assertThat(other.cells().compareAndSet("k", 0, new byte[] {1}, null)).isTrue();
        assertThat(broker.cells().get("k").orElseThrow().value()).asString().isEqualTo("mine");
    }

    @Test
    void case12_pruningDoesNotCross() {
        var theirs = new TestClient(other).accept(job());
        applied(other.admin().cancel(QUEUE, theirs, ANN));
        keepNothing();
        advance(Duration.ofDays(3));
        prune();

        assertThat(other.admin().find(QUEUE, theirs)).isPresent();
    }

    @Test
    void case12_replaysOfOneNamespaceStayInIt() {
        var mine = dead(job());
        var clientB = new TestClient(other);
        var theirs = clientB.accept(job());
        var workerB = worker(other, TestWorker.spec(QUEUE));
        workerB.bury(workerB.leaseOne());
        for (var dead : admin.list(JobQuery.DEAD, null, 10).jobs()) {
            applied(admin.replay(null, dead.id(), null, ANN));
        }

        assertThat(state(mine)).isEqualTo(JobState.READY);
        assertThat(other.admin().find(QUEUE, theirs).orElseThrow().job().state())
                .isEqualTo(JobState.DEAD);
        assertThat(other.admin().deadGroups(null, 10)).hasSize(1);
    }
}
