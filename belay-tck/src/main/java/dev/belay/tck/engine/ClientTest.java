package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.Belay;
import dev.belay.broker.BrokerException;
import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.handler.Enqueued;
import dev.belay.handler.IdempotencyConflictException;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobId;
import dev.belay.job.JobRequest;
import dev.belay.job.JobState;
import dev.belay.tck.Together;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The client: what it says was accepted was accepted, once. */
public class ClientTest extends EngineSuite {

    private static final int CALLERS = 10;
    private static final int EACH = 50;

    private Belay onWire(Duration timeout) {
        return closing(Belay.builder(wire.around(broker))
                .codecs(CODECS)
                .enqueueTimeout(timeout)
                .build());
    }

    private static List<JobRequest<String>> requests(int count) {
        return IntStream.range(0, count).mapToObj(i -> WORK.with("p" + i)).toList();
    }

    @Test
    void case14_aSingleEnqueueWhoseReplyIsLostMakesOneJob() {
        wire.loseFirst("enqueue", Wire.Loss.REPLY);
        var answers = Together.run(CALLERS, i -> {
            var client = onWire(PATIENCE);
            return () -> {
                var mine = new ArrayList<Enqueued>();
                for (var request : requests(EACH)) {
                    var answer = client.enqueue(request);
                    assertThat(answer).isEqualTo(new Enqueued(request.id(), false, JobState.READY));
                    mine.add(answer);
                }
                return mine;
            };
        });
        assertThat(answers.stream().mapToInt(List::size).sum()).isEqualTo(CALLERS * EACH);
        assertThat(wire.calls("enqueue")).isEqualTo(2 * CALLERS * EACH);
        assertThat(admin.count(JobQuery.ALL, 10_000)).isEqualTo(CALLERS * EACH);
        assertThat(events(Event.ACCEPTED)).isEqualTo(CALLERS * EACH);
    }

    @Test
    void case14_aBulkEnqueueWhoseReplyIsLostMakesEachJobOnce() {
        wire.loseFirst("enqueue", Wire.Loss.REPLY);
        var client = onWire(PATIENCE);
        var requests = requests(CALLERS * EACH);
        var answers = client.enqueueAll(requests);

        assertThat(answers)
                .containsExactlyElementsOf(requests.stream()
                        .map(request -> new Enqueued(request.id(), false, JobState.READY))
                        .toList());
        assertThat(events(Event.ACCEPTED)).isEqualTo(CALLERS * EACH);
    }

    @Test
    void G1_manyCallersShareRoundTripsAndEachGetsItsOwnAnswer() {
        var client = onWire(PATIENCE);
        wire.faults().loseReply("enqueue").loseCall("enqueue").loseReply("enqueue");
        var ids = Together.run(CALLERS, i -> () -> {
            var mine = new ArrayList<JobId>();
            for (var request : requests(EACH)) {
                assertThat(client.enqueue(request).id()).isEqualTo(request.id());
                mine.add(request.id());
            }
            return mine;
        });
        assertThat(states(ids.stream().flatMap(List::stream).toList()))
                .containsEntry(JobState.READY, CALLERS * EACH)
                .hasSize(1);
        assertThat(events(Event.ACCEPTED)).isEqualTo(CALLERS * EACH);
    }

    @Test
    void G1_anEnqueueWaitsForABrokerThatIsAwayForAWhile() {
        var client = onWire(PATIENCE);
        wire.cut();
        var answer = client.enqueueAsync(WORK.with("p"));
        eventually(() -> assertThat(wire.calls("enqueue")).isGreaterThan(3));
        assertThat(answer.toCompletableFuture()).isNotDone();
        wire.heal();
        assertThat(answer.toCompletableFuture().join().state()).isEqualTo(JobState.READY);
        assertThat(events(Event.ACCEPTED)).isEqualTo(1);
    }

    @Test
    void anEnqueueSaysWhetherTheJobMayHaveBeenAccepted() {
        var client = onWire(Duration.ofMillis(200));
        var request = WORK.with("p");
        wire.cut();
        assertThatThrownBy(() -> client.enqueue(request))
                .isInstanceOf(BrokerException.NotApplied.class)
                .hasMessageContaining(request.id().toString())
                .hasMessageContaining(QUEUE);
        assertThat(admin.count(JobQuery.ALL, 10)).isZero();

        wire.heal();
        wire.cutReplies();
        assertThatThrownBy(() -> client.enqueue(request))
                .isInstanceOf(BrokerException.Unknown.class)
                .hasMessageContaining("not known whether")
                .hasMessageContaining(request.id().toString());
        wire.heal();
        // The same request again: one job, and no doubt any more.
        assertThat(client.enqueue(request)).isEqualTo(new Enqueued(request.id(), true, JobState.READY));
        assertThat(events(Event.ACCEPTED)).isEqualTo(1);
    }

    @Test
    void case26_theSameIdTwiceIsOneJob() {
        var request = WORK.with("p").id(JobId.next());
        var first = belay.enqueue(request);
        assertThat(first).isEqualTo(new Enqueued(request.id(), false, JobState.READY));

        var second = new Enqueued(request.id(), true, JobState.READY);
        assertThat(belay.enqueue(request)).isEqualTo(second);
        assertThat(belay.enqueueAll(List.of(request, request))).containsExactly(second, second);
        assertThat(belay.enqueueAsync(request).toCompletableFuture().join()).isEqualTo(second);
        assertThat(client(secondNode()).enqueue(request)).isEqualTo(second);
        assertThatThrownBy(() -> belay.enqueue(WORK.with("other").id(request.id())))
                .isInstanceOf(IdempotencyConflictException.class)
                .hasMessageContaining(request.id().toString());
        assertThat(events(Event.ACCEPTED)).isEqualTo(1);
    }

    @Test
    void case26_theSameIdInManyHandsAtOnceIsOneJob() {
        var request = WORK.with("p");
        var answers = Together.run(CALLERS, i -> {
            var client = client(i % 2 == 0 ? broker : secondNode());
            return () -> client.enqueue(request);
        });
        assertThat(answers).allMatch(answer -> answer.id().equals(request.id()));
        assertThat(answers.stream().filter(answer -> !answer.duplicate())).hasSize(1);
        assertThat(events(Event.ACCEPTED)).isEqualTo(1);
    }

    @Test
    void case26_theSameIdAfterCompletionAndWhileDead() {
        var done = WORK.with("done");
        var dead = WORK.with("dead");
        serve(2, (payload, context) -> {
            if (payload.equals("dead")) {
                throw context.bury("hopeless");
            }
        });
        belay.enqueueAll(List.of(done, dead));
        awaitState(done.id(), JobState.SUCCEEDED);
        awaitState(dead.id(), JobState.DEAD);

        assertThat(belay.enqueue(done)).isEqualTo(new Enqueued(done.id(), true, JobState.SUCCEEDED));
        assertThat(belay.enqueue(dead)).isEqualTo(new Enqueued(dead.id(), true, JobState.DEAD));
        assertThat(belay.enqueueAll(List.of(dead, done)))
                .extracting(Enqueued::state)
                .containsExactly(JobState.DEAD, JobState.SUCCEEDED);
        assertThat(effects.starts()).isEqualTo(2);
    }

    @Test
    void G7_aKeyIsOneJobAndItsConflictNamesTheHolder() {
        var first = belay.enqueue(WORK.with("a").key("order-42"));
        assertThat(belay.enqueue(WORK.with("a").key("order-42")))
                .isEqualTo(new Enqueued(first.id(), true, JobState.READY));
        assertThatThrownBy(() -> belay.enqueue(WORK.with("b").key("order-42")))
                .isInstanceOfSatisfying(
                        IdempotencyConflictException.class,
                        e -> assertThat(e.holder()).isEqualTo(first.id()))
                .hasMessageContaining("order-42");
        // One conflict in a bulk: the others are accepted.
        var other = WORK.with("c");
        assertThatThrownBy(() -> belay.enqueueAll(List.of(WORK.with("b").key("order-42"), other)))
                .isInstanceOf(IdempotencyConflictException.class);
        assertThat(job(other.id()).state()).isEqualTo(JobState.READY);
    }

    @Test
    void G7_aWaitingJobTakesOverALaterPayload() {
        var first = belay.enqueue(WORK.with("a").key("order-42").delay(Duration.ofHours(1)));
        var replaced = new Enqueued(first.id(), true, JobState.SCHEDULED, true);
        assertThat(belay.enqueue(WORK.with("b").key("order-42").replaceWaiting()))
                .isEqualTo(replaced);
        assertThat(belay.enqueueAll(List.of(
                        WORK.with("b").key("order-42").replaceWaiting(),
                        WORK.with("c").key("order-42").replaceWaiting())))
                .containsExactly(new Enqueued(first.id(), true, JobState.SCHEDULED), replaced);
        serve(1, (payload, context) -> {});
        applied(admin.runNow(QUEUE, first.id(), ANN));
        awaitState(first.id(), JobState.SUCCEEDED);
        assertThat(effects.of(first.id())).hasSize(1);
        assertThat(events(Event.ACCEPTED)).isEqualTo(1);
    }

    @Test
    void G7_oneThatRunsDoesNotHideWhatComesLater() {
        var hold = new CompletableFuture<Boolean>();
        var debounced = WORK.with("a").key("index").atMostOneWaiting();
        serve(1, (payload, context) -> hold.join());
        var first = belay.enqueue(debounced);
        awaitState(first.id(), JobState.RUNNING);
        var second = belay.enqueue(WORK.with("a").key("index").atMostOneWaiting());
        assertThat(second.duplicate()).isFalse();
        assertThat(belay.enqueue(WORK.with("a").key("index").atMostOneWaiting()))
                .isEqualTo(new Enqueued(second.id(), true, JobState.READY));
        // The same request sent again is the same job, whatever its key means.
        assertThat(belay.enqueue(debounced).id()).isEqualTo(first.id());
        hold.complete(true);
        awaitState(second.id(), JobState.SUCCEEDED);
        assertThat(events(Event.ACCEPTED)).isEqualTo(2);
    }

    @Test
    void oneInvalidRequestRefusesAllBeforeAnythingIsSent() {
        var client = onWire(PATIENCE);
        var needsKey = type(b -> b.requireKey());
        assertThatThrownBy(() -> client.enqueueAll(List.of(WORK.with("a"), needsKey.with("b"))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("idempotencyKey")
                .hasMessageContaining(TYPE);
        assertThatThrownBy(() ->
                        client.enqueueAll(List.of(WORK.with("a"), WORK.with("b").replaceWaiting())))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("replaceWaiting")
                .hasMessageContaining("call key(");
        assertThatThrownBy(() -> client.enqueue(WORK.with("b").atMostOneWaiting()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("atMostOneWaiting");
        var huge = "x".repeat(settings().maxPayloadBytes() + 1);
        assertThatThrownBy(() -> client.enqueueAll(List.of(WORK.with("a"), WORK.with(huge))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("payload")
                .hasMessageContaining(String.valueOf(settings().maxPayloadBytes()))
                .hasMessageContaining(String.valueOf(huge.length()));
        assertThat(wire.calls("enqueue")).isZero();
    }

    @Test
    void aBulkOverQueuesIsAnsweredInItsOrder() {
        var requests = new ArrayList<JobRequest<String>>();
        for (var i = 0; i < 30; i++) {
            requests.add(WORK.with("p" + i).queue(i % 3 == 0 ? OTHER_QUEUE : QUEUE));
        }
        assertThat(belay.enqueueAll(requests))
                .extracting(Enqueued::id)
                .containsExactlyElementsOf(requests.stream().map(JobRequest::id).toList());
        assertThat(admin.count(JobQuery.ALL.inQueue(OTHER_QUEUE), 100)).isEqualTo(10);
        assertThat(admin.count(JobQuery.ALL.inQueue(QUEUE), 100)).isEqualTo(20);
    }

    @Test
    void enqueueInterceptorsStandAroundInTheirOrder() {
        var seen = new ArrayList<String>();
        var client = closing(Belay.builder(broker)
                .codecs(CODECS)
                .intercept((requests, next) -> {
                    seen.add("outer in");
                    var answer = next.proceed(requests.stream()
                            .<JobRequest<?>>map(request -> request.header("trace", "t1"))
                            .toList());
                    seen.add("outer out");
                    return answer;
                })
                .intercept((requests, next) -> {
                    seen.add("inner sees " + requests.get(0).options().headers());
                    return next.proceed(requests);
                })
                .build());
        var id = client.enqueue(WORK.with("p")).id();
        assertThat(seen).containsExactly("outer in", "inner sees {trace=t1}", "outer out");
        assertThat(job(id).options().headers()).containsEntry("trace", "t1");
    }

    @Test
    void aClosedClientRefusesButEndsWhatIsUnderWay() {
        var client = onWire(PATIENCE);
        var held = wire.hold("enqueue");
        var underWay = CompletableFuture.supplyAsync(() -> client.enqueue(WORK.with("first")));
        held.awaitArrived(1);
        var behindIt = client.enqueueAsync(WORK.with("second")).toCompletableFuture();
        client.close();
        assertThatThrownBy(() -> client.enqueue(WORK.with("third")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        wire.release();
        assertThat(underWay.join().state()).isEqualTo(JobState.READY);
        assertThat(behindIt.join().state()).isEqualTo(JobState.READY);
    }
}
