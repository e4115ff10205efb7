package dev.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.QueueSettings;
import dev.belay.job.By;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.redis.record.Ids;
import dev.belay.redis.record.NewRecords;
import dev.belay.tck.JobBuilder;
import dev.belay.tck.TestClient;
import dev.belay.tck.TestWorker;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small payloads lie in their heads, larger ones apart, and neither is left behind. */
class PayloadPlaceTest {

    private static final String QUEUE = JobBuilder.QUEUE;
    private static final By ANN = By.of("ann");
    private static final int SMALL = NewRecords.SMALL_PAYLOAD;

    private final RedisServer server = RedisServer.start("--save", "");
    private final AtomicLong offset = new AtomicLong();
    private final RedisBroker broker =
            RedisBroker.builder(server.address(0)).offset(offset::get).open();
    private final RedisStore store = broker.store();
    private final BrokerAdmin admin = broker.admin();
    private final TestClient client = new TestClient(broker);

    @AfterEach
    void close() {
        broker.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, SMALL - 1, SMALL})
    void aSmallPayloadEndsItsHead(int size) {
        for (var job : kinds(size)) {
            var id = client.accept(job);
            assertThat(stored("payloads", id)).isNull();
            var head = Objects.requireNonNull(stored("heads", id));
            assertThat(Arrays.copyOfRange(head, head.length - size, head.length))
                    .isEqualTo(bytes(size));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {SMALL + 1, 5_000})
    void aLargerOneLiesApart(int size) {
        for (var job : kinds(size)) {
            var id = client.accept(job);
            assertThat(stored("payloads", id)).isEqualTo(bytes(size));
            assertThat(stored("heads", id)).hasSizeLessThan(500);
        }
    }

    @Test
    void whatIsRemovedLeavesNoPayload() {
        admin.configure(QUEUE, QueueSettings.DEFAULT.withFinished(Duration.ZERO, 0), ANN);
        for (var size : new int[] {SMALL, SMALL + 1}) {
            for (var job : kinds(size)) {
                client.accept(job);
            }
        }
        var worker = TestWorker.register(broker, TestWorker.spec(QUEUE));
        offset.addAndGet(1_000);
        for (var some = worker.lease(100); !some.isEmpty(); some = worker.lease(100)) {
            some.forEach(worker::complete);
        }
        assertThat(count("heads") + count("payloads")).isZero();

        for (var size : new int[] {SMALL, SMALL + 1}) {
            var id = client.accept(job(size));
            applied(id, "cancel");
            applied(id, "discard");
        }
        assertThat(count("heads") + count("payloads")).isZero();
    }

    @Test
    void aCorruptRecordIsKeptWithItsPayload() {
        var id = client.accept(job(SMALL));
        var head = Objects.requireNonNull(stored("heads", id));
        var cut = Arrays.copyOf(head, head.length - 1);
        store("heads", id, cut);
        var worker = TestWorker.register(broker, TestWorker.spec(QUEUE));
        assertThat(worker.lease(1)).isEmpty();

        var detail = admin.find(QUEUE, id).orElseThrow();
        assertThat(detail.job().reason()).isEqualTo("CORRUPT");
        assertThat(detail.raw()).isEqualTo(cut);
        assertThat(detail.payload()).isNull();
        applied(id, "discard");
        assertThat(count("heads") + count("corrupt")).isZero();
    }

    @Test
    void aHeadThatSaysAnyLengthIsOnlyCorrupt() {
        var id = client.accept(job(SMALL));
        var head = Objects.requireNonNull(stored("heads", id));
        for (var at : new int[] {44, 45, 46, 47, 52, 53, 54, 55, 56}) {
            var changed = head.clone();
            changed[at] ^= (byte) 0xC0;
            store("heads", id, changed);
            assertThat(admin.find(QUEUE, id).orElseThrow().raw())
                    .as("byte %s", at)
                    .isEqualTo(changed);
        }
    }

    @Test
    void aVersionThatNoPayloadCanHaveHarmsNobody() {
        var bad = client.accept(job(SMALL));
        var good = client.accept(job(SMALL));
        var head = Objects.requireNonNull(stored("heads", bad));
        head[48] = (byte) 0x80;
        store("heads", bad, head);
        var worker = TestWorker.register(broker, TestWorker.spec(QUEUE));

        assertThat(worker.lease(2)).extracting(lease -> lease.job().id()).containsExactly(good);
        assertThat(admin.find(QUEUE, bad).orElseThrow().raw()).isNotEmpty();
    }

    @Test
    void aNewerRecordIsMovedByteForByte() {
        var id = client.accept(job(SMALL));
        var head = Objects.requireNonNull(stored("heads", id));
        head[0] = (byte) (Job.FORMAT + 1);
        store("heads", id, head);
        var worker = TestWorker.register(broker, TestWorker.spec(QUEUE));
        assertThat(worker.lease(1)).isEmpty();

        var moved = Objects.requireNonNull(stored("heads", id));
        assertThat(Arrays.copyOfRange(moved, 20, moved.length)).isEqualTo(Arrays.copyOfRange(head, 20, head.length));
        moved[0] = (byte) Job.FORMAT;
        store("heads", id, moved);
        offset.addAndGet(60_000);
        assertThat(worker.leaseOne().payload().bytes()).isEqualTo(bytes(SMALL));
    }

    private static JobBuilder[] kinds(int size) {
        return new JobBuilder[] {
            job(size), job(size).key("key-" + size), job(size).delay(Duration.ofSeconds(1))
        };
    }

    private static JobBuilder job(int size) {
        return JobBuilder.job().payload(bytes(size));
    }

    private static byte[] bytes(int size) {
        var bytes = new byte[size];
        for (var i = 0; i < size; i++) {
            bytes[i] = (byte) (i * 7);
        }
        return bytes;
    }

    private void applied(JobId id, String action) {
        var verdict = action.equals("cancel") ? admin.cancel(QUEUE, id, ANN) : admin.discard(QUEUE, id, null, ANN);
        assertThat(verdict.isApplied()).as("%s: %s", action, verdict).isTrue();
    }

    private byte @Nullable [] stored(String hash, JobId id) {
        return new Jobs(store).field(store.keys(QUEUE).key(hash), Ids.bytes(id));
    }

    private void store(String hash, JobId id, byte[] value) {
        store.<Boolean>call(commands -> commands.hset(store.keys(QUEUE).key(hash), Ids.bytes(id), value));
    }

    private long count(String hash) {
        return store.<Long>call(commands -> commands.hlen(store.keys(QUEUE).key(hash)));
    }
}
