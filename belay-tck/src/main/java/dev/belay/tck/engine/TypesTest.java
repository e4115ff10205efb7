package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.JobQuery;
import dev.belay.event.JobEvent;
import dev.belay.handler.Codecs;
import dev.belay.handler.PayloadCodec;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Types that a worker knows, knows under another name or in another version, or does not know. */
public class TypesTest extends EngineSuite {

    private static final JobType<String> GONE =
            JobType.define("gone", String.class).queue(QUEUE).build();

    private static final JobType<Integer> NUMBER_V1 =
            JobType.define("number", Integer.class).queue(QUEUE).build();

    private static final JobType<String> NUMBER_V2 = JobType.define("number", String.class)
            .queue(QUEUE)
            .version(2)
            .upcast(1, Integer.class, number -> "upcast " + number)
            .build();

    @Test
    void anOldPayloadIsUpcast() {
        start(define().queue(QUEUE, 2).handle(NUMBER_V2, effects.count((payload, context) -> {})));
        var old = enqueue(NUMBER_V1.with(7));
        var fresh = enqueue(NUMBER_V2.with("seven"));
        awaitAll(List.of(old, fresh), JobState.SUCCEEDED);
        assertThat(effects.of(old))
                .singleElement()
                .extracting(Effects.Run::payload)
                .isEqualTo("upcast 7");
        assertThat(effects.of(fresh))
                .singleElement()
                .extracting(Effects.Run::payload)
                .isEqualTo("seven");
    }

    @Test
    void anUpcasterThatThrowsMakesTheJobUndecodable() {
        var broken = JobType.define("number", String.class)
                .queue(QUEUE)
                .version(2)
                .upcast(1, Integer.class, number -> {
                    throw new IllegalStateException("no " + number);
                })
                .build();
        start(define().queue(QUEUE, 2).handle(broken, effects.count((payload, context) -> {})));
        var id = enqueue(NUMBER_V1.with(7));
        awaitState(id, JobState.DEAD);
        assertThat(job(id).reason()).isEqualTo(DeadReason.UNDECODABLE.name());
        assertThat(job(id).lastError())
                .isNotNull()
                .extracting("message")
                .asString()
                .contains("version 1", "no 7");
        assertThat(effects.starts()).isZero();
    }

    @Test
    void aNewerPayloadWaitsForAWorkerThatKnowsIt() {
        expectLog("that this worker does not know");
        var old = start(define().queue(QUEUE, 2).handle(NUMBER_V1, effects.count((payload, context) -> {})));
        var id = enqueue(NUMBER_V2.with("seven"));
        awaitState(id, JobState.SCHEDULED);
        assertThat(job(id).times().unknownSince()).isNotNull();
        assertThat(effects.starts()).isZero();
        start(define(secondNode()).queue(QUEUE, 2).handle(NUMBER_V2, effects.count((payload, context) -> {})));
        old.close();
        awaitState(id, JobState.SUCCEEDED);
        effects.assertOnce(List.of(id));
    }

    @Test
    void aRenamedTypeIsHandledUnderItsFormerName() {
        var renamed = JobType.define("fresh", String.class)
                .queue(QUEUE)
                .aliases("gone", "long-gone")
                .build();
        start(define().queue(QUEUE, 2).handle(renamed, effects.count((payload, context) -> {})));
        var ids = List.of(enqueue(GONE.with("old")), enqueue(renamed.with("new")));
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(effects.of(ids.get(0)))
                .singleElement()
                .extracting(Effects.Run::type)
                .isEqualTo("gone");
    }

    @Test
    void anUndecodablePayloadIsADeadLetterAtOnceUntouched() {
        start(define().queue(QUEUE, 2).handle(NUMBER_V1, effects.count((payload, context) -> {})));
        var id = enqueue(
                JobType.define("number", String.class).queue(QUEUE).build().with("not a number"));
        awaitState(id, JobState.DEAD);
        var detail = admin.find(QUEUE, id).orElseThrow();
        assertThat(detail.job().reason()).isEqualTo(DeadReason.UNDECODABLE.name());
        assertThat(detail.payload())
                .isNotNull()
                .satisfies(payload -> assertThat(payload.bytes())
                        .isEqualTo("not a number".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        assertThat(effects.starts()).isZero();
        assertThat(detail.job().token()).isEqualTo(1);
    }

    @Test
    void anUnknownCodecIsADeadLetterThatNamesIt() {
        var zipped = closing(dev.belay.Belay.builder(broker)
                .codecs(Codecs.of(renamed("klingon")))
                .build());
        serve(1, (payload, context) -> {});
        var id = zipped.enqueue(WORK.with("p")).id();
        awaitState(id, JobState.DEAD);
        assertThat(job(id).reason()).isEqualTo(DeadReason.UNDECODABLE.name());
        assertThat(job(id).lastError())
                .isNotNull()
                .extracting("message")
                .asString()
                .contains("klingon", "text");
    }

    @Test
    void G6_runningOutOfMemoryWhileDecodingIsAFailureAndNotTheJobsFault() {
        var tries = new AtomicInteger();
        var poor = new TextCodec() {
            @Override
            public <T> T decode(byte[] bytes, Class<T> type) throws dev.belay.handler.UndecodableException {
                if (tries.incrementAndGet() == 1) {
                    throw new OutOfMemoryError("Java heap space");
                }
                return super.decode(bytes, type);
            }
        };
        expectLog("The pipeline of job");
        start(define().codecs(Codecs.of(poor)).queue(QUEUE, 1).handle(WORK, effects.count((payload, context) -> {})));
        var id = enqueue("p");
        awaitState(id, JobState.SUCCEEDED);
        assertThat(job(id).counts().failures()).isEqualTo(1);
    }

    private static PayloadCodec renamed(String name) {
        return new TextCodec() {
            @Override
            public String name() {
                return name;
            }
        };
    }

    // --- unknown types ---

    @Test
    void case44_jobsOfATypeThatIsGoneHarmNobodyAndEndAsDeadLetters() {
        expectLog("that this worker does not know");
        var gone = belay
                .enqueueAll(java.util.stream.IntStream.range(0, 10)
                        .mapToObj(i -> GONE.with("gone " + i))
                        .toList())
                .stream()
                .map(answer -> answer.id())
                .toList();
        var worker = serve(10, (payload, context) -> {});
        var good = enqueueMany(1_000);
        awaitAll(good, JobState.SUCCEEDED);
        awaitAll(gone, JobState.SCHEDULED);
        effects.assertOnce(good);
        assertThat(effects.starts()).isEqualTo(1_000);

        // The time counts by the reapers' looks, while a worker serves the queue that does not know the type.
        quickReaping();
        admin.configure(withUnknownTypeLimit(Duration.ofSeconds(2)), By.of("ann"));
        eventually(() -> {
            advance(Duration.ofSeconds(5));
            assertThat(states(gone)).isEqualTo(java.util.Map.of(JobState.DEAD, 10));
        });
        assertThat(gone).allSatisfy(id -> {
            var job = job(id);
            assertThat(job.reason()).isEqualTo(DeadReason.UNKNOWN_TYPE.name());
            assertThat(job.type()).isEqualTo("gone");
            assertThat(job.counts().failures()).isZero();
            assertThat(told.of(id, JobEvent.Died.class))
                    .singleElement()
                    .extracting(JobEvent.Died::reason)
                    .isEqualTo(DeadReason.UNKNOWN_TYPE);
        });
        assertThat(bench.logs().warnings())
                .as("one warning a minute")
                .filteredOn(w -> w.contains("does not know"))
                .hasSizeLessThan(5);

        // It comes back.
        worker.close();
        gone.forEach(id -> applied(admin.replay(QUEUE, id, null, By.of("ann"))));
        start(define().queue(QUEUE, 4)
                .handle(WORK, (payload, context) -> {})
                .handle(GONE, effects.count((payload, context) -> {})));
        awaitAll(gone, JobState.SUCCEEDED);
        effects.assertOnce(gone);
    }

    private dev.belay.broker.NamespaceSettings withUnknownTypeLimit(Duration limit) {
        var now = settings();
        return new dev.belay.broker.NamespaceSettings(
                now.reapInterval(),
                now.reapGrace(),
                now.dedupWindow(),
                limit,
                now.auditRetention(),
                now.maxPayloadBytes());
    }

    @Test
    void case45_aWorkerThatDoesNotKnowATypeGivesItBack() {
        expectLog("that this worker does not know");
        var ignorant = new CopyOnWriteArrayList<JobId>();
        start(define().queue(QUEUE, 4)
                .handle(WORK, (payload, context) -> ignorant.add(context.job().id())));
        start(define(secondNode()).queue(QUEUE, 4).handle(GONE, effects.count((payload, context) -> {})));
        var ids = enqueueMany(GONE, 300);
        // A snoozed one waits for a second at least.
        eventually(() -> {
            advance(Duration.ofSeconds(1));
            assertThat(states(ids)).isEqualTo(java.util.Map.of(JobState.SUCCEEDED, 300));
        });
        effects.assertOnce(ids);
        assertThat(ignorant).isEmpty();
        assertThat(ids).allSatisfy(id -> assertThat(job(id).counts().failures()).isZero());
    }

    @Test
    void case48_jobsOfATypeThatIsGoneCanBeListedShownReplayedAndDiscarded() {
        expectLog("that this worker does not know");
        var ids = enqueueMany(GONE, 30);
        serve(4, (payload, context) -> {});
        awaitAll(ids, JobState.SCHEDULED);
        assertThat(list(JobQuery.ALL.ofType("gone"))).hasSize(30);
        assertThat(admin.unknownTypes())
                .hasSize(1)
                .hasEntrySatisfying(
                        new dev.belay.broker.BrokerAdmin.UnknownType(QUEUE, "gone", 1),
                        count -> assertThat(count).isEqualTo(30));
        var detail = belay.find(ids.get(0)).orElseThrow();
        assertThat(CODECS.show(java.util.Objects.requireNonNull(detail.payload())))
                .isEqualTo("payload-0");
        ids.subList(0, 10).forEach(id -> applied(admin.cancel(QUEUE, id, By.of("ann"))));
        ids.subList(0, 5).forEach(id -> applied(admin.discard(QUEUE, id, null, By.of("ann"))));
        ids.subList(5, 10).forEach(id -> applied(admin.replay(QUEUE, id, null, By.of("ann"))));
        assertThat(list(JobQuery.ALL.ofType("gone"))).hasSize(25);
        assertThat(admin.find(QUEUE, ids.get(0))).isEmpty();
    }
}
