package dev.belay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.Belay;
import dev.belay.handler.IdempotencyConflictException;
import dev.belay.handler.JobSignal;
import dev.belay.job.Backoff;
import dev.belay.job.By;
import dev.belay.job.DeadReason;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.job.Outcome;
import dev.belay.job.RetryPolicy;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TestBelayTest {

    record Charge(int orderId, String amount) {}

    record Mail(String to) {}

    private static final JobType<Charge> CHARGE = JobType.define("charge", Charge.class)
            .queue("payments")
            .retry(RetryPolicy.with(Backoff.exponential(Duration.ofSeconds(10), 2, Duration.ofHours(1))
                            .withJitter(false))
                    .never(IllegalArgumentException.class))
            .maxAttempts(3)
            .build();
    private static final JobType<Mail> MAIL =
            JobType.define("mail", Mail.class).aliases("email").build();

    private final TestBelay belay = TestBelay.create();
    private final List<String> told = new ArrayList<>();

    @AfterEach
    void close() {
        belay.close();
    }

    /** Code under test. */
    private static void placeOrder(Belay client, int id) {
        client.enqueue(CHARGE.with(new Charge(id, "19.90")).key("order-" + id));
    }

    @Test
    void theFirstExampleWorks() {
        placeOrder(belay.client(), 42);

        belay.assertEnqueued(CHARGE).withKey("order-42").once();
        belay.handle(CHARGE, (charge, context) -> told.add("charged " + charge.orderId()));
        var runs = belay.runAll();

        assertThat(told).containsExactly("charged 42");
        assertThat(runs).singleElement().satisfies(run -> {
            assertThat(run.succeeded()).isTrue();
            assertThat(run.state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(run.attempt()).isEqualTo(1);
            assertThat(run.queue()).isEqualTo("payments");
        });
    }

    @Test
    void handlersRunOnTheTestsThreadThroughTheWholePipeline() {
        var threads = new ArrayList<Thread>();
        belay.intercept((context, next) -> {
            told.add("outer");
            next.proceed();
            told.add("outer again");
        });
        belay.intercept((context, next) -> {
            told.add("inner " + context.job().type());
            next.proceed();
        });
        belay.handle(CHARGE, (charge, context) -> {
            threads.add(Thread.currentThread());
            context.progress("half");
            context.result(new Mail("done"));
            told.add("follow-up " + (context.followUp(MAIL.with(new Mail("ann"))) != null));
        });
        belay.handle(
                MAIL,
                (mail, context) -> told.add("mail to " + mail.to() + ", parent "
                        + (context.job().links().parent() != null)));
        placeOrder(belay.client(), 1);

        var runs = belay.runAll();

        assertThat(threads).containsExactly(Thread.currentThread());
        assertThat(told)
                .containsExactly(
                        "outer",
                        "inner charge",
                        "follow-up true",
                        "outer again",
                        "outer",
                        "inner mail",
                        "mail to ann, parent true",
                        "outer again");
        assertThat(runs).extracting(Run::type).containsExactly("charge", "mail");
        var detail = belay.client().find(runs.get(0).job()).orElseThrow();
        assertThat(detail.job().progress()).isEqualTo("half");
        assertThat(detail.result()).asString().isEqualTo("{\"to\":\"done\"}");
        belay.assertEnqueued(MAIL).withPayload(new Mail("ann")).once();
    }

    @Test
    void failuresAreRetriedWhenTheTimeHasCome() {
        belay.handle(CHARGE, (charge, context) -> {
            told.add("attempt " + context.attempt() + " at "
                    + Duration.between(Instant.parse("2026-01-01T00:00:00Z"), belay.now())
                            .toSeconds());
            throw new IOException("away");
        });
        placeOrder(belay.client(), 1);

        assertThat(belay.runAll()).hasSize(1).first().satisfies(run -> {
            assertThat(run.thrown()).isInstanceOf(IOException.class);
            assertThat(run.state()).isEqualTo(JobState.SCHEDULED);
        });
        belay.advance(Duration.ofMillis(9_999));
        assertThat(belay.runAll()).isEmpty();
        belay.advance(Duration.ofMillis(1));
        assertThat(belay.runAll()).hasSize(1);
        var last = belay.runFor(Duration.ofMinutes(5));

        assertThat(told).containsExactly("attempt 1 at 0", "attempt 2 at 10", "attempt 3 at 30");
        assertThat(last)
                .singleElement()
                .satisfies(run -> assertThat(run.state()).isEqualTo(JobState.DEAD));
        assertThat(belay.now()).isEqualTo(Instant.parse("2026-01-01T00:05:10Z"));
        belay.assertEnqueued(CHARGE).notDelayed().inState(JobState.DEAD);
        belay.client().deadLetters().replay(last.get(0).job(), By.of("test"));
        assertThat(belay.runNext()).isPresent();
    }

    @Test
    void outcomesAreThoseOfAWorker() {
        belay.handle(MAIL, (mail, context) -> {
            switch (mail.to()) {
                case "snooze" -> throw context.snooze(Duration.ofMinutes(1));
                case "bury" -> throw new JobSignal.Bury("no such address");
                case "later" -> throw context.retryAfter(Duration.ofMinutes(1), "busy");
                default -> throw new StackOverflowError();
            }
        });
        belay.handle(CHARGE, (charge, context) -> {
            throw new IllegalArgumentException("never");
        });
        var outcomes = new ArrayList<Outcome>();
        for (var to : List.of("snooze", "bury", "later", "error")) {
            belay.client().enqueue(MAIL, new Mail(to));
            outcomes.add(belay.runNext().orElseThrow().outcome());
        }
        placeOrder(belay.client(), 1);
        outcomes.add(belay.runNext().orElseThrow().outcome());

        assertThat(outcomes.get(0)).isEqualTo(new Outcome.Snooze(Duration.ofMinutes(1), false));
        assertThat(outcomes.get(1)).extracting("reason").isEqualTo(DeadReason.BY_HANDLER);
        assertThat(outcomes.get(2)).extracting("explicitWait").isEqualTo(true);
        assertThat(outcomes.get(3)).isInstanceOf(Outcome.Retry.class);
        assertThat(outcomes.get(4)).extracting("reason").isEqualTo(DeadReason.NOT_RETRYABLE);
    }

    @Test
    void whatCannotBeDecodedIsADeadLetter() {
        var other = JobType.of("mail", Integer.class);
        belay.client().enqueue(other, 7);
        belay.handle(MAIL, (mail, context) -> told.add("never"));

        var run = belay.runNext().orElseThrow();

        assertThat(run.outcome()).extracting("reason").isEqualTo(DeadReason.UNDECODABLE);
        assertThat(run.state()).isEqualTo(JobState.DEAD);
        assertThat(told).isEmpty();
        assertThatThrownBy(() -> belay.assertEnqueued(MAIL).withPayload(new Mail("ann")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("mail in queue default, priority 2, DEAD: 7");
    }

    @Test
    void jobsWithoutAHandlerAreLeftWhereTheyAre() {
        for (var i = 0; i < 5; i++) {
            belay.client().enqueue(MAIL.with(new Mail("m" + i)).queue("payments"));
        }
        placeOrder(belay.client(), 1);
        belay.handle(CHARGE, (charge, context) -> told.add("charged"));

        assertThat(belay.runAll()).hasSize(1);
        assertThat(belay.runFor(Duration.ofDays(3))).isEmpty();
        belay.assertEnqueued(MAIL).inState(JobState.READY).times(5);
        belay.handle(MAIL, (mail, context) -> told.add(mail.to()));
        belay.runAll();

        assertThat(told).containsExactly("charged", "m0", "m1", "m2", "m3", "m4");
    }

    @Test
    void scheduledJobsRunWhenTheyAreDueInOrder() {
        belay.handle(MAIL, (mail, context) -> told.add(mail.to()));
        belay.client().enqueue(MAIL.with(new Mail("3 h")).delay(Duration.ofHours(3)));
        belay.client()
                .enqueue(MAIL.with(new Mail("1 h")).delay(Duration.ofHours(1)).queue("other"));
        belay.client().enqueue(MAIL.with(new Mail("now, last")).priority(4));
        belay.client().enqueue(MAIL.with(new Mail("now, first")).priority(0));
        belay.client()
                .enqueue(MAIL.with(new Mail("expires"))
                        .delay(Duration.ofHours(1))
                        .expiresAfter(Duration.ofMinutes(1)));
        belay.client().enqueue(MAIL.with(new Mail("5 h")).delay(Duration.ofHours(5)));

        belay.runFor(Duration.ofHours(4));

        assertThat(told).containsExactly("now, first", "now, last", "1 h", "3 h");
        belay.assertEnqueued(MAIL)
                .withPayload(new Mail("3 h"))
                .delayedBy(Duration.ofHours(3))
                .once();
    }

    @Test
    void aJobThatMayCrashOnlyOnceRunsToo() {
        var once = JobType.define("once", Mail.class).maxCrashes(1).build();
        belay.handle(once, (mail, context) -> told.add(mail.to()));
        belay.client().enqueue(once, new Mail("a"));
        belay.client().enqueue(once, new Mail("b"));

        assertThat(belay.runAll()).hasSize(2).allMatch(Run::succeeded);
    }

    @Test
    void aHandlerThatCancelsItsOwnJobFindsItsLeaseLost() {
        belay.handle(MAIL, (mail, context) -> {
            context.onLeaseLost(() -> told.add("told"));
            belay.client().admin().cancel(null, context.job().id(), By.of("test"));
            told.add("lost " + context.leaseLost());
        });
        belay.client().enqueue(MAIL, new Mail("a"));

        var run = belay.runNext().orElseThrow();

        assertThat(told).containsExactly("told", "lost true");
        assertThat(run.state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void assertionsWithinHandlersFailTheTest() {
        belay.handle(MAIL, (mail, context) -> assertThat(mail.to()).isEqualTo("bob"));
        belay.client().enqueue(MAIL, new Mail("ann"));

        assertThatThrownBy(belay::runAll).isInstanceOf(AssertionError.class).hasMessageContaining("bob");
    }

    @Test
    void failuresAreThrownOnWhereThatIsAskedFor() {
        belay.rethrowFailures().handle(MAIL, (mail, context) -> {
            if (mail.to().equals("snooze")) {
                throw context.snooze(Duration.ofMinutes(1));
            }
            throw new IOException("away");
        });
        belay.client().enqueue(MAIL, new Mail("snooze"));
        assertThatCode(belay::runAll).doesNotThrowAnyException();
        belay.client().enqueue(MAIL, new Mail("ann"));

        assertThatThrownBy(belay::runAll).isInstanceOf(AssertionError.class).hasRootCauseMessage("away");
        belay.assertEnqueued(MAIL).withPayload(new Mail("ann")).inState(JobState.SCHEDULED);
    }

    @Test
    void jobsThatMakeJobsForEverAreFound() {
        belay.handle(MAIL, (mail, context) -> context.followUp(MAIL.with(mail)));
        belay.client().enqueue(MAIL, new Mail("again"));

        assertThatThrownBy(belay::runAll)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("for ever");
    }

    @Test
    void aHandlerCannotRunJobs() {
        belay.handle(MAIL, (mail, context) -> belay.runAll());
        belay.client().enqueue(MAIL, new Mail("x"));

        assertThat(belay.runNext().orElseThrow().thrown()).hasMessageContaining("a handler can't run jobs");
    }

    @Test
    void randomnessIsTheSameEachTime() {
        var first = delays();
        assertThat(delays()).isEqualTo(first);
        assertThat(first).doesNotContain(Duration.ZERO);
    }

    private static List<Duration> delays() {
        var type = JobType.of("flaky", Mail.class);
        var delays = new ArrayList<Duration>();
        try (var belay = TestBelay.create()) {
            belay.handle(type, (mail, context) -> {
                throw new IOException();
            });
            belay.client().enqueue(type, new Mail("x"));
            belay.runFor(Duration.ofDays(1)).forEach(run -> {
                if (run.outcome() instanceof Outcome.Retry retry) {
                    delays.add(retry.delay());
                }
            });
        }
        return delays;
    }

    @Test
    void assertionsSayWhatWasEnqueuedInstead() {
        assertThatThrownBy(() -> belay.assertEnqueued(MAIL))
                .isInstanceOf(AssertionError.class)
                .hasMessage("Expected 'mail' to be enqueued, but nothing was enqueued.");
        placeOrder(belay.client(), 1);
        belay.client()
                .enqueue(MAIL.with(new Mail("ann"))
                        .delay(Duration.ofMinutes(5))
                        .tag("vip")
                        .priority(0)
                        .header("tenant", "a"));

        belay.assertEnqueued(MAIL)
                .inQueue("default")
                .withPayload(new Mail("ann"))
                .withPayload("goes to ann", mail -> mail.to().equals("ann"))
                .delayedBy(Duration.ofMinutes(5))
                .withTag("vip")
                .withHeader("tenant", "a")
                .withPriority(0)
                .inState(JobState.SCHEDULED)
                .once();
        assertThatThrownBy(() -> belay.assertEnqueued(MAIL).withPayload(new Mail("bob")))
                .isInstanceOf(AssertionError.class)
                .hasMessage("""
                        Expected 'mail', with payload Mail[to=bob] to be enqueued, but these 2 were:
                          charge in queue payments, key 'order-1', priority 2, READY: { "orderId": 1, "amount": "19.90" }
                          mail in queue default, delayed by PT5M, tags [vip], priority 0, SCHEDULED: { "to": "ann" }""");
        for (var wrong : List.<Runnable>of(
                () -> belay.assertEnqueued(MAIL).inQueue("mail"),
                () -> belay.assertEnqueued(MAIL).withKey("k"),
                () -> belay.assertEnqueued(MAIL)
                        .withPayload("goes to bob", mail -> mail.to().equals("bob")),
                () -> belay.assertEnqueued(MAIL).delayedBy(Duration.ofMinutes(4)),
                () -> belay.assertEnqueued(MAIL).notDelayed(),
                () -> belay.assertEnqueued(MAIL).withTag("v"),
                () -> belay.assertEnqueued(MAIL).withHeader("tenant", "b"),
                () -> belay.assertEnqueued(MAIL).withPriority(1),
                () -> belay.assertEnqueued(MAIL).inState(JobState.READY),
                () -> belay.assertEnqueued(MAIL).times(2),
                () -> belay.assertNotEnqueued(MAIL),
                () -> belay.assertNotEnqueued(MAIL, mail -> mail.to().startsWith("a")),
                belay::assertNothingEnqueued)) {
            assertThatThrownBy(wrong::run)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("mail in queue default, delayed by PT5M");
        }
        belay.assertNotEnqueued(MAIL, mail -> mail.to().startsWith("b"));
        belay.assertNotEnqueued(JobType.of("sms", String.class));
    }

    @Test
    void payloadsComeInOrderWhateverEnqueuedThem() {
        for (var i = 0; i < 20; i++) {
            belay.client().enqueue(MAIL, new Mail("m" + i));
        }
        Belay.on(belay.broker()).enqueue(JobType.of("email", Mail.class), new Mail("an alias, by another client"));

        assertThat(belay.payloads(MAIL)).hasSize(21).element(7).isEqualTo(new Mail("m7"));
        assertThat(belay.payloads(MAIL).get(20)).isEqualTo(new Mail("an alias, by another client"));
        assertThat(belay.assertEnqueued(MAIL)
                        .withPayload("ends with 3", mail -> mail.to().endsWith("3"))
                        .payloads())
                .containsExactly(new Mail("m3"), new Mail("m13"));
    }

    /** A connection of any database: only its auto-commit is asked. */
    private static Connection connection(boolean autoCommit) {
        return (Connection) Proxy.newProxyInstance(
                TestBelayTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, args) -> {
                    assertThat(method.getName()).isEqualTo("getAutoCommit");
                    return autoCommit;
                });
    }

    @Test
    void whatIsEnqueuedInATransactionIsThereAtOnce() throws SQLException {
        var request = MAIL.with(new Mail("ann")).key("k");
        assertThat(belay.client().enqueueIn(connection(false), request).duplicate())
                .isFalse();
        assertThat(belay.client().enqueueIn(connection(false), request).duplicate())
                .isTrue();
        assertThatThrownBy(() -> belay.client()
                        .enqueueIn(connection(false), MAIL.with(new Mail("bob")).key("k")))
                .isInstanceOf(IdempotencyConflictException.class);
        assertThatThrownBy(() -> belay.client().enqueueIn(connection(true), MAIL.with(new Mail("eve"))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("auto-commit");

        belay.assertEnqueued(MAIL).withKey("k").once();
        belay.handle(MAIL, (mail, context) -> told.add(mail.to()));
        belay.runAll();
        assertThat(told).containsExactly("ann");
    }

    @Test
    void aJobThatIsCompletedInATransactionIsCompletedByTheReturn() {
        belay.handle(MAIL, (mail, context) -> {
            if (mail.to().equals("auto-commit")) {
                context.completeIn(connection(true));
            }
            context.followUp(CHARGE.with(new Charge(1, "1")));
            context.completeIn(connection(false), "sent");
            if (mail.to().equals("throws")) {
                throw new IOException("after it");
            }
        });
        belay.client().enqueue(MAIL.with(new Mail("ann")));
        var run = belay.runNext().orElseThrow();
        assertThat(run.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(((Outcome.Complete) run.outcome()).result()).isEqualTo("\"sent\"".getBytes(StandardCharsets.UTF_8));
        belay.assertEnqueued(CHARGE).once();

        belay.client().enqueue(MAIL.with(new Mail("throws")));
        assertThat(belay.runNext().orElseThrow().outcome()).isInstanceOf(Outcome.Retry.class);
        belay.client().enqueue(MAIL.with(new Mail("auto-commit")));
        assertThat(belay.runNext().orElseThrow().thrown()).isInstanceOf(InvalidInputException.class);
    }
}
