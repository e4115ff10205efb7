package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Lease;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.LeaseRequest;
import dev.belay.job.JobId;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much one lease call hands out. */
public class LeaseLimitsTest extends BrokerSuite {

    @Test
    void slotsAndExtraTogetherAreTheMost() {
        accept(10);
        var worker = worker();

        assertThat(worker.lease(2)).hasSize(2);
        assertThat(worker.ask(2, request -> request.withExtra(3)).leases()).hasSize(5);
        assertThat(worker.lease(9)).hasSize(3);
        assertThat(worker.lease(9)).isEmpty();
    }

    @Test
    void noSlotsNoJobs() {
        accept(3);
        var worker = worker();

        assertThat(worker.lease(0)).isEmpty();
        assertThat(worker.ask(0, request -> request.withExtra(2)).leases()).hasSize(2);
    }

    @Test
    void aJobThatMayCrashOnlyOnceIsNeverPrefetched() {
        client.accept(5, job().maxCrashes(1));
        var worker = worker();

        assertThat(worker.ask(0, request -> request.withExtra(9)).leases()).isEmpty();
        assertThat(worker.ask(2, request -> request.withExtra(9)).leases()).hasSize(2);
        assertThat(worker.lease(9)).hasSize(3);
    }

    @Test
    void prefetchFillsWithJobsThatHaveCrashesLeft() {
        client.accept(4, job().maxCrashes(1));
        client.accept(4, job());
        var worker = worker();
        var seen = new HashSet<JobId>();
        while (true) {
            var leases = worker.ask(1, request -> request.withExtra(1)).leases();
            if (leases.isEmpty()) {
                break;
            }
            assertThat(leases.stream().filter(lease -> lease.job().hasOneCrashLeft()))
                    .hasSizeLessThanOrEqualTo(1);
            leases.forEach(lease -> seen.add(lease.job().id()));
        }
        assertThat(seen).as("nobody is left behind").hasSize(8);
    }

    @Test
    void payloadsStayWithinTheBytesAskedFor() {
        client.accept(4, job().payload(new byte[400]));
        var worker = worker();

        assertThat(worker.ask(9, request -> request.withMaxBytes(1_000)).leases())
                .hasSize(2);
        assertThat(worker.ask(9, request -> request.withMaxBytes(800)).leases()).hasSize(2);
    }

    @Test
    void oneJobIsLeasedWhateverItsSize() {
        client.accept(2, job().payload(new byte[5_000]));
        var worker = worker();

        assertThat(worker.ask(9, request -> request.withMaxBytes(1_000)).leases())
                .hasSize(1);
        assertThat(worker.ask(9, request -> request.withMaxBytes(0)).leases()).hasSize(1);
    }

    @Test
    void aLeaseHoldsWhatAWorkerNeeds() {
        var id = accept(job().payload("{\"a\":1}"));
        var worker = worker();
        var leased = timed(worker::leaseOne);

        var lease = leased.value();
        assertThat(lease.id().queue()).isEqualTo(QUEUE);
        assertThat(lease.id().job()).isEqualTo(id);
        assertThat(lease.id().session()).isEqualTo(worker.id());
        assertThat(lease.id().token()).isPositive();
        assertThat(lease.job().counts().deliveries()).isEqualTo(1);
        assertThat(lease.job().times().leasedAt()).isBetween(leased.from(), leased.to());
        assertThat(find(id)).isEqualTo(lease.job());
    }

    @Test
    void aLeaseCallUnderANumberThatIsNotNewIsFenced() {
        accept(5);
        var worker = worker();
        var call = worker.request(1);
        assertThat(broker.lease(call).leases()).hasSize(1);

        assertThat(broker.lease(call)).isEqualTo(LeaseReply.none(LeaseReply.Status.FENCED));
        assertThat(broker.lease(LeaseRequest.of(worker.id(), call.number() - 1, 1))
                        .status())
                .isEqualTo(LeaseReply.Status.FENCED);
        assertThat(secondNode().lease(call).status()).isEqualTo(LeaseReply.Status.FENCED);
        assertThat(broker.lease(LeaseRequest.of(worker.id(), call.number() + 50, 1))
                        .leases())
                .hasSize(1);
    }

    @Test
    void numbersBelongToTheirSession() {
        accept(5);
        var one = worker();
        var other = worker();
        for (var i = 0; i < 3; i++) {
            one.request(1);
        }
        assertThat(one.lease(1)).hasSize(1);
        assertThat(broker.lease(LeaseRequest.of(other.id(), 1, 1)).leases()).hasSize(1);
    }

    @Test
    void anUnknownSessionLeasesNothing() {
        accept(1);
        var stranger = TestWorker.spec(QUEUE);

        assertThat(broker.lease(LeaseRequest.of(stranger.id(), 1, 1)))
                .isEqualTo(LeaseReply.none(LeaseReply.Status.ENDED));
        assertThat(admin.queues().get(0).count(dev.belay.job.JobState.READY)).isEqualTo(1);
    }

    @Test
    void aSessionLeasesFromItsOwnQueue() {
        accept(job().queue("reports"));
        var reports = worker("reports");

        assertThat(worker().lease(5)).isEmpty();
        List<Lease> leases = reports.lease(5);
        assertThat(leases).hasSize(1);
        assertThat(leases.get(0).id().queue()).isEqualTo("reports");
    }
}
