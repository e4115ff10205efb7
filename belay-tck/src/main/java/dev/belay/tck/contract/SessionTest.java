package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.Beat;
import dev.belay.broker.BeatReply;
import dev.belay.broker.BrokerException;
import dev.belay.broker.Event;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.QueueSettings;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.Verdict;
import dev.belay.job.DeadReason;
import dev.belay.job.JobState;
import dev.belay.job.Outcome;
import dev.belay.job.SessionId;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Registering, heartbeats and ending by the worker's wish. */
public class SessionTest extends BrokerSuite {

    @Test
    void registeringMakesTheQueueKnownAndTellsItsSettings() {
        var spec = TestWorker.spec("reports", Duration.ofSeconds(45), Map.of("a", 1, "b", 7));
        var registered = timed(() -> worker(spec));

        var registration = registered.value().registration();
        assertThat(registration.brokerTime()).isBetween(registered.from(), registered.to());
        assertThat(registration.paused()).isFalse();
        assertThat(registration.namespace()).isEqualTo(NamespaceSettings.DEFAULT);
        assertThat(registration.queue()).isEqualTo(QueueSettings.DEFAULT);
        assertThat(admin.queues())
                .extracting(view -> view.queue() + " " + view.liveSessions())
                .containsExactly("reports 1");
        var session = admin.sessions().get(0);
        assertThat(session.spec()).isEqualTo(spec);
        assertThat(session.registeredAt()).isBetween(registered.from(), registered.to());
        assertThat(session.deadline()).isBetween(registered.from() + 45_000, registered.to() + 45_000);
        assertThat(session.markedAt()).isNull();
        assertThat(session.ended()).isFalse();
        assertThat(session.inFlight()).isZero();
    }

    @Test
    void registeringTellsWhatWasConfigured() {
        var queue = QueueSettings.DEFAULT.withFinished(Duration.ofHours(1), 7).withDead(Duration.ofDays(9), 11, 13L);
        admin.configure(QUEUE, queue, ANN);
        admin.pause(QUEUE, ANN);
        reaping(seconds(3), seconds(15));

        var registration = worker(secondNode(), TestWorker.spec(QUEUE)).registration();
        assertThat(registration.queue()).isEqualTo(queue);
        assertThat(registration.paused()).isTrue();
        assertThat(registration.namespace()).isEqualTo(NamespaceSettings.DEFAULT.withReaping(seconds(3), seconds(15)));
        assertThat(secondNode().settings()).isEqualTo(registration.namespace());
    }

    @Test
    void anIdThatIsRegisteredIsRefused() {
        var worker = worker();

        assertRefused(worker.spec());
        assertRefused(new SessionSpec(worker.id(), QUEUE, "other", "1.0", 1, Duration.ofSeconds(5), Map.of()));
        assertThat(admin.sessions()).hasSize(1);
        assertThat(admin.sessions().get(0).spec()).isEqualTo(worker.spec());
    }

    @Test
    void anIdThatWasEndedIsRefused() {
        accept(1);
        var stopped = worker();
        stopped.leaseOne();
        stopped.end();
        assertRefused(stopped.spec());

        var crashed = worker();
        crashed.leaseOne();
        crash(crashed);
        assertRefused(crashed.spec());
        assertThat(admin.sessions()).isEmpty();
    }

    private void assertRefused(SessionSpec spec) {
        assertThatThrownBy(() -> broker.register(spec))
                .isInstanceOf(BrokerException.Rejected.class)
                .hasMessageContaining(spec.id().toString());
    }

    @Test
    void aHeartbeatMovesTheDeadlineOfEachOfItsSessions() {
        var mail = worker();
        var reports = worker(TestWorker.spec("reports", Duration.ofMinutes(2), Map.of()));
        advance(seconds(20));
        var beaten = timed(() -> broker.heartbeat(List.of(beat(mail.id()), beat(reports.id()))));

        assertThat(beaten.value())
                .containsExactly(
                        new BeatReply(false, List.of(), false, false, 1),
                        new BeatReply(false, List.of(), false, false, 1));
        for (var session : admin.sessions()) {
            var lease = session.spec().leaseDuration().toMillis();
            assertThat(session.deadline()).isBetween(beaten.from() + lease, beaten.to() + lease);
        }
    }

    @Test
    void aHeartbeatNeverCreatesASession() {
        var stranger = SessionId.next();
        var ended = worker();
        ended.end();
        var mail = worker();

        assertThat(broker.heartbeat(List.of(beat(stranger), beat(mail.id()), beat(ended.id()))))
                .extracting(BeatReply::ended)
                .containsExactly(true, false, true);
        assertThat(admin.sessions()).extracting(session -> session.spec().id()).containsExactly(mail.id());
        assertThat(broker.heartbeat(List.of())).isEmpty();
    }

    @Test
    void aHeartbeatSavesASessionThatIsPastItsDeadlineButNotEnded() {
        accept(1);
        var worker = worker();
        var lease = worker.leaseOne();
        advance(Duration.ofDays(3));

        assertThat(worker.heartbeat().ended()).isFalse();
        assertThat(worker.complete(lease).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void aHeartbeatTellsAboutPauseAndNeighbours() {
        var worker = worker();
        assertThat(worker.heartbeat()).isEqualTo(new BeatReply(false, List.of(), false, false, 1));
        worker(secondNode(), TestWorker.spec(QUEUE));
        worker("reports");
        var third = worker();
        admin.pause(QUEUE, ANN);
        assertThat(worker.heartbeat()).isEqualTo(new BeatReply(false, List.of(), true, false, 3));

        admin.resume(QUEUE, ANN);
        third.end();
        assertThat(worker.heartbeat()).isEqualTo(new BeatReply(false, List.of(), false, false, 2));
    }

    @Test
    void progressTravelsWithTheHeartbeat() {
        accept(2);
        var worker = worker();
        var leases = worker.lease(2);
        var lost = leases.get(1);
        applied(admin.cancel(QUEUE, lost.job().id(), ANN));
        broker.heartbeat(List.of(new Beat(worker.id(), 0, Map.of(leases.get(0).id(), "10 %", lost.id(), "20 %"))));
        broker.heartbeat(List.of(new Beat(worker.id(), 0, Map.of(leases.get(0).id(), "30 %"))));
        worker.heartbeat();

        assertThat(find(leases.get(0).job().id()).progress()).isEqualTo("30 %");
        assertThat(find(lost.job().id()).progress()).isNull();
    }

    @Test
    void case129_progressIsThereForTheNextDelivery() {
        accept(1);
        var worker = worker();
        var lease = worker.leaseOne();
        broker.heartbeat(List.of(new Beat(worker.id(), 0, Map.of(lease.id(), "page 7"))));
        worker.settled(lease, new Outcome.Release(true));

        assertThat(worker.leaseOne().job().progress()).isEqualTo("page 7");
    }

    @Test
    void G12_whatAStoppedWorkerHeldIsReadyAtNoCost() {
        accept(3);
        var worker = worker();
        var leases = worker.lease(3);
        advance(seconds(5));

        assertThat(worker.end()).isEmpty();
        for (var lease : leases) {
            var job = find(lease.job().id());
            assertThat(job.state()).isEqualTo(JobState.READY);
            assertThat(job.times().readyAt()).isEqualTo(lease.job().times().readyAt());
            assertThat(job.counts().releases()).isEqualTo(1);
            assertThat(job.counts().crashes()
                            + job.counts().failures()
                            + job.counts().stepsTaken())
                    .isZero();
        }
        assertThat(events(Event.RELEASED)).isEqualTo(3);
        assertThat(events(Event.CRASHED) + events(Event.RETURNED)).isZero();
        assertThat(admin.sessions()).isEmpty();
        assertThat(worker().lease(3)).hasSize(3);
    }

    @Test
    void afterItsEndASessionIsRefusedEverything() {
        accept(2);
        var worker = worker();
        var lease = worker.leaseOne();
        worker.end();

        assertThat(worker.ask(5)).isEqualTo(LeaseReply.none(LeaseReply.Status.ENDED));
        assertThat(worker.heartbeat()).isEqualTo(BeatReply.ENDED);
        assertThat(worker.begin(lease)).isIn(Verdict.ENDED, Verdict.STALE);
        assertThat(worker.reconcile().ended()).isTrue();
        assertThat(worker.reconcile().held()).isEmpty();
        assertThat(worker.settle(lease, Outcome.Complete.PLAIN)).isEqualTo(Verdict.STALE);
        assertThat(broker.held(List.of(lease.id()))).containsExactly(false);
        assertThat(admin.queues().get(0).count(JobState.READY)).isEqualTo(2);
    }

    @Test
    void endingTwiceOrEndingAStrangerIsHarmless() {
        var worker = worker();
        worker.end();

        assertThat(broker.endSessions(List.of(worker.id(), SessionId.next()))).isEmpty();
        assertThat(broker.endSessions(List.of())).isEmpty();
    }

    @Test
    void onlyABegunJobThatMayCrashOnceIsBuriedByTheEnd() {
        var begun = accept(job().maxCrashes(1));
        var waiting = accept(job().maxCrashes(1));
        var usual = accept(job());
        var worker = worker();
        var leases = worker.lease(3);
        applied(worker.begin(leases.get(0)));

        assertThat(worker.end())
                .extracting(death -> death.job() + " " + death.queue() + " " + death.type() + " " + death.reason())
                .containsExactly(begun + " " + QUEUE + " " + TYPE + " " + DeadReason.WORKER_LOST);
        assertThat(state(begun)).isEqualTo(JobState.DEAD);
        assertThat(find(begun).reason()).isEqualTo("WORKER_LOST");
        assertThat(find(begun).counts().crashes()).isEqualTo(1);
        assertThat(state(waiting)).isEqualTo(JobState.READY);
        assertThat(state(usual)).isEqualTo(JobState.READY);
        assertThat(List.of(events(Event.CRASHED), events(Event.DEAD), events(Event.RELEASED)))
                .containsExactly(1L, 1L, 2L);
    }

    @Test
    void severalSessionsEndInOneCall() {
        accept(1);
        accept(job().queue("reports"));
        var mail = worker();
        var reports = worker("reports");
        mail.leaseOne();
        reports.leaseOne();
        broker.endSessions(List.of(mail.id(), reports.id()));

        assertThat(admin.sessions()).isEmpty();
        assertThat(admin.queues())
                .allSatisfy(view -> assertThat(view.count(JobState.READY)).isEqualTo(1));
    }

    private static Beat beat(SessionId session) {
        return new Beat(session, 0, Map.of());
    }
}
