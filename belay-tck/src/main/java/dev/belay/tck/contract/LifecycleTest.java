package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.belay.broker.JobQuery;
import dev.belay.broker.LeaseRequest;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestClient;
import dev.belay.tck.TestWorker;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Opening, closing, and nodes beside each other. */
public class LifecycleTest extends BrokerSuite {

    @Test
    void aBrokerTellsItsName() {
        assertThat(broker.capabilities().name()).isEqualTo(harness.name());
        assertThat(secondNode().capabilities()).isEqualTo(broker.capabilities());
    }

    @Test
    void aFreshStoreIsEmpty() {
        assertThat(admin.queues()).isEmpty();
        assertThat(admin.sessions()).isEmpty();
        assertThat(admin.list(JobQuery.ALL, null, 10).jobs()).isEmpty();
        assertThat(admin.audit(null, null, 10).entries()).isEmpty();
        assertThat(admin.deadGroups(null, 10)).isEmpty();
        assertThat(admin.unknownTypes()).isEmpty();
        assertThat(broker.cells().list("", 10)).isEmpty();
        assertThat(broker.prune().more()).isFalse();
        assertThat(broker.reap().ended()).isZero();
    }

    @Test
    void closingTwiceIsHarmlessAndClosesOneNodeOnly() {
        var node = secondNode();
        var id = new TestClient(node).accept(job());
        node.close();
        node.close();

        assertThat(state(id)).isEqualTo(JobState.READY);
        assertThat(worker().lease(1)).hasSize(1);
    }

    @Test
    void aClosedBrokerRefusesEveryCall() {
        var node = secondNode();
        var worker = worker(node, TestWorker.spec(QUEUE));
        var itsAdmin = node.admin();
        var itsCells = node.cells();
        var call = client.call(job().build());
        node.close();
        List<ThrowingCallable> calls = List.of(
                () -> node.enqueue(call),
                () -> node.register(TestWorker.spec(QUEUE)),
                () -> node.heartbeat(List.of()),
                () -> node.lease(LeaseRequest.of(worker.id(), 1, 1)),
                () -> node.settle(QUEUE, List.of()),
                () -> node.reconcile(worker.id(), 1),
                () -> node.promote(QUEUE, seconds(1)),
                () -> node.endSessions(List.of(worker.id())),
                node::reap,
                node::prune,
                () -> node.listen(QUEUE, () -> {}),
                () -> itsAdmin.find(QUEUE, JobId.next()),
                () -> itsAdmin.list(JobQuery.ALL, null, 1),
                itsAdmin::queues,
                () -> itsAdmin.pause(QUEUE, ANN),
                () -> itsCells.get("k"));
        for (var one : calls) {
            assertThatIllegalStateException().isThrownBy(one);
        }
        assertThat(worker(broker, TestWorker.spec(QUEUE)).heartbeat().ended()).isFalse();
        assertThat(admin.sessions()).hasSize(2);
    }

    @Test
    void whatOneNodeDoesTheOtherSeesAtOnce() {
        var node = secondNode();
        var id = accept(job());
        assertThat(node.admin().find(QUEUE, id)).isPresent();
        var there = worker(node, TestWorker.spec(QUEUE));
        var lease = there.leaseOne();
        assertThat(state(id)).isEqualTo(JobState.RUNNING);
        assertThat(broker.held(List.of(lease.id()))).containsExactly(true);
        applied(admin.cancel(QUEUE, id, ANN));

        assertThat(there.heartbeat().commands()).hasSize(1);
        assertThat(node.admin().queues()).isEqualTo(admin.queues());
        assertThat(node.admin().time()).isBetween(now() - 10_000, now());
    }

    @Test
    void aCutConnectionComesBackByItself() {
        accept(2);
        var worker = worker();
        var lease = worker.leaseOne();
        bench.store().breakConnection();

        assertThat(worker.complete(lease).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(worker.lease(1)).hasSize(1);
    }
}
