package dev.belay.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.Belay;
import dev.belay.Worker;
import dev.belay.broker.BrokerException;
import dev.belay.broker.JobQuery;
import dev.belay.handler.Codecs;
import dev.belay.handler.Enqueued;
import dev.belay.handler.GzipTransform;
import dev.belay.handler.IdempotencyConflictException;
import dev.belay.jackson.JacksonCodec;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobRequest;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.memory.MemoryBroker;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BelayTest {

    record Mail(String to, Map<String, Object> more) {}

    private static final JobType<Mail> MAIL =
            JobType.define("mail", Mail.class).queue("mail").build();
    private static final JobType<String> TEXT = JobType.of("text", String.class);

    private final MemoryBroker memory = MemoryBroker.create();
    private final Faulty faulty = new Faulty(memory.node());
    private final Belay belay = Belay.on(faulty.broker());

    @Test
    void G1_aLostReplyMakesNoSecondJob() {
        var calls = new AtomicInteger();
        faulty.after(method -> {
            if (method.equals("enqueue") && calls.incrementAndGet() <= 3) {
                throw new BrokerException.Unknown("the reply was lost", null);
            }
        });

        var answers = belay.enqueueAll(
                List.of(TEXT.with("a"), TEXT.with("b"), TEXT.with("c").key("k")));

        assertThat(calls).hasValue(4);
        assertThat(answers).extracting(Enqueued::duplicate).containsExactly(false, false, false);
        assertThat(answers).extracting(Enqueued::state).containsOnly(JobState.READY);
        assertThat(jobs()).isEqualTo(3);
    }

    @Test
    void G1_aRefusedCallIsTriedAgain() {
        var calls = new AtomicInteger();
        faulty.before(method -> {
            if (method.equals("enqueue") && calls.incrementAndGet() <= 3) {
                throw new BrokerException.NotApplied("starting up", null);
            }
        });

        assertThat(belay.enqueue(TEXT, "a").duplicate()).isFalse();
        assertThat(jobs()).isEqualTo(1);
    }

    @Test
    void anOutageEndsInAnExceptionThatSaysWhatIsKnown() {
        var impatient = Belay.builder(faulty.broker())
                .enqueueTimeout(Duration.ofMillis(50))
                .build();
        faulty.before(method -> failIf(method.equals("enqueue"), new BrokerException.NotApplied("away", null)));
        assertThatThrownBy(() -> impatient.enqueue(TEXT, "a"))
                .isInstanceOf(BrokerException.NotApplied.class)
                .hasMessageContaining("was not accepted into queue 'default'")
                .hasMessageContaining("away");

        var first = new AtomicInteger();
        faulty.before(method -> {
            if (method.equals("enqueue")) {
                throw first.incrementAndGet() == 1
                        ? new BrokerException.Unknown("cut off", null)
                        : new BrokerException.NotApplied("away", null);
            }
        });
        assertThatThrownBy(() -> impatient.enqueue(TEXT, "b"))
                .as("once unknown, it stays unknown")
                .isInstanceOf(BrokerException.Unknown.class)
                .hasMessageContaining("not known whether job");
        faulty.heal();
        assertThat(impatient.enqueue(TEXT, "c").duplicate()).isFalse();
    }

    @Test
    void anInterruptedCallerNeitherSpinsNorLosesItsInterrupt() {
        var calls = new AtomicInteger();
        faulty.before(method -> {
            if (method.equals("enqueue") && calls.incrementAndGet() < 5) {
                throw new BrokerException.NotApplied("away", null);
            }
        });
        Thread.currentThread().interrupt();

        var request = TEXT.with("a");
        try {
            belay.enqueue(request);
        } catch (BrokerException.Unknown e) {
            assertThat(e).hasMessageContaining("interrupted");
        }

        assertThat(Thread.interrupted()).isTrue();
        assertThat(calls.get()).isEqualTo(5);
        assertThat(belay.find(request.id())).isPresent();
    }

    @Test
    void whatIsWrongWithARequestIsToldByTheStageToo() {
        var type = JobType.define("charge", String.class).requireKey().build();

        assertThat(belay.enqueueAsync(type.with("x")).toCompletableFuture())
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(InvalidInputException.class);
        belay.close();
        assertThat(belay.enqueueAsync(TEXT.with("x")).toCompletableFuture())
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(IllegalStateException.class);
        assertThat(jobs()).isZero();
    }

    @Test
    void whatDependsOnAStageMayEnqueueAndWait() throws Exception {
        var chain = CompletableFuture.completedStage(new Enqueued(TEXT.with("x").id(), false, null));
        for (var i = 0; i < 50; i++) {
            var n = i;
            chain = chain.thenCompose(before -> belay.enqueueAsync(TEXT.with("async " + n)))
                    .thenApply(before -> belay.enqueue(TEXT, "sync " + n));
        }

        chain.toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertThat(jobs()).isEqualTo(100);
    }

    @Test
    void anInterceptorMayEnqueueAndWaitOnTheWayBack() {
        var audited = Belay.builder(faulty.broker())
                .intercept((requests, next) -> next.proceed(requests).thenApply(answers -> {
                    if (requests.get(0).type() == MAIL) {
                        belay.enqueue(TEXT, "an audit of " + requests.size());
                    }
                    return answers;
                }))
                .build();
        var looping = new Belay[1];
        looping[0] = Belay.builder(faulty.broker())
                .intercept((requests, next) -> next.proceed(requests).thenApply(answers -> {
                    if (requests.get(0).type() == MAIL) {
                        looping[0].enqueue(TEXT.with("into the same line").queue("mail"));
                    }
                    return answers;
                }))
                .build();

        audited.enqueue(MAIL, new Mail("ann", Map.of()));
        looping[0].enqueue(MAIL, new Mail("ann", Map.of()));

        assertThat(jobs()).isEqualTo(4);
    }

    @Test
    void closingFinishesWhatIsUnderWay() throws Exception {
        var arrived = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        faulty.before(method -> {
            if (method.equals("enqueue")) {
                arrived.countDown();
                await(gate);
            }
        });
        var threads = Executors.newSingleThreadExecutor();
        var first = threads.submit(() -> belay.enqueue(TEXT, "first"));
        arrived.await();
        var waiting = IntStream.range(0, 10)
                .mapToObj(i -> belay.enqueueAsync(TEXT.with("waiting " + i)).toCompletableFuture())
                .toList();

        belay.close();
        gate.countDown();

        first.get();
        for (var answer : waiting) {
            assertThat(answer.get().duplicate()).isFalse();
        }
        assertThatThrownBy(() -> belay.enqueue(TEXT, "late")).isInstanceOf(IllegalStateException.class);
        assertThat(jobs()).isEqualTo(11);
        threads.shutdown();
    }

    @Test
    void case98_thePayloadLimitIsToldWithSizesAndNothingIsCut() {
        var limit = memory.settings().maxPayloadBytes();
        for (var border : List.of("x", "ü", "€", "\ud83d\ude00")) {
            var fits = text(limit, border);
            var tooLarge = fits + "y";

            var id = belay.enqueue(TEXT, fits).id();
            assertThatThrownBy(() -> belay.enqueue(TEXT, tooLarge))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage("payload: must be at most " + limit + " bytes, but is " + (limit + 1) + " bytes");
            var stored = belay.find(id).orElseThrow().payload();
            assertThat(requireNonNull(stored).size()).isEqualTo(limit);
        }
        var good = TEXT.with("small");
        assertThatThrownBy(() -> belay.enqueueAll(List.of(good, TEXT.with("x".repeat(10 * 1024 * 1024)))))
                .isInstanceOf(InvalidInputException.class);
        assertThat(belay.find(good.id())).as("one bad request refuses all").isEmpty();
        assertThat(jobs()).isEqualTo(4);
    }

    /** A JSON string of exactly so many bytes, with a character right before its end. */
    private static String text(int bytes, String last) {
        return "x".repeat(bytes - 2 - last.getBytes(java.nio.charset.StandardCharsets.UTF_8).length) + last;
    }

    @Test
    void case86_formattingMakesNoOtherRequestButContentDoes() {
        var first = belay.enqueue(
                MAIL.with(new Mail("ann", Map.of("a", 1, "b", 2.0))).key("k"));
        var gzip = Belay.builder(memory)
                .codecs(Codecs.of(new JacksonCodec(), new GzipTransform()))
                .build();

        for (var same : List.of(
                new Mail("ann", Map.of("b", 2L, "a", 1.0)),
                new Mail("ann", Map.of("b", new java.math.BigDecimal("2.000"), "a", (short) 1)))) {
            assertThat(belay.enqueue(MAIL.with(same).key("k")))
                    .isEqualTo(new Enqueued(first.id(), true, JobState.READY));
            assertThat(gzip.enqueue(MAIL.with(same).key("k").delay(Duration.ofHours(1)))
                            .duplicate())
                    .isTrue();
        }
        assertThatThrownBy(
                        () -> belay.enqueue(MAIL.with(new Mail("bob", Map.of())).key("k")))
                .isInstanceOfSatisfying(
                        IdempotencyConflictException.class,
                        e -> assertThat(e.holder()).isEqualTo(first.id()));
        assertThat(belay.enqueue(MAIL.with(new Mail("bob", Map.of())).key("k").queue("other"))
                        .duplicate())
                .isFalse();
        assertThat(jobs()).isEqualTo(2);
    }

    @Test
    void case85_manyWithOneKeyAreOneJobAndAllGetItsId() throws Exception {
        var threads = Executors.newFixedThreadPool(8);
        for (var round = 0; round < 20; round++) {
            var key = "key " + round;
            var gate = new CountDownLatch(1);
            var answers = new ArrayList<java.util.concurrent.Future<List<Enqueued>>>();
            for (var i = 0; i < 8; i++) {
                var client = i % 2 == 0 ? belay : Belay.on(memory.node());
                answers.add(threads.submit(() -> {
                    gate.await();
                    return client.enqueueAll(List.of(
                            TEXT.with("same").key(key),
                            TEXT.with("other"),
                            TEXT.with("same").key(key)));
                }));
            }
            gate.countDown();
            var ids = new ArrayList<Object>();
            for (var answer : answers) {
                ids.add(answer.get().get(0).id());
                ids.add(answer.get().get(2).id());
            }
            assertThat(ids).containsOnly(ids.get(0));
        }
        assertThat(memory.admin().count(JobQuery.ALL.withKey("key 7"), 10)).isEqualTo(1);
        threads.shutdown();
    }

    @Test
    void interceptorsStandAroundInOrderAndKeepTheNumber() {
        var told = new ArrayList<String>();
        var client = Belay.builder(memory)
                .intercept((requests, next) -> {
                    told.add("outer " + requests.size());
                    return next.proceed(requests.stream()
                                    .<JobRequest<?>>map(r -> r.header("tenant", "a"))
                                    .toList())
                            .thenApply(answers -> {
                                told.add("outer again");
                                return answers;
                            });
                })
                .intercept((requests, next) -> {
                    told.add("inner " + requests.get(0).options().headers());
                    return next.proceed(requests);
                })
                .build();

        var id = client.enqueue(TEXT, "x").id();

        assertThat(told).containsExactly("outer 1", "inner {tenant=a}", "outer again");
        assertThat(client.find(id).orElseThrow().job().options().headers()).containsEntry("tenant", "a");
        var dropping = Belay.builder(memory)
                .intercept((requests, next) -> next.proceed(List.of()))
                .build();
        assertThatThrownBy(() -> dropping.enqueue(TEXT, "x"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 requests into 0");
    }

    /** A connection of another database than the broker's, of which only the name is asked. */
    private static Connection foreign() {
        var metaData = (DatabaseMetaData) Proxy.newProxyInstance(
                BelayTest.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (self, method, args) -> "PostgreSQL");
        return (Connection) Proxy.newProxyInstance(
                BelayTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, args) -> {
                    assertThat(method.getName()).isEqualTo("getMetaData");
                    return metaData;
                });
    }

    @Test
    void withoutADatabaseOfItsOwnAndWithoutAnOutboxItSaysWhatIsMissing() {
        assertThatThrownBy(() -> belay.enqueueIn(foreign(), TEXT.with("x")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("memory broker's store is not in the PostgreSQL database")
                .hasMessageContaining("outbox(JdbcOutbox.open(dataSource))");
        assertThatThrownBy(() -> belay.enqueueOnce(TEXT.with("x").key("k")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no outbox");
        assertThat(jobs()).isZero();
    }

    @Test
    void withoutADatabaseOfTheBrokersNothingIsCompletedInATransaction() {
        var thrown = new CompletableFuture<Throwable>();
        try (var worker = Worker.on(memory)
                .queue("default", 1)
                .handle(TEXT, (text, context) -> {
                    try {
                        context.completeIn(foreign());
                    } catch (IllegalStateException e) {
                        thrown.complete(e);
                    }
                })
                .withoutShutdownHook()
                .start()) {
            assertThat(worker).isNotNull();
            belay.enqueue(TEXT, "x");
            assertThat(thrown.join())
                    .hasMessageContaining("the memory broker can't work in transactions")
                    .hasMessageContaining("onceInTransaction");
        }
    }

    private long jobs() {
        return memory.admin().count(JobQuery.ALL, Long.MAX_VALUE);
    }

    private static void failIf(boolean condition, RuntimeException exception) {
        if (condition) {
            throw exception;
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
