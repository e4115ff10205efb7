package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.BrokerException;
import dev.belay.broker.Command;
import dev.belay.broker.Event;
import dev.belay.broker.Histogram;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.QueueSettings;
import dev.belay.broker.Settlement;
import dev.belay.broker.StatisticsQuery;
import dev.belay.broker.TimesDelta;
import dev.belay.broker.Verdict;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.LeaseId;
import dev.belay.job.Outcome;
import dev.belay.job.SessionId;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.Skip;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a durable broker still knows after its process ended and another one opened the store. */
public class DurabilityTest extends BrokerSuite {

    @BeforeEach
    void onlyDurableBrokers() {
        Skip.unless(broker.capabilities().durable(), "the broker " + harness.name() + " is not durable");
    }

    @Test
    void G1_jobsOfEveryStateSurvive() {
        var worker = worker();
        var dead = dead(job().payload("dead"));
        var succeeded = accept(job());
        worker.complete(worker.leaseOne());
        var cancelled = accept(job());
        applied(admin.cancel(QUEUE, cancelled, ANN));
        var running = accept(job());
        worker.leaseOne();
        var ready = accept(job().options(o -> o.withTags(List.of("ä", "b")).withHeader("h", "v")));
        var scheduled = accept(job().delay(Duration.ofHours(1)).key("k"));
        var ids = List.of(dead, succeeded, cancelled, running, ready, scheduled);
        var before = ids.stream()
                .map(id -> admin.find(QUEUE, id).orElseThrow().job())
                .toList();
        var history = admin.find(QUEUE, dead).orElseThrow().history();
        reopen();

        assertThat(ids.stream()
                        .map(id -> admin.find(QUEUE, id).orElseThrow().job())
                        .toList())
                .isEqualTo(before);
        assertThat(admin.find(QUEUE, dead).orElseThrow().history()).isEqualTo(history);
        assertThat(payload(dead)).isEqualTo("dead");
    }

    @Test
    void G1_aLeaseSurvivesARestartOfTheBroker() {
        accept(2);
        var worker = worker();
        var leases = worker.lease(2);
        reopen();

        assertThat(broker.reconcile(worker.id(), worker.newestNumber()).held())
                .containsExactlyInAnyOrder(leases.get(0).id(), leases.get(1).id());
        assertThat(settle(leases.get(0).id())).isEqualTo(new Verdict.Applied(JobState.SUCCEEDED, null));
        assertThat(settle(leases.get(0).id()))
                .as("and who settled it is remembered")
                .isEqualTo(new Verdict.Applied(JobState.SUCCEEDED, null));
        reopen();
        assertThat(settle(leases.get(0).id())).isEqualTo(new Verdict.Applied(JobState.SUCCEEDED, null));
    }

    @Test
    void G3_tokensGoOnGrowing() {
        var ids = accept(3);
        var before = worker().leaseOne();
        reopen();

        assertThat(worker().lease(5)).hasSize(2).allSatisfy(lease -> {
            assertThat(lease.id().token()).isGreaterThan(before.id().token());
            assertThat(ids).contains(lease.job().id());
        });
    }

    @Test
    void fencesAndCommandsSurvive() {
        accept(3);
        var worker = worker();
        broker.reconcile(worker.id(), 50);
        applied(admin.tell(worker.id(), Command.Kind.DRAIN, ANN));
        var commands = worker.heartbeat().commands();
        reopen();

        assertThat(broker.lease(LeaseRequest.of(worker.id(), 50, 1)).status()).isEqualTo(LeaseReply.Status.FENCED);
        assertThat(broker.lease(LeaseRequest.of(worker.id(), 51, 1)).leases()).hasSize(1);
        assertThat(broker.heartbeat(List.of(new dev.belay.broker.Beat(worker.id(), 0, java.util.Map.of())))
                        .get(0)
                        .commands())
                .isEqualTo(commands);
    }

    @Test
    void G1_anEnqueueWhoseReplyWasLostInTheRestartIsAnsweredAsBefore() {
        var call = client.call(job().key("k").build(), job().build());
        var first = broker.enqueue(call);
        reopen();

        assertThat(broker.enqueue(call)).isEqualTo(first);
        assertThat(events(Event.ACCEPTED)).isEqualTo(2);
        var lower = new dev.belay.broker.EnqueueCall(call.client(), QUEUE, call.number() - 1, List.of(job().build()));
        assertThatThrownBy(() -> broker.enqueue(lower)).isInstanceOf(BrokerException.Rejected.class);
    }

    @Test
    void G7_keysAreRememberedEvenOfJobsThatAreGone() {
        keepNothing();
        var gone = accept(job().key("gone"));
        var worker = worker();
        worker.complete(worker.leaseOne());
        reopen();

        assertThat(client.enqueue(job().key("gone"))).isEqualTo(new Verdict.Duplicate(gone, null));
    }

    @Test
    void case37_pausesAndSettingsSurvive() {
        var settings =
                QueueSettings.DEFAULT.withFinished(Duration.ofHours(5), 5).withDead(null, 3, 9L);
        admin.configure(QUEUE, settings, ANN);
        admin.pause(QUEUE, ANN);
        reaping(seconds(1), seconds(9));
        var namespace = broker.settings();
        reopen();
        accept(1);

        assertThat(worker().ask(1).status()).isEqualTo(LeaseReply.Status.PAUSED);
        assertThat(admin.queues().get(0).settings()).isEqualTo(settings);
        assertThat(broker.settings()).isEqualTo(namespace);
    }

    @Test
    void cellsAuditAndFiguresSurvive() {
        broker.cells().compareAndSet("k", 0, new byte[] {7}, null);
        var version = broker.cells().get("k").orElseThrow().version();
        broker.cells().compareAndSet("gone", 0, new byte[] {1}, null);
        var gone = broker.cells().get("gone").orElseThrow().version();
        broker.cells().compareAndSet("gone", gone, null, null);
        admin.pause("reports", ANN);
        dead(job());
        var histogram = new Histogram();
        histogram.add(5_000);
        broker.record(List.of(new TimesDelta(QUEUE, TYPE, TimesDelta.Kind.RUN, histogram)));
        var counts = admin.statistics(StatisticsQuery.TOTAL);
        var audit = admin.audit(null, null, 10);
        var groups = admin.deadGroups(null, 10);
        reopen();

        assertThat(broker.cells().get("k").orElseThrow().version()).isEqualTo(version);
        broker.cells().compareAndSet("gone", 0, new byte[] {1}, null);
        assertThat(broker.cells().get("gone").orElseThrow().version()).isGreaterThan(gone);
        assertThat(admin.statistics(StatisticsQuery.TOTAL)).containsExactlyInAnyOrderElementsOf(counts);
        assertThat(admin.audit(null, null, 10)).isEqualTo(audit);
        assertThat(admin.deadGroups(null, 10)).isEqualTo(groups);
        assertThat(admin.times(new StatisticsQuery(null, null, now() - 600_000, null)))
                .singleElement()
                .satisfies(delta -> assertThat(delta.histogram().count()).isEqualTo(1));
    }

    @Test
    void replacedJobsAreStillKnown() {
        var old = dead(job());
        var better = job().links(new dev.belay.job.JobLinks(null, old)).build();
        applied(admin.replace(QUEUE, old, better, ANN));
        reopen();

        assertThat(admin.cancel(QUEUE, old, ANN)).isEqualTo(new Verdict.Replaced(better.id()));
    }

    @Test
    void aRestartEndsNoSessionOfALivingWorker() {
        accept(1);
        var worker = worker();
        var lease = worker.leaseOne();
        patrol.start();
        advance(Duration.ofMinutes(5));
        reopen();
        for (var i = 0; i < 4; i++) {
            assertThat(broker.reap().ended()).isZero();
            advance(seconds(2));
        }
        assertThat(broker.heartbeat(List.of(new dev.belay.broker.Beat(worker.id(), 0, java.util.Map.of())))
                        .get(0)
                        .ended())
                .isFalse();
        assertThat(settle(lease.id())).isEqualTo(new Verdict.Applied(JobState.SUCCEEDED, null));
    }

    @Test
    void G4_jobsOfAWorkerThatDiedWithTheBrokerAreTakenBack() {
        accept(5);
        worker().lease(5);
        reopen();
        var taken = new ArrayList<JobId>();
        for (var i = 0; i < 40 && taken.size() < 5; i++) {
            advance(seconds(2));
            patrol.pass().forEach(reclaimed -> taken.add(reclaimed.job()));
        }
        assertThat(taken).hasSize(5);
        assertThat(admin.sessions()).isEmpty();
    }

    @Test
    void anEndedSessionStaysEnded() {
        accept(1);
        var worker = worker();
        var lease = worker.leaseOne();
        worker.end();
        reopen();

        assertThat(settle(lease.id())).isEqualTo(Verdict.STALE);
        assertThat(broker.lease(LeaseRequest.of(worker.id(), 99, 1)).status()).isEqualTo(LeaseReply.Status.ENDED);
        assertThat(broker.reconcile(SessionId.next(), 1).ended()).isTrue();
    }

    private Verdict settle(LeaseId lease) {
        return broker.settle(QUEUE, List.of(new Settlement(lease, Outcome.Complete.PLAIN, null)))
                .get(0);
    }
}
