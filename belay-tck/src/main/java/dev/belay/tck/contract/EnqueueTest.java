package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.BrokerException;
import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.Backoff;
import dev.belay.job.Fingerprint;
import dev.belay.job.Job;
import dev.belay.job.JobCounts;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.JobState;
import dev.belay.job.Moment;
import dev.belay.job.NewJob;
import dev.belay.tck.BrokerSuite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an accepted job looks like, and which batches are refused. */
public class EnqueueTest extends BrokerSuite {

    @Test
    void aJobWithoutDelayIsReadyAtOnce() {
        var enqueued = timed(() -> client.enqueue(job()));

        assertThat(enqueued.value()).isEqualTo(new Verdict.Applied(JobState.READY, null));
        var times = onlyJob().times();
        assertThat(times.createdAt()).isBetween(enqueued.from(), enqueued.to());
        assertThat(times.runAt()).isBetween(enqueued.from(), enqueued.to());
        assertThat(times.readyAt()).isBetween(enqueued.from(), enqueued.to());
        assertThat(times.expiresAt()).isNull();
        assertThat(times.unknownSince()).isNull();
    }

    @Test
    void aDelayCountsFromTheBrokersNow() {
        var enqueued = timed(() -> client.enqueue(job().delay(Duration.ofMinutes(5))));

        assertThat(enqueued.value()).isEqualTo(new Verdict.Applied(JobState.SCHEDULED, null));
        assertThat(onlyJob().times().runAt()).isBetween(enqueued.from() + 300_000, enqueued.to() + 300_000);
        assertThat(onlyJob().times().readyAt()).isNull();
    }

    @Test
    void anInstantIsKeptAsItIs() {
        var at = Instant.ofEpochMilli(now()).plusSeconds(3_600);

        assertThat(client.enqueue(job().start(new Moment.At(at))))
                .isEqualTo(new Verdict.Applied(JobState.SCHEDULED, null));
        assertThat(onlyJob().times().runAt()).isEqualTo(at.toEpochMilli());
    }

    @Test
    void case82_aPastInstantMeansNow() {
        var times = List.of(Instant.EPOCH, Instant.ofEpochMilli(now() - 1));
        for (var past : times) {
            assertThat(client.enqueue(job().start(new Moment.At(past))))
                    .isEqualTo(new Verdict.Applied(JobState.READY, null));
        }
        assertThat(worker().lease(2))
                .hasSize(2)
                .allSatisfy(lease -> assertThat(lease.waitedMillis()).isLessThan(60_000));
    }

    @Test
    void case82_longDelaysNeitherOverflowNorComeEarly() {
        var delays = List.of(
                Duration.ofMillis(Integer.MAX_VALUE),
                Duration.ofMillis(Integer.MAX_VALUE + 1L),
                Duration.ofDays(25),
                Duration.ofDays(365 * 50),
                dev.belay.job.Limits.MAX_WAIT);
        for (var delay : delays) {
            var enqueued = timed(() -> accept(job().delay(delay)));
            assertThat(find(enqueued.value()).times().runAt())
                    .isBetween(enqueued.from() + delay.toMillis(), enqueued.to() + delay.toMillis());
        }
        for (var at : List.of(Instant.parse("2038-01-19T03:14:08Z"), dev.belay.job.Limits.MAX_INSTANT)) {
            var id = accept(job().start(new Moment.At(at)));
            assertThat(find(id).times().runAt()).isEqualTo(at.toEpochMilli());
        }
        assertThat(worker().lease(10)).isEmpty();
        assertThat(admin.queues().get(0).count(JobState.SCHEDULED)).isEqualTo(7);
    }

    @Test
    void everyFieldComesOutAsItWentIn() {
        var parent = JobId.next();
        var job = job().payload(new byte[] {0, -1, 7})
                .encoding("json+gzip+aes")
                .schemaVersion(3)
                .key("order-ä-€-😀")
                .options(o -> o.withPriority(4)
                        .withMaxAttempts(Integer.MAX_VALUE)
                        .withMaxCrashes(7)
                        .withTimeout(Duration.ofSeconds(42))
                        .withBackoff(Backoff.exponential(Duration.ofMillis(1500), 1.5, Duration.ofHours(5)))
                        .withRetention(Duration.ofHours(3))
                        .withGroupKey("customer-1")
                        .withTags(List.of("a", "ünï"))
                        .withHeaders(Map.of("traceparent", "00-1-2-03", "empty", "")))
                .expiresAfter(Duration.ofHours(2))
                .links(new JobLinks(parent, null))
                .build();
        client.accept(List.of(job));

        var stored = find(job.id());
        assertSame(job, stored);
        assertThat(stored.state()).isEqualTo(JobState.READY);
        assertThat(stored.times().expiresAt()).isEqualTo(stored.times().createdAt() + 7_200_000);
        assertThat(stored.counts()).isEqualTo(JobCounts.NONE);
        assertThat(stored.token()).isZero();
        assertThat(stored.format()).isEqualTo(Job.FORMAT);
        assertThat(stored.historyCount()).isZero();
        assertThat(List.of(
                        stored.reason() == null,
                        stored.lastSettled() == null,
                        stored.lastError() == null,
                        stored.progress() == null))
                .doesNotContain(false);

        var lease = worker().leaseOne();
        assertThat(lease.payload()).isEqualTo(job.payload());
        assertSame(job, lease.job());
        var detail = admin.find(null, job.id()).orElseThrow();
        assertThat(detail.payload()).isEqualTo(job.payload());
        assertThat(detail.result()).isNull();
        assertThat(detail.raw()).isNull();
        assertThat(detail.history()).isEmpty();
    }

    private static void assertSame(NewJob job, Job stored) {
        assertThat(stored.id()).isEqualTo(job.id());
        assertThat(stored.queue()).isEqualTo(job.queue());
        assertThat(stored.type()).isEqualTo(job.type());
        assertThat(stored.key()).isEqualTo(job.key());
        assertThat(stored.options()).isEqualTo(job.options());
        assertThat(stored.links()).isEqualTo(job.links());
        assertThat(stored.encoding()).isEqualTo(job.payload().encoding());
        assertThat(stored.schemaVersion()).isEqualTo(job.payload().schemaVersion());
        assertThat(stored.payloadSize()).isEqualTo(job.payload().size());
    }

    @Test
    void anEnqueueMakesTheQueueKnown() {
        assertThat(admin.queues()).isEmpty();
        accept(job().queue("reports"));
        accept(job().queue("mail"));

        assertThat(admin.queues())
                .extracting(view -> view.queue() + " " + view.count(JobState.READY) + " " + view.paused())
                .containsExactly("mail 1 false", "reports 1 false");
    }

    @Test
    void aLargeBatchIsOneCall() {
        var jobs = new ArrayList<NewJob>();
        for (var i = 0; i < 10_000; i++) {
            jobs.add(job().payload("n" + i).build());
        }
        client.accept(jobs);

        assertThat(admin.count(JobQuery.ALL.inQueue(QUEUE).inState(JobState.READY), 20_000))
                .isEqualTo(10_000);
        assertThat(events(Event.ACCEPTED)).isEqualTo(10_000);
    }

    @Test
    void oneInvalidItemRefusesTheWholeBatch() {
        var limit = settings().maxPayloadBytes();
        var good = job().key("good").build();
        var large = job().payload(new byte[limit + 1]).build();
        var call = client.call(good, large);

        assertThatThrownBy(() -> broker.enqueue(call))
                .isInstanceOf(BrokerException.Rejected.class)
                .hasMessageContaining("payload")
                .hasMessageContaining("" + limit)
                .hasMessageContaining("" + (limit + 1));
        assertThat(admin.count(JobQuery.ALL, 10)).isZero();
        assertThat(events(Event.ACCEPTED)).isZero();
    }

    @Test
    void case87_aRefusedCallBurnsNeitherKeyNorId() {
        var good = job().key("good").build();
        var large = job().payload(new byte[settings().maxPayloadBytes() + 1]).build();
        assertThatThrownBy(() -> client.enqueue(good, large)).isInstanceOf(BrokerException.Rejected.class);

        assertThat(client.enqueue(good)).containsExactly(new Verdict.Applied(JobState.READY, null));
    }

    @Test
    void verdictsComeInTheOrderOfTheJobs() {
        accept(job().key("taken"));

        assertThat(client.enqueue(
                        job().delay(seconds(9)).build(),
                        job().key("taken").build(),
                        job().build(),
                        job().key("taken").payload("other").build()))
                .extracting(verdict -> verdict.getClass().getSimpleName())
                .containsExactly("Applied", "Duplicate", "Applied", "Conflict");
    }

    @Test
    void eachAcceptedJobIsCountedOnceByTypeAndQueue() {
        accept(job().key("k"));
        client.enqueue(job().key("k"));
        accept(job().type("other-type"));
        accept(job().queue("reports").delay(seconds(3)));

        assertThat(admin.statistics(dev.belay.broker.StatisticsQuery.TOTAL))
                .filteredOn(count -> count.count() != 0)
                .extracting(count -> count.queue() + " " + count.type() + " " + count.event() + " " + count.count())
                .containsExactlyInAnyOrder(
                        "mail send-receipt ACCEPTED 1",
                        "mail other-type ACCEPTED 1",
                        "reports send-receipt ACCEPTED 1");
    }

    @Test
    void aKeyThatWasNotGivenIsTheId() {
        var id = accept(job());

        assertThat(find(id).key().explicit()).isFalse();
        assertThat(find(id).key().value()).isEqualTo(id.toString());
        assertThat(find(id).key().fingerprint())
                .isEqualTo(Fingerprint.of("{}".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    private Job onlyJob() {
        var jobs = admin.list(JobQuery.ALL, null, 10).jobs();
        assertThat(jobs).hasSize(1);
        return jobs.get(0);
    }
}
