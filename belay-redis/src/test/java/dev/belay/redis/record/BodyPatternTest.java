package dev.belay.redis.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.NewJob;
import dev.belay.tck.JobBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the head before looked like changes nothing of what is read of a head. */
class BodyPatternTest {

    private final Random random = new Random(11);

    /** Next to each other are such as differ in little. */
    private List<NewJob> kinds() {
        return List.of(
                job().build(),
                job().type("send-receips").build(),
                job().encoding("jsom").build(),
                job().maxAttempts(6).build(),
                job().priority(3).build(),
                job().key("order-1").build(),
                job().key("order-2").build(),
                job().options(options -> options.withTags(List.of("a"))).build(),
                job().options(options -> options.withTags(List.of("b"))).build(),
                job().links(new JobLinks(JobId.next(), null)).build(),
                job().links(new JobLinks(JobId.next(), null)).build());
    }

    private JobBuilder job() {
        return JobBuilder.job().payload("payload " + random.nextInt(1_000));
    }

    @Test
    void jobsOfAllKindsInAnyOrderAreReadAsTheyWereWritten() throws Exception {
        for (var i = 0; i < 2_000; i++) {
            var kinds = kinds();
            var job = kinds.get(random.nextInt(kinds.size()));
            var read = Heads.stored(job.queue(), job.id(), head(job), null, null);

            assertThat(read.job().type()).isEqualTo(job.type());
            assertThat(read.job().encoding()).isEqualTo(job.payload().encoding());
            assertThat(read.job().key()).isEqualTo(job.key());
            assertThat(read.job().options()).isEqualTo(job.options());
            assertThat(read.job().links()).isEqualTo(job.links());
            assertThat(read.payload(null)).isEqualTo(job.payload());
        }
    }

    @Test
    void aHeadThatIsCutShortOrChangedInItsLengthsIsNotReadByThePatternOfAGoodOne() throws Exception {
        var job = job().build();
        var head = head(job);
        Heads.stored(job.queue(), job.id(), head, null, null);

        for (var length = 0; length < head.length; length++) {
            var cut = Arrays.copyOf(head, length);
            assertThatThrownBy(() -> Heads.stored(job.queue(), job.id(), cut, null, null))
                    .isInstanceOf(CorruptRecordException.class);
        }
        for (var at : new int[] {44, 52, 53, 54, 55, 56}) {
            var changed = head.clone();
            changed[at] ^= (byte) 0x81;
            assertThatThrownBy(() -> Heads.stored(job.queue(), job.id(), changed, null, null))
                    .isInstanceOf(CorruptRecordException.class);
        }
    }

    /** As a script writes it. */
    private static byte[] head(NewJob job) {
        var parts = NewRecords.arguments(job);
        var type = job.type().getBytes(StandardCharsets.US_ASCII);
        var body = parts.get(3);
        var payload = parts.get(4);
        return ByteBuffer.allocate(57 + type.length + body.length + payload.length)
                .put((byte) Job.FORMAT)
                .put((byte) job.options().priority())
                .put((byte) 1)
                .put((byte) Heads.INLINE)
                .putLong(7)
                .putLong(1_000)
                .putLong(1_000)
                .putLong(1_000)
                .putLong(0)
                .putInt(payload.length)
                .putInt(job.payload().schemaVersion())
                .putInt(body.length)
                .put((byte) type.length)
                .put(type)
                .put(body)
                .put(payload)
                .array();
    }
}
