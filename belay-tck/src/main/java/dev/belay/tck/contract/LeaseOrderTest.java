package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Lease;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.NewJob;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Who comes next: by priority, then by waiting time, but each tenth token goes to who has waited longest (G11). */
public class LeaseOrderTest extends BrokerSuite {

    @Test
    void aLowerPriorityNumberComesFirst() {
        var ids = new ArrayList<JobId>();
        for (var priority : List.of(4, 2, 0, 3, 1)) {
            ids.add(accept(job().priority(priority)));
            advance(seconds(1));
        }
        assertThat(worker().lease(9))
                .extracting(lease -> lease.job().id())
                .containsExactly(ids.get(2), ids.get(4), ids.get(1), ids.get(3), ids.get(0));
    }

    @Test
    void withinOnePriorityTheLongestWaitingComesFirst() {
        var ids = new ArrayList<JobId>();
        for (var i = 0; i < 5; i++) {
            ids.add(accept(job()));
            advance(seconds(1));
        }
        assertThat(worker().lease(9)).extracting(lease -> lease.job().id()).isEqualTo(ids);
    }

    @Test
    void jobsOfOneBatchKeepItsOrder() {
        var ids = accept(8);

        assertThat(worker().lease(9)).extracting(lease -> lease.job().id()).isEqualTo(ids);
    }

    @Test
    void aScheduledJobTakesItsPlaceWhenItIsDue() {
        var late = accept(job().delay(seconds(10)));
        var early = accept(job().delay(seconds(5)));
        advance(seconds(7));
        broker.promote(QUEUE, seconds(1));
        var fresh = accept(job());
        advance(seconds(7));

        assertThat(worker().lease(9)).extracting(lease -> lease.job().id()).containsExactly(early, fresh, late);
    }

    @Test
    void aReleasedJobKeepsItsPlace() {
        var first = accept(job());
        advance(seconds(1));
        var second = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        var readyAt = lease.job().times().readyAt();
        advance(seconds(1));
        worker.settled(lease, new Outcome.Release(false));

        assertThat(find(first).times().readyAt()).isEqualTo(readyAt);
        assertThat(worker.lease(2)).extracting(next -> next.job().id()).containsExactly(first, second);
    }

    @Test
    void aJobThatIsTriedAgainGoesToTheEnd() {
        var first = accept(job());
        advance(seconds(1));
        var second = accept(job());
        advance(seconds(1));
        var worker = worker();
        worker.fail(worker.leaseOne(), seconds(0));

        assertThat(worker.lease(2)).extracting(lease -> lease.job().id()).containsExactly(second, first);
    }

    @Test
    void G11_eachTenthTokenGoesToTheLongestWaiting() {
        var waiting = new ArrayList<NewJob>();
        var random = new Random(11);
        for (var i = 0; i < 60; i++) {
            var job = job().priority(random.nextInt(5)).build();
            client.accept(List.of(job));
            waiting.add(job);
            advance(seconds(1));
        }
        var worker = worker();
        var leases = new ArrayList<Lease>();
        while (leases.size() < 60) {
            leases.addAll(worker.lease(1 + random.nextInt(13)));
        }
        leases.sort(Comparator.comparing(lease -> lease.id().token()));
        for (var lease : leases) {
            // Accepted one second after the other, so the list is in the order of waiting; the sort is stable.
            var expected = lease.id().token() % 10 == 0
                    ? waiting.get(0)
                    : waiting.stream()
                            .min(Comparator.comparing(job -> job.options().priority()))
                            .orElseThrow();
            assertThat(lease.job().id()).as("token %s", lease.id().token()).isEqualTo(expected.id());
            waiting.remove(expected);
        }
    }

    @Test
    void G11_theLastOfTheLowestPriorityIsReachedBesideAnEndlessStream() {
        var patient = accept(job().priority(4));
        advance(seconds(1));
        client.accept(20, job().priority(0));
        var worker = worker();
        for (var leased = 1; leased <= 10; leased++) {
            var lease = worker.leaseOne();
            if (lease.job().id().equals(patient)) {
                assertThat(lease.waitedMillis()).isGreaterThanOrEqualTo(1_000);
                return;
            }
            worker.complete(lease);
            accept(job().priority(0));
        }
        assertThat(state(patient)).as("after ten leases").isEqualTo(JobState.RUNNING);
    }

    @Test
    void G11_theShareOfTheLongestWaitingIsTheQueuesNotTheCallers() {
        var patient = accept(job().priority(4));
        advance(seconds(1));
        client.accept(20, job().priority(0));
        var workers = List.of(worker(), worker(), worker(), worker());
        for (var leased = 0; leased < 10; leased++) {
            var worker = workers.get(leased % workers.size());
            worker.complete(worker.leaseOne());
        }
        assertThat(state(patient)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void waitedIsTheTimeFromReadyToLease() {
        accept(job().delay(seconds(10)));
        advance(seconds(10));
        broker.promote(QUEUE, seconds(1));
        advance(seconds(7));

        assertThat(worker().leaseOne().waitedMillis()).isBetween(7_000L, 60_000L);
    }

    @Test
    void queuesDoNotMix() {
        accept(job().queue("reports").priority(0));
        var mine = accept(job().priority(4));

        assertThat(worker().lease(9)).extracting(lease -> lease.job().id()).containsExactly(mine);
    }

    @Test
    void aLeaseSaysWhetherMoreIsReadyAndWhenTheNextIsDue() {
        accept(3);
        accept(job().delay(seconds(40)));
        accept(job().delay(seconds(90)));
        var worker = worker();

        assertThat(worker.ask(2).more()).isTrue();
        var last = worker.ask(2);
        assertThat(last.leases()).hasSize(1);
        var empty = worker.ask(2);
        assertThat(empty.more()).isFalse();
        assertThat(empty.leases()).isEmpty();
        assertThat(empty.nextDue()).isBetween(seconds(1), seconds(40));
    }

    @Test
    void anEmptyLeaseOfAnEmptyQueueKnowsNothingDue() {
        var reply = worker().ask(5);

        assertThat(reply.nextDue()).isNull();
        assertThat(reply.more()).isFalse();
        assertThat(reply.suspectWaiting()).isFalse();
        assertThat(reply.expired()).isEmpty();
    }
}
