package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.BeatReply;
import dev.belay.broker.BrokerAdmin.SessionView;
import dev.belay.broker.LeaseReply;
import dev.belay.broker.ReapReply;
import dev.belay.broker.Verdict;
import dev.belay.job.JobState;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Reaping takes looks, not time: a session ends only after its mark has stood, seen by passes that come regularly. */
public class ReapTest extends BrokerSuite {

    private static final Duration INTERVAL = seconds(2);
    private static final Duration GRACE = seconds(10);

    @Test
    void aPassOfNothingLooksAndDoesNothing() {
        patrol.start();

        assertThat(patrol.next()).isEqualTo(new ReapReply(true, 0, 0, java.util.List.of(), false));
    }

    @Test
    void theFirstPassMarksAndEndsNothing() {
        var worker = worker();
        advance(Duration.ofDays(1));
        var reply = broker.reap();

        assertThat(reply.looked()).isTrue();
        assertThat(reply.marked()).isEqualTo(1);
        assertThat(reply.ended()).isZero();
        assertThat(view(worker).markedAt()).isNotNull();
        assertThat(worker.heartbeat().ended()).isFalse();
    }

    @Test
    void G4_aDeadWorkersSessionEndsInTime() {
        accept(1);
        var worker = worker();
        var lease = worker.leaseOne();
        patrol.start();
        worker.heartbeat();
        worker.die();
        var beaten = now();
        var deadline = view(worker).deadline();
        while (now() + INTERVAL.toMillis() < deadline) {
            assertThat(patrol.next().marked()).as("before the deadline").isZero();
        }
        while (view(worker).markedAt() == null) {
            assertThat(patrol.next().ended()).isZero();
        }
        long marked = Objects.requireNonNull(view(worker).markedAt(), "markedAt");
        while (patrol.isRegistered(worker)) {
            assertThat(now() - beaten)
                    .as("lease + grace + two intervals")
                    .isLessThan(TestWorker.LEASE
                            .plus(GRACE)
                            .plus(INTERVAL.multipliedBy(2))
                            .toMillis());
            patrol.next();
        }
        assertThat(now() - marked).as("the mark stood for the grace").isGreaterThanOrEqualTo(GRACE.toMillis());
        assertThat(worker.settle(lease, dev.belay.job.Outcome.Complete.PLAIN)).isEqualTo(Verdict.STALE);
        assertThat(worker.heartbeat()).isEqualTo(BeatReply.ENDED);
        assertThat(worker.ask(1).status()).isEqualTo(LeaseReply.Status.ENDED);
    }

    @Test
    void case16_aWorkerThatSendsHeartbeatsIsNeverEnded() {
        accept(3);
        var worker = worker(TestWorker.spec(QUEUE, seconds(5), Map.of(TYPE, 1)));
        var leases = worker.lease(3);
        patrol.start();

        assertThat(patrol.walk(Duration.ofMinutes(10))).isEmpty();
        leases.forEach(lease -> assertThat(worker.complete(lease).state()).isEqualTo(JobState.SUCCEEDED));
        leases.forEach(lease ->
                assertThat(find(lease.job().id()).counts().deliveries()).isEqualTo(1));
    }

    @Test
    void aHeartbeatClearsTheMark() {
        var worker = marked();
        advance(INTERVAL.multipliedBy(3));
        worker.heartbeat();
        assertThat(view(worker).markedAt()).isNull();

        // The whole of the lease and of the grace is needed anew.
        worker.die();
        patrol.start();
        for (var gone = Duration.ZERO; gone.compareTo(seconds(28)) < 0; gone = gone.plus(INTERVAL)) {
            assertThat(patrol.next().ended()).isZero();
        }
        assertThat(patrol.isRegistered(worker)).isTrue();
    }

    @Test
    void aPassThatComesLateSetsAllMarksAnew() {
        var worker = marked();
        var first = view(worker).markedAt();
        // Long past the grace, but nobody looked meanwhile.
        advance(Duration.ofHours(1));
        var late = broker.reap();

        assertThat(late.looked()).isTrue();
        assertThat(late.ended()).isZero();
        assertThat(view(worker).markedAt()).isGreaterThan(first);
        for (var gone = INTERVAL; gone.compareTo(GRACE) < 0; gone = gone.plus(INTERVAL)) {
            assertThat(patrol.next().ended()).as("after %s", gone).isZero();
        }
        assertThat(patrol.next().ended()).isEqualTo(1);
    }

    @Test
    void whatCountsAsLateIsMoreThanTwoIntervals() {
        var worker = marked();
        for (var i = 0; i < 2; i++) {
            advance(INTERVAL.multipliedBy(2).minusMillis(500));
            assertThat(broker.reap().ended()).isZero();
        }
        advance(INTERVAL.multipliedBy(2).minusMillis(500));
        assertThat(broker.reap().ended())
                .as("regular passes, and the grace is over")
                .isEqualTo(1);
        assertThat(worker.heartbeat().ended()).isTrue();
    }

    @Test
    void passesOfManyLatecomersNeverEndAnything() {
        var worker = marked();
        for (var i = 0; i < 20; i++) {
            advance(INTERVAL.multipliedBy(2).plusSeconds(1));
            assertThat(broker.reap().ended()).isZero();
        }
        assertThat(worker.heartbeat().ended()).isFalse();
    }

    @Test
    void aPassWithinHalfAnIntervalDoesNothing() {
        var worker = marked();
        advance(GRACE.minus(INTERVAL));
        // Late enough to set marks anew, so that the next passes are judged from here.
        var looked = admin.time();
        broker.reap();
        var other = secondNode();
        for (var i = 0; i < 9; i++) {
            advance(Duration.ofMillis(50));
            var reply = i % 2 == 0 ? broker.reap() : other.reap();
            if (admin.time() - looked >= INTERVAL.toMillis() / 2) {
                // A clock that runs, on a machine that is slow.
                break;
            }
            assertThat(reply.looked()).isFalse();
            assertThat(reply.marked() + reply.ended()).isZero();
        }
        advance(seconds(1));
        assertThat(broker.reap().looked()).isTrue();
        assertThat(worker.heartbeat().ended()).isFalse();
    }

    @Test
    void aYoungConnectionSetsMissingMarksAndEndsNothing() {
        var worker = worker();
        var second = worker(TestWorker.spec(QUEUE, Duration.ofSeconds(40), Map.of()));
        secondNode();
        patrol.start();
        worker.die();
        second.die();
        while (view(worker).markedAt() == null) {
            patrol.next();
        }
        var mark = view(worker).markedAt();
        // The node that looks has just reconnected, again and again.
        for (var gone = Duration.ZERO; gone.compareTo(GRACE.plus(INTERVAL)) < 0; gone = gone.plus(INTERVAL)) {
            bench.store().breakConnection();
            advance(INTERVAL);
            assertThat(broker.reap().ended()).isZero();
        }
        assertThat(view(worker).markedAt())
                .as("a mark that stands is left alone")
                .isEqualTo(mark);
        assertThat(view(second).markedAt()).as("a missing mark is set").isNotNull();

        // The other node's connection is old: the marks that stand are its reason.
        advance(INTERVAL);
        assertThat(secondNode().reap().ended()).isEqualTo(1);
        assertThat(worker.heartbeat().ended()).isTrue();
        assertThat(second.heartbeat().ended()).isFalse();
    }

    @Test
    void aLatePassOnAYoungConnectionDoesNotHideThatItWasLate() {
        var other = secondNode();
        var worker = marked();
        // Nobody looked for an hour; the first who does has just connected.
        advance(Duration.ofHours(1));
        bench.store().breakConnection();
        assertThat(broker.reap().ended()).isZero();

        advance(INTERVAL);
        assertThat(other.reap().ended()).as("the mark of before the outage").isZero();
        assertThat(worker.heartbeat().ended()).isFalse();
    }

    @Test
    void aYoungConnectionGrowsOld() {
        var worker = marked();
        bench.store().breakConnection();
        var passes = 0;
        while (patrol.isRegistered(worker)) {
            assertThat(++passes).as("passes").isLessThanOrEqualTo(7);
            patrol.next();
        }
    }

    @Test
    void aDeadlineFurtherAheadThanTheLeaseIsCut() {
        var worker = worker();
        patrol.start();
        // The clock was ahead by an hour, and was put right.
        advance(Duration.ofHours(-1));
        broker.reap();
        advance(INTERVAL);
        broker.reap();

        assertThat(view(worker).deadline()).isLessThanOrEqualTo(now() + TestWorker.LEASE.toMillis());
        worker.die();
        patrol.walk(TestWorker.LEASE.plus(GRACE.multipliedBy(2)).plus(INTERVAL.multipliedBy(2)));
        assertThat(patrol.isRegistered(worker)).isFalse();
    }

    @Test
    void case83_jumpsOfTheClockCostLivingWorkersNothing() {
        accept(1);
        var worker = worker();
        var lease = worker.leaseOne();
        patrol.start();
        for (var jump : java.util.List.of(Duration.ofHours(-12), Duration.ofHours(12), Duration.ofHours(1))) {
            advance(jump);
            assertThat(broker.reap().ended()).isZero();
            assertThat(patrol.walk(seconds(30))).isEmpty();
        }
        assertThat(worker.complete(lease).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void outagesOfAnyLengthCostLivingWorkersNothing() {
        accept(1);
        var worker = worker();
        var lease = worker.leaseOne();
        patrol.start();
        for (var outage : java.util.List.of(seconds(31), seconds(45), Duration.ofMinutes(10), Duration.ofDays(2))) {
            // The reaper is back first, the worker's heartbeat comes within the grace.
            advance(outage);
            assertThat(broker.reap().ended()).isZero();
            advance(seconds(4));
            assertThat(broker.reap().ended()).isZero();
            worker.heartbeat();
        }
        assertThat(worker.complete(lease).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void thePaceIsASettingOfTheNamespace() {
        reaping(Duration.ofMillis(200), seconds(1));
        accept(1);
        var worker = worker(TestWorker.spec(QUEUE, seconds(2), Map.of(TYPE, 1)));
        worker.leaseOne();

        assertThat(crash(worker)).hasSize(1);
    }

    @Test
    void sessionsOfAllQueuesAreLookedAt() {
        var mail = worker();
        var reports = worker("reports");
        accept(1);
        accept(job().queue("reports"));
        mail.leaseOne();
        reports.leaseOne();
        reports.die();

        assertThat(crash(mail)).extracting(ReapReply.Reclaimed::queue).containsExactlyInAnyOrder(QUEUE, "reports");
        assertThat(admin.sessions()).isEmpty();
    }

    /** A worker without heartbeats whose session was marked by the pass that was made just now. */
    private TestWorker marked() {
        var worker = worker();
        patrol.start();
        worker.die();
        while (view(worker).markedAt() == null) {
            patrol.next();
        }
        return worker;
    }

    private SessionView view(TestWorker worker) {
        return admin.sessions().stream()
                .filter(session -> session.spec().id().equals(worker.id()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("session " + worker.id() + " is not registered"));
    }
}
