package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.broker.QueueSettings;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.tck.BrokerSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** G9: dead letters are kept for ever, unless somebody set a limit; then each drop is counted and audited. */
public class DeadRetentionTest extends BrokerSuite {

    @Test
    void G9_withoutLimitsDeadLettersStay() {
        admin.configure(QUEUE, QueueSettings.DEFAULT.withFinished(Duration.ZERO, 0), ANN);
        var ids = bury(20, new byte[10]);
        advance(Duration.ofDays(3_650));

        assertThat(prune().deadDropped()).isZero();
        assertThat(dead()).hasSameElementsAs(ids);
    }

    @Test
    void case62_beyondACountTheOldestAreDroppedCountedAndAudited() {
        var ids = bury(30, new byte[10]);
        limit(null, 20, null);
        var reply = prune();

        assertThat(reply.deadDropped()).isEqualTo(10);
        assertThat(reply.removed()).as("succeeded and cancelled ones only").isZero();
        assertThat(dead()).hasSameElementsAs(ids.subList(10, 30));
        assertThat(events(Event.DEAD_DROPPED)).isEqualTo(10);
        assertThat(events(Event.PRUNED)).isZero();
        for (var id : ids.subList(0, 10)) {
            assertThat(admin.find(QUEUE, id)).isEmpty();
            assertThat(admin.audit(id, null, 5).entries())
                    .as("the tombstone of %s", id)
                    .isNotEmpty();
        }
        assertThat(admin.audit(ids.get(15), null, 5).entries()).isEmpty();
    }

    @Test
    void case67_theAgeCountsFromTheArrivalAmongTheDead() {
        limit(Duration.ofDays(7), null, null);
        var id = accept(job());
        advance(Duration.ofDays(6));
        var worker = worker();
        worker.bury(worker.leaseOne());
        for (var days : List.of(1, 4, 1)) {
            advance(Duration.ofDays(days));
            prune();
            assertThat(state(id)).isEqualTo(JobState.DEAD);
        }
        advance(Duration.ofDays(2));

        assertThat(prune().deadDropped()).isEqualTo(1);
        assertThat(admin.find(QUEUE, id)).isEmpty();
    }

    @Test
    void case63_bytesAreLimitedToo() {
        var ids = bury(10, new byte[1_000]);
        limit(null, null, 4_500L);
        assertThat(prune().deadDropped()).isEqualTo(6);

        assertThat(dead()).hasSameElementsAs(ids.subList(6, 10));
    }

    @Test
    void allLimitsHoldTogether() {
        var ids = bury(10, new byte[100]);
        limit(Duration.ofDays(1), 8, 500L);
        prune();
        assertThat(dead()).hasSameElementsAs(ids.subList(5, 10));

        advance(Duration.ofDays(2));
        prune();
        assertThat(dead()).isEmpty();
        assertThat(events(Event.DEAD_DROPPED)).isEqualTo(10);
    }

    @Test
    void aLimitOfZeroKeepsNone() {
        bury(3, new byte[1]);
        limit(null, 0, null);
        prune();

        assertThat(dead()).isEmpty();
    }

    @Test
    void case63_droppingGoesInSmallBatches() {
        bury(2_500, new byte[10]);
        limit(null, 0, null);
        var first = broker.prune();
        assertThat(first.deadDropped()).isBetween(1, 2_499);
        assertThat(first.more()).isTrue();

        assertThat(first.deadDropped() + prune().deadDropped()).isEqualTo(2_500);
    }

    @Test
    void case62_theKeysOfDroppedOnesAreFreeOnceTheirWindowIsOver() {
        dead(job().key("k"));
        advance(settings().dedupWindow().plusSeconds(1));
        limit(null, 0, null);
        prune();

        assertThat(client.enqueue(job().key("k").payload("other")).isApplied()).isTrue();
    }

    @Test
    void aJobsOwnRetentionIsNotForItsDeath() {
        var id = dead(job().options(o -> o.withRetention(Duration.ofMinutes(1))));
        advance(Duration.ofDays(30));
        prune();

        assertThat(state(id)).isEqualTo(JobState.DEAD);
    }

    @Test
    void replayedJobsAreNotDropped() {
        var id = dead(job());
        applied(admin.replay(QUEUE, id, null, ANN));
        limit(Duration.ofSeconds(1), 0, 0L);
        advance(Duration.ofDays(30));

        assertThat(prune().deadDropped()).isZero();
        assertThat(state(id)).isEqualTo(JobState.READY);
    }

    @Test
    void G9_deadLettersDoNotSlowDownTheLiving() {
        bury(2_000, new byte[10]);
        var id = accept(job());
        var worker = worker();

        assertThat(worker.leaseOne().job().id()).isEqualTo(id);
    }

    /** Jobs that were buried one after the other; the first 30 half a second apart, so that their order is known. */
    private List<JobId> bury(int count, byte[] payload) {
        client.accept(count, job().payload(payload));
        var worker = worker();
        var ids = new ArrayList<JobId>();
        for (var lease : worker.lease(count)) {
            worker.bury(lease);
            ids.add(lease.job().id());
            if (ids.size() <= 30) {
                advance(Duration.ofMillis(500));
            }
        }
        worker.end();
        return ids;
    }

    private void limit(@Nullable Duration age, @Nullable Integer count, @Nullable Long bytes) {
        admin.configure(QUEUE, QueueSettings.DEFAULT.withDead(age, count, bytes), ANN);
    }

    private List<JobId> dead() {
        return admin.list(JobQuery.DEAD, null, 3_000).jobs().stream()
                .map(dev.belay.job.Job::id)
                .toList();
    }
}
