package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.belay.broker.JobEdit;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Lease;
import dev.belay.broker.QueueSettings;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.Moment;
import dev.belay.job.NewJob;
import dev.belay.job.Payload;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.JobBuilder;
import dev.belay.tck.TestWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A broker may keep small payloads in another place than large ones: whatever a job goes through, nobody can tell. */
public class PayloadSizesTest extends BrokerSuite {

    /** Beside nothing and much, the sizes around those at which a broker may draw the line. */
    static IntStream sizes() {
        return IntStream.of(0, 1, 7, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 5_000);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void G7_aPayloadGivesWayToOneOfAnySize(int size) {
        for (var before : List.of(20, 600)) {
            var key = "key-" + before;
            var id = accept(job().key(key).payload(bytes(before)));
            var bytes = bytes(size);
            client.enqueue(job().key(key).payload(bytes).replaceWaiting());
            assertStored(id, bytes);
            var worker = worker();
            worker.complete(leased(worker, id, bytes));
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void aPayloadIsTheSameAfterEachThingThatHappensToItsJob(int size) {
        var bytes = bytes(size);
        var id = accept(job().payload(bytes).delay(seconds(5)));
        assertStored(id, bytes);
        advance(seconds(5));
        broker.promote(QUEUE, seconds(1));
        var worker = worker();
        worker.fail(leased(worker, id, bytes), seconds(0));
        worker.fail(leased(worker, id, bytes), seconds(60));
        applied(admin.edit(QUEUE, id, new JobEdit(1, new Moment.After(seconds(90)), List.of("urgent")), ANN));
        assertStored(id, bytes);
        applied(admin.runNow(QUEUE, id, ANN));
        worker.bury(leased(worker, id, bytes));
        assertStored(id, bytes);
        applied(admin.replay(QUEUE, id, null, ANN));
        applied(admin.cancel(QUEUE, id, ANN));
        assertStored(id, bytes);
        applied(admin.replay(QUEUE, id, null, ANN));
        leased(worker, id, bytes);
        crash(worker);

        advance(seconds(60));
        var next = worker();
        next.complete(leased(next, id, bytes));
        assertStored(id, bytes);
        assertThat(admin.list(JobQuery.ALL, null, 10).jobs())
                .extracting(Job::id, Job::payloadSize)
                .containsExactly(tuple(id, size));
        assertGoneAfter(QueueSettings.DEFAULT.keepFinished(), id);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void aPlainSuccessKeepsThePayload(int size) {
        var bytes = bytes(size);
        var id = accept(job().payload(bytes));
        var worker = worker();
        worker.complete(leased(worker, id, bytes));

        assertStored(id, bytes);
        assertThat(find(id).payloadSize()).isEqualTo(size);
        assertGoneAfter(QueueSettings.DEFAULT.keepFinished(), id);
    }

    @Test
    void oneCallAcceptsAndHandsOutPayloadsOfAllSizes() {
        keepNothing();
        for (var slots : List.of(1, 3, 100)) {
            assertHandedOut(slots, job());
        }
        assertThat(admin.list(JobQuery.ALL, null, 10).jobs()).isEmpty();
    }

    @Test
    void jobsThatAreNotTheUsualHavePayloadsOfAllSizes() {
        var unusual = List.of(
                job().key("k"),
                job().expiresAfter(Duration.ofHours(1)),
                job().options(o -> o.withRetention(Duration.ofMinutes(1))),
                job().maxCrashes(1));
        for (var kind : unusual) {
            for (var slots : List.of(1, 100)) {
                assertHandedOut(slots, kind);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void aReplacementAndAFollowUpHaveAPayloadOfAnySize(int size) {
        var old = dead(job().payload(bytes(5_000 - size)));
        var better = job().payload(bytes(size)).links(new JobLinks(null, old)).build();
        applied(admin.replace(QUEUE, old, better, ANN));
        assertThat(admin.find(QUEUE, old)).isEmpty();
        assertStored(better.id(), bytes(size));

        var worker = worker();
        var here = job().payload(bytes(size)).build();
        var there = job().queue("elsewhere").payload(bytes(size)).build();
        worker.settled(leased(worker, better.id(), bytes(size)), TestWorker.followedBy(here, there));
        leased(worker, here.id(), bytes(size));
        leased(worker("elsewhere"), there.id(), bytes(size));
    }

    private void assertHandedOut(int slots, JobBuilder kind) {
        var sent = new LinkedHashMap<JobId, Payload>();
        var jobs = new ArrayList<NewJob>();
        sizes().forEach(size -> jobs.add(kind.payload(bytes(size)).build()));
        if (jobs.get(0).key().explicit()) {
            jobs.replaceAll(job -> kind.key("k-" + slots + "-" + job.payload().size())
                    .payload(job.payload().bytes())
                    .build());
        }
        client.accept(jobs);
        jobs.forEach(job -> sent.put(job.id(), job.payload()));
        var worker = worker();
        var leases = new ArrayList<Lease>();
        for (var some = worker.lease(slots); !some.isEmpty(); some = worker.lease(slots)) {
            leases.addAll(some);
        }
        assertThat(payloads(leases)).isEqualTo(sent);
        leases.forEach(worker::complete);
        worker.end();
    }

    private static Map<JobId, Payload> payloads(List<Lease> leases) {
        var payloads = new LinkedHashMap<JobId, Payload>();
        leases.forEach(lease -> payloads.put(lease.job().id(), lease.payload()));
        return payloads;
    }

    private static Lease leased(TestWorker worker, JobId id, byte[] bytes) {
        var lease = worker.leaseOne();
        assertThat(lease.job().id()).isEqualTo(id);
        assertThat(lease.payload().bytes()).isEqualTo(bytes);
        return lease;
    }

    private void assertStored(JobId id, byte[] bytes) {
        var detail = admin.find(QUEUE, id).orElseThrow();
        assertThat(detail.payload()).isEqualTo(new Payload(bytes, "json", 1));
        assertThat(detail.raw()).isNull();
    }

    private void assertGoneAfter(Duration retention, JobId id) {
        advance(retention.plusSeconds(1));
        prune();
        assertThat(admin.find(QUEUE, id)).isEmpty();
    }

    private static byte[] bytes(int size) {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
