package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.job.JobState;
import dev.belay.tck.BrokerSuite;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Due jobs become ready by whoever looks first: a promoter's pass, or the lease call itself. */
public class PromoteTest extends BrokerSuite {

    private static final Duration INTERVAL = Duration.ofMillis(250);

    @Test
    void aPassMovesWhatIsDueAndTellsWhenTheNextIs() {
        var due = accept(job().delay(seconds(10)));
        var later = accept(job().delay(seconds(60)));
        advance(seconds(10));
        var reply = broker.promote(QUEUE, INTERVAL);

        assertThat(reply.promoted()).isEqualTo(1);
        assertThat(reply.nextDue()).isBetween(seconds(40), seconds(50));
        assertThat(state(due)).isEqualTo(JobState.READY);
        assertThat(find(due).times().readyAt()).isLessThanOrEqualTo(now());
        assertThat(state(later)).isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void nothingIsPromotedBeforeItIsDue() {
        var at = now() + 5_000;
        var id = accept(job().start(new dev.belay.job.Moment.At(java.time.Instant.ofEpochMilli(at))));
        advance(seconds(4));
        assertThat(broker.promote(QUEUE, INTERVAL).promoted()).isZero();
        assertThat(worker().lease(1)).isEmpty();
        assertThat(state(id)).isEqualTo(JobState.SCHEDULED);

        advance(seconds(1));
        assertThat(broker.promote(QUEUE, INTERVAL).promoted()).isEqualTo(1);
    }

    @Test
    void aPassWithinHalfTheIntervalOfTheLastDoesNothing() {
        var pace = seconds(20);
        accept(job().delay(Duration.ofHours(1)));
        broker.promote(QUEUE, pace);
        var id = accept(job().delay(seconds(1)));
        advance(seconds(4));
        assertThat(secondNode().promote(QUEUE, pace).promoted()).as("by anyone").isZero();
        advance(seconds(4));
        assertThat(broker.promote(QUEUE, pace).promoted()).isZero();
        assertThat(state(id)).isEqualTo(JobState.SCHEDULED);

        advance(seconds(3));
        assertThat(broker.promote(QUEUE, pace).promoted()).isEqualTo(1);
    }

    @Test
    void aPassThatWasTooSoonDoesNotCountAsThePassBefore() {
        var pace = seconds(20);
        accept(job().delay(Duration.ofHours(1)));
        broker.promote(QUEUE, pace);
        accept(job().delay(seconds(1)));
        for (var i = 0; i < 3; i++) {
            advance(seconds(4));
            if (broker.promote(QUEUE, pace).promoted() == 1) {
                assertThat(i).isEqualTo(2);
                return;
            }
        }
        throw new AssertionError("passes that came too soon have put the next one off");
    }

    @Test
    void passesOfOneQueueDoNotHoldUpAnother() {
        broker.promote(QUEUE, seconds(20));
        accept(job().queue("reports").delay(seconds(1)));
        advance(seconds(2));

        assertThat(broker.promote("reports", seconds(20)).promoted()).isEqualTo(1);
    }

    @Test
    void aClockThatWasSetBackDoesNotStopThePromoter() {
        accept(job().delay(Duration.ofHours(9)));
        broker.promote(QUEUE, seconds(20));
        advance(Duration.ofHours(-1));
        accept(job().delay(seconds(30)));
        advance(seconds(30));

        assertThat(broker.promote(QUEUE, seconds(20)).promoted()).isEqualTo(1);
    }

    @Test
    void theLeaseCallPromotesByItself() {
        var id = accept(job().delay(seconds(10)));
        broker.promote(QUEUE, seconds(60));
        advance(seconds(10));

        assertThat(worker().leaseOne().job().id()).isEqualTo(id);
    }

    @Test
    void case8_whatCameDueWhileNobodyWasThereIsFoundAtOnce() {
        client.accept(50, job().delay(seconds(30)));
        advance(Duration.ofDays(1));

        assertThat(worker().lease(100)).hasSize(50);
    }

    @Test
    void priorityHoldsAmongTheJustPromoted() {
        var low = accept(job().priority(3).delay(seconds(5)));
        var high = accept(job().priority(1).delay(seconds(6)));
        advance(seconds(10));

        assertThat(worker().lease(2)).extracting(lease -> lease.job().id()).containsExactly(high, low);
    }

    @Test
    void manyDueJobsAllBecomeReady() {
        client.accept(5_000, job().delay(seconds(5)));
        advance(seconds(5));
        var promoted = 0;
        for (var pass = 0; pass < 50 && promoted < 5_000; pass++) {
            promoted += broker.promote(QUEUE, INTERVAL).promoted();
            advance(INTERVAL);
        }
        assertThat(promoted).isEqualTo(5_000);
        assertThat(admin.queues().get(0).count(JobState.READY)).isEqualTo(5_000);
    }

    @Test
    void anUnknownQueueHasNothingDue() {
        var reply = broker.promote("no-such-queue", INTERVAL);

        assertThat(reply.promoted()).isZero();
        assertThat(reply.nextDue()).isNull();
    }
}
