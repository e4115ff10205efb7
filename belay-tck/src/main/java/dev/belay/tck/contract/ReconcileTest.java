package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.BrokerException;
import dev.belay.broker.Lease;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.LeaseRequest;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.job.SessionId;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.Faults;
import dev.belay.tck.TestWorker;
import org.junit.jupiter.api.Test;

/** After an unknown outcome a worker learns what it holds, and nothing that is still on its way adds to it. */
public class ReconcileTest extends BrokerSuite {

    @Test
    void anAnswerNamesWhatIsHeldAndTheNumberAskedWith() {
        accept(3);
        var worker = worker();
        var leases = worker.lease(3);
        worker.complete(leases.get(1));

        var reply = broker.reconcile(worker.id(), 41);
        assertThat(reply.number()).isEqualTo(41);
        assertThat(reply.ended()).isFalse();
        assertThat(reply.held())
                .containsExactlyInAnyOrder(leases.get(0).id(), leases.get(2).id());
    }

    @Test
    void aSessionThatHoldsNothingSaysSo() {
        assertThat(worker().reconcile().held()).isEmpty();
    }

    @Test
    void aLateLeaseCallIsFenced() {
        accept(3);
        var worker = worker();
        var onItsWay = worker.request(1);
        broker.reconcile(worker.id(), onItsWay.number());

        assertThat(broker.lease(onItsWay)).isEqualTo(LeaseReply.none(LeaseReply.Status.FENCED));
        assertThat(secondNode().lease(onItsWay).status()).isEqualTo(LeaseReply.Status.FENCED);
        assertThat(worker.reconcile().held()).isEmpty();
        assertThat(worker.lease(1)).hasSize(1);
    }

    @Test
    void theFenceNeverFalls() {
        accept(3);
        var worker = worker();
        broker.reconcile(worker.id(), 50);
        var lower = broker.reconcile(worker.id(), 3);
        assertThat(lower.number()).isEqualTo(3);

        assertThat(broker.lease(LeaseRequest.of(worker.id(), 50, 1)).status()).isEqualTo(LeaseReply.Status.FENCED);
        assertThat(broker.lease(LeaseRequest.of(worker.id(), 4, 1)).status()).isEqualTo(LeaseReply.Status.FENCED);
        assertThat(broker.lease(LeaseRequest.of(worker.id(), 51, 1)).leases()).hasSize(1);
    }

    @Test
    void reconcilingBelowTheNewestCallDoesNotOpenOldNumbers() {
        accept(3);
        var worker = worker();
        broker.lease(LeaseRequest.of(worker.id(), 10, 1));
        broker.reconcile(worker.id(), 5);

        assertThat(broker.lease(LeaseRequest.of(worker.id(), 7, 1)).status()).isEqualTo(LeaseReply.Status.FENCED);
        assertThat(broker.lease(LeaseRequest.of(worker.id(), 10, 1)).status()).isEqualTo(LeaseReply.Status.FENCED);
    }

    @Test
    void fencesBelongToTheirSession() {
        accept(2);
        var one = worker();
        var other = worker();
        broker.reconcile(one.id(), 1_000);

        assertThat(other.lease(1)).hasSize(1);
    }

    @Test
    void anEndedSessionHoldsNothing() {
        accept(1);
        var worker = worker();
        worker.leaseOne();
        worker.end();
        for (var session : java.util.List.of(worker.id(), SessionId.next())) {
            var reply = broker.reconcile(session, 7);
            assertThat(reply.number()).isEqualTo(7);
            assertThat(reply.ended()).isTrue();
            assertThat(reply.held()).isEmpty();
        }
    }

    @Test
    void case2_jobsOfALeaseWhoseReplyWasLostAreFoundAndGivenBack() {
        accept(200);
        var worker = worker();
        var lossy = new Faults();
        var broken = lossy.around(broker);
        var seen = 0;
        while (seen < 200) {
            lossy.loseReply("lease");
            assertThatThrownBy(() -> broken.lease(worker.request(10))).isInstanceOf(BrokerException.Unknown.class);
            // What the worker does not know is released, by job and token, until that is answered.
            for (var unknown : worker.reconcile().held()) {
                applied(broken.settle(
                                QUEUE,
                                java.util.List.of(
                                        new dev.belay.broker.Settlement(unknown, new Outcome.Release(false), null)))
                        .get(0));
            }
            assertThat(worker.reconcile().held()).isEmpty();
            for (Lease lease : worker.lease(50)) {
                worker.complete(lease);
                seen++;
            }
        }
        assertThat(admin.queues().get(0).count(JobState.SUCCEEDED)).isEqualTo(200);
        assertThat(events(dev.belay.broker.Event.CRASHED)).isZero();
    }

    @Test
    void aCancelledLeaseIsHeldNoMore() {
        accept(2);
        var worker = worker();
        var leases = worker.lease(2);
        applied(admin.cancel(QUEUE, leases.get(0).job().id(), ANN));

        assertThat(worker.reconcile().held()).containsExactly(leases.get(1).id());
        assertThat(broker.held(
                        java.util.List.of(leases.get(0).id(), leases.get(1).id())))
                .containsExactly(false, true);
    }

    @Test
    void reconcilingDoesNotExtendTheSession() {
        var worker = worker();
        var deadline = admin.sessions().get(0).deadline();
        advance(seconds(5));
        worker.reconcile();
        worker.ask(0);

        assertThat(admin.sessions().get(0).deadline()).isEqualTo(deadline);
        assertThat(TestWorker.LEASE).isGreaterThan(seconds(5));
    }
}
