package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.BrokerException;
import dev.belay.broker.JobQuery;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.Settlement;
import dev.belay.job.Backoff;
import dev.belay.job.By;
import dev.belay.job.JobState;
import dev.belay.job.Limits;
import dev.belay.job.Outcome;
import dev.belay.job.Payload;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes and texts come out as they went in, at every size that is allowed, and nothing is ever cut. */
public class PayloadTest extends BrokerSuite {

    /** Four bytes in UTF-8, two chars in Java, one code point. */
    private static final String WIDE = "😀";

    @Test
    void everyByteComesOutAsItWentIn() {
        var all = new byte[256];
        for (var i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        for (var bytes : List.of(all, new byte[0], new byte[] {0}, new byte[] {'\n', '\r', 0, '"', '\''})) {
            var id = accept(job().payload(bytes));
            var worker = worker();
            var lease = worker.leaseOne();
            assertThat(lease.payload()).isEqualTo(new Payload(bytes, "json", 1));
            assertThat(lease.job().payloadSize()).isEqualTo(bytes.length);
            assertThat(admin.find(QUEUE, id).orElseThrow().payload()).isEqualTo(lease.payload());
            worker.complete(lease);
        }
    }

    @Test
    void bytesSurviveAnyNumberOfDeliveries() {
        var bytes = new byte[10_000];
        new Random(1).nextBytes(bytes);
        var payload = new Payload(bytes, "json+gzip", 4);
        var id = accept(job().payload(bytes)
                .encoding("json+gzip")
                .schemaVersion(4)
                .delay(seconds(5))
                .maxCrashes(5)
                .options(o -> o.withMaxAttempts(100).withBackoff(Backoff.NONE)));
        advance(seconds(5));
        var worker = worker(TestWorker.spec(QUEUE, Map.of(TYPE, 4)));
        for (var outcome : outcomes()) {
            var lease = worker.leaseOne();
            assertThat(lease.payload()).as("before %s", outcome).isEqualTo(payload);
            worker.settled(lease, outcome);
            advance(seconds(10));
        }
        worker.bury(worker.leaseOne());
        applied(admin.replay(QUEUE, id, null, ANN));
        worker.leaseOne();
        applied(admin.cancel(QUEUE, id, ANN));
        applied(admin.replay(QUEUE, id, null, ANN));
        assertThat(worker.leaseOne().payload()).isEqualTo(payload);
        crash(worker);

        var next = worker(TestWorker.spec(QUEUE, Map.of(TYPE, 4)));
        assertThat(next.leaseOne().payload()).isEqualTo(payload);
        assertThat(admin.find(QUEUE, id).orElseThrow().payload()).isEqualTo(payload);
    }

    private static List<Outcome> outcomes() {
        return List.of(
                TestWorker.retry(seconds(0)),
                TestWorker.retry(seconds(9)),
                new Outcome.Snooze(seconds(0), false),
                new Outcome.Snooze(seconds(9), true),
                new Outcome.Release(false),
                new Outcome.Release(true));
    }

    @Test
    void case98_aPayloadUpToTheLimitIsKeptWhole() {
        var limit = settings().maxPayloadBytes();
        assertThat(limit).isEqualTo(Limits.PAYLOAD_BYTES);
        for (var size : List.of(limit - 1, limit)) {
            var bytes = new byte[size];
            new Random(size).nextBytes(bytes);
            accept(job().payload(bytes));
            var worker = worker();
            var lease = worker.leaseOne();
            assertThat(lease.payload().bytes()).isEqualTo(bytes);
            worker.complete(lease);
        }
        assertTooLarge(limit + 1, limit);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(2);
    }

    @Test
    void case98_theLimitIsASettingOfTheNamespace() {
        payloadLimit(10);
        accept(job().payload(new byte[10]));
        assertTooLarge(11, 10);

        payloadLimit(10 * 1024 * 1024);
        var bytes = new byte[10 * 1024 * 1024];
        new Random(10).nextBytes(bytes);
        var id = accept(job().payload(bytes).priority(0));
        assertThat(worker().leaseOne().payload().bytes()).isEqualTo(bytes);
        applied(admin.cancel(QUEUE, id, ANN));
    }

    @Test
    void case98_aFollowUpThatIsTooLargeRefusesTheWholeSettle() {
        payloadLimit(10);
        accept(2);
        var worker = worker();
        var leases = worker.lease(2);
        var followUp = job().payload(new byte[11]).build();
        var settlements = List.of(
                new Settlement(leases.get(0).id(), Outcome.Complete.PLAIN, null),
                new Settlement(leases.get(1).id(), TestWorker.followedBy(followUp), null));

        assertThatThrownBy(() -> broker.settle(QUEUE, settlements))
                .isInstanceOf(BrokerException.Rejected.class)
                .hasMessageContaining("10")
                .hasMessageContaining("11");
        leases.forEach(lease -> assertThat(state(lease.job().id())).isEqualTo(JobState.RUNNING));
    }

    @Test
    void case98_namesAndTextsAtTheirLimitsAreKeptWhole() {
        var queue = "q" + "-._9".repeat(24) + "xyz";
        var type = "t".repeat(100);
        var tags = new ArrayList<String>();
        for (var i = 0; i < 20; i++) {
            tags.add(WIDE.repeat(99) + (char) ('a' + i));
        }
        var key = WIDE.repeat(255);
        var encoding = WIDE.repeat(100);
        var headers = Map.of("ä", "ä".repeat((16 * 1024 - 2) / 2));
        assertThat(queue).hasSize(100);
        var id = accept(job().queue(queue)
                .type(type)
                .key(key)
                .encoding(encoding)
                .options(o -> o.withTags(tags).withGroupKey(key).withHeaders(headers)));

        var job = worker(TestWorker.spec(queue, Map.of(type, 1))).leaseOne().job();
        assertThat(job.queue()).isEqualTo(queue);
        assertThat(job.type()).isEqualTo(type);
        assertThat(job.key().value()).isEqualTo(key);
        assertThat(job.encoding()).isEqualTo(encoding);
        assertThat(job.options().tags()).isEqualTo(tags);
        assertThat(job.options().groupKey()).isEqualTo(key);
        assertThat(job.options().headers()).isEqualTo(headers);
        assertThat(admin.list(JobQuery.ALL.withTag(tags.get(3)).withKey(key), null, 10)
                        .jobs())
                .extracting(found -> found.id())
                .containsExactly(id);
    }

    @Test
    void case98_progressResultErrorsAndReasonsAtTheirLimitsAreKeptWhole() {
        var progress = "é".repeat(Limits.PROGRESS_BYTES / 2);
        var result = new byte[Limits.RESULT_BYTES];
        new Random(3).nextBytes(result);
        var error = TestWorker.error("E".repeat(200), WIDE.repeat(Limits.ERROR_MESSAGE / 4));
        var id = accept(job());
        var worker = worker();
        worker.settled(worker.leaseOne(), new Outcome.Retry(seconds(0), true, error));
        assertThat(find(id).lastError()).isEqualTo(error);
        assertThat(admin.find(QUEUE, id).orElseThrow().history().get(0).error()).isEqualTo(error);

        var lease = worker.leaseOne();
        broker.settle(QUEUE, List.of(new Settlement(lease.id(), new Outcome.Complete(result, List.of()), progress)));
        assertThat(find(id).progress()).isEqualTo(progress);
        assertThat(admin.find(QUEUE, id).orElseThrow().result()).isEqualTo(result);

        var why = WIDE.repeat(Limits.REASON);
        var cancelled = accept(job());
        applied(admin.cancel(QUEUE, cancelled, By.of(WIDE.repeat(255), why)));
        assertThat(find(cancelled).reason()).isEqualTo(why);
        assertThat(admin.audit(cancelled, null, 1).entries().get(0).by()).isEqualTo(By.of(WIDE.repeat(255), why));
    }

    private void payloadLimit(int bytes) {
        var now = settings();
        admin.configure(
                new NamespaceSettings(
                        now.reapInterval(),
                        now.reapGrace(),
                        now.dedupWindow(),
                        now.unknownTypeLimit(),
                        now.auditRetention(),
                        bytes),
                ANN);
    }

    private void assertTooLarge(int size, int limit) {
        assertThatThrownBy(() -> client.enqueue(job().payload(new byte[size])))
                .isInstanceOf(BrokerException.Rejected.class)
                .hasMessageContaining("payload")
                .hasMessageContaining("" + size)
                .hasMessageContaining("" + limit);
    }
}
