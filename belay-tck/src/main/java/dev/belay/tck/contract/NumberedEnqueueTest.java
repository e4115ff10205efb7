package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.BrokerException;
import dev.belay.broker.EnqueueCall;
import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.broker.Verdict;
import dev.belay.job.JobState;
import dev.belay.job.NewJob;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.Faults;
import dev.belay.tck.TestClient;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** G1 for lost replies: a call that is sent again under its number is answered as before and changes nothing. */
public class NumberedEnqueueTest extends BrokerSuite {

    @Test
    void G1_aCallSentAgainIsAnsweredAsBefore() {
        accept(job().key("taken"));
        var call = client.call(
                job().build(),
                job().delay(seconds(60)).build(),
                job().key("taken").build(),
                job().key("taken").payload("other").build());
        var first = broker.enqueue(call);

        assertThat(broker.enqueue(call)).isEqualTo(first);
        assertThat(secondNode().enqueue(call)).isEqualTo(first);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(3);
        assertThat(events(Event.ACCEPTED)).isEqualTo(3);
    }

    @Test
    void G1_theAnswerStaysTheSameWhateverBecameOfTheJobs() {
        var call = client.call(job().build(), job().key("k").build());
        var first = broker.enqueue(call);
        var worker = worker();
        worker.lease(2).forEach(worker::complete);
        call.jobs().forEach(job -> applied(admin.discard(QUEUE, job.id(), null, ANN)));

        assertThat(broker.enqueue(call)).isEqualTo(first);
        assertThat(admin.count(JobQuery.ALL, 10)).isZero();
    }

    @Test
    void case14_aLostReplyMakesNoSecondJob() {
        var faults = new Faults();
        var lossy = faults.around(broker);
        for (var i = 0; i < 100; i++) {
            var call = i % 2 == 0
                    ? client.call(job().build())
                    : client.call(job().build(), job().key("k" + i).build(), job().build());
            faults.loseReply("enqueue");
            assertThatThrownBy(() -> lossy.enqueue(call)).isInstanceOf(BrokerException.Unknown.class);
            assertThat(lossy.enqueue(call)).allMatch(Verdict::isApplied);
        }
        assertThat(admin.count(JobQuery.ALL, 1_000)).isEqualTo(200);
        assertThat(events(Event.ACCEPTED)).isEqualTo(200);
    }

    @Test
    void G1_aCallThatDidNotArriveCanBeSplitUnderNewNumbers() {
        var lossy = new Faults().loseCall("enqueue").around(broker);
        var whole = client.call(job().build(), job().build(), job().build());
        assertThatThrownBy(() -> lossy.enqueue(whole)).isInstanceOf(BrokerException.NotApplied.class);

        var jobs = whole.jobs();
        assertThat(lossy.enqueue(client.call(jobs.subList(0, 1)))).allMatch(Verdict::isApplied);
        assertThat(lossy.enqueue(client.call(jobs.subList(1, 3)))).allMatch(Verdict::isApplied);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(3);
    }

    @Test
    void aCallThatWasRefusedCanBeSentBetterUnderItsNumber() {
        var good = job().build();
        var large = job().payload(new byte[settings().maxPayloadBytes() + 1]).build();
        assertThatThrownBy(() -> broker.enqueue(call(1, good, large))).isInstanceOf(BrokerException.Rejected.class);

        assertThat(broker.enqueue(call(1, good))).containsExactly(new Verdict.Applied(JobState.READY, null));
    }

    @Test
    void aNumberBelowTheNewestIsRefusedAndStoresNothing() {
        broker.enqueue(call(7, job().build()));

        assertThatThrownBy(() -> broker.enqueue(call(6, job().build())))
                .isInstanceOf(BrokerException.Rejected.class)
                .hasMessageContaining("6")
                .hasMessageContaining("7");
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
    }

    @Test
    void numbersMaySkip() {
        broker.enqueue(call(7, job().build()));
        broker.enqueue(call(Long.MAX_VALUE, job().build()));

        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(2);
    }

    @Test
    void numbersAreCountedPerClientAndQueue() {
        var other = UUID.randomUUID();
        var mine = broker.enqueue(call(1, job().build()));
        var inAnotherQueue = broker.enqueue(new EnqueueCall(
                CLIENT, "reports", 1, List.of(job().queue("reports").build())));
        var ofAnotherClient = broker.enqueue(new EnqueueCall(other, QUEUE, 1, List.of(job().build())));

        assertThat(List.of(mine, inAnotherQueue, ofAnotherClient))
                .allSatisfy(
                        verdicts -> assertThat(verdicts).containsExactly(new Verdict.Applied(JobState.READY, null)));
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(3);
    }

    @Test
    void answersAreKeptForADayAfterTheClientsLastCall() {
        var call = call(3, job().key("k").build());
        var first = broker.enqueue(call);
        advance(Duration.ofHours(23));
        prune();
        assertThat(broker.enqueue(call)).isEqualTo(first);

        // That was a call too: the day begins anew.
        advance(Duration.ofHours(23));
        prune();
        assertThat(broker.enqueue(call)).isEqualTo(first);
        assertThatThrownBy(() -> broker.enqueue(call(2, job().build()))).isInstanceOf(BrokerException.Rejected.class);
    }

    @Test
    void case144_aClientIsForgottenADayAfterItsLastCall() {
        broker.enqueue(call(3, job().build()));
        advance(Duration.ofHours(24).plusSeconds(1));
        prune();

        assertThat(broker.enqueue(call(1, job().build()))).containsExactly(new Verdict.Applied(JobState.READY, null));
    }

    @Test
    void case26_theIdStillGuardsAJobWhoseClientWasForgotten() {
        var job = job().build();
        broker.enqueue(call(3, job));
        advance(Duration.ofHours(24).plusSeconds(1));
        prune();

        assertThat(broker.enqueue(call(3, job))).containsExactly(new Verdict.Duplicate(job.id(), JobState.READY));
    }

    @Test
    void G1_manyClientsInterleaveWithoutHarm() {
        var clients = List.of(new TestClient(broker), new TestClient(secondNode()), new TestClient(broker));
        for (var round = 0; round < 20; round++) {
            for (var one : clients) {
                var call = one.call(job().build());
                assertThat(broker.enqueue(call)).isEqualTo(secondNode().enqueue(call));
            }
        }
        assertThat(events(Event.ACCEPTED)).isEqualTo(60);
    }

    private static final UUID CLIENT = UUID.randomUUID();

    private static EnqueueCall call(long number, NewJob... jobs) {
        return new EnqueueCall(CLIENT, QUEUE, number, List.of(jobs));
    }
}
