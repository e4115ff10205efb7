package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.broker.PruneReply;
import dev.belay.broker.QueueSettings;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.tck.BrokerSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Retention of succeeded and cancelled jobs. Dead letters have a suite of their own. */
public class PruneTest extends BrokerSuite {

    @Test
    void whatIsKeptIsKeptForItsTimeCountedFromItsEnd() {
        var succeeded = succeed();
        var cancelled = accept(job());
        applied(admin.cancel(QUEUE, cancelled, ANN));
        advance(QueueSettings.DEFAULT.keepFinished().minusMinutes(1));
        assertThat(prune().removed()).isZero();
        assertThat(state(succeeded)).isEqualTo(JobState.SUCCEEDED);

        advance(Duration.ofMinutes(2));
        assertThat(prune()).isEqualTo(new PruneReply(2, 0, List.of(), false));
        assertThat(admin.find(QUEUE, succeeded)).isEmpty();
        assertThat(admin.find(QUEUE, cancelled)).isEmpty();
        assertThat(events(Event.PRUNED)).isEqualTo(2);
    }

    @Test
    void theTimeSpentWaitingDoesNotCount() {
        var id = accept(job());
        advance(Duration.ofDays(10));
        var worker = worker();
        worker.complete(worker.leaseOne());
        prune();

        assertThat(state(id)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void aJobsOwnRetentionWinsInBothDirections() {
        var brief = accept(job().options(o -> o.withRetention(Duration.ofMinutes(1))));
        var longer = accept(job().options(o -> o.withRetention(Duration.ofDays(7))));
        var worker = worker();
        worker.lease(2).forEach(worker::complete);
        advance(Duration.ofMinutes(2));
        prune();
        assertThat(admin.find(QUEUE, brief)).isEmpty();

        advance(Duration.ofDays(6));
        prune();
        assertThat(state(longer)).isEqualTo(JobState.SUCCEEDED);
        advance(Duration.ofDays(1));
        prune();
        assertThat(admin.find(QUEUE, longer)).isEmpty();
    }

    @Test
    void aCancelledJobsOwnRetentionWinsToo() {
        var id = accept(job().options(o -> o.withRetention(Duration.ofMinutes(1))));
        applied(admin.cancel(QUEUE, id, ANN));
        prune();
        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
        advance(Duration.ofMinutes(2));
        prune();

        assertThat(admin.find(QUEUE, id)).isEmpty();
    }

    @Test
    void beyondTheCountTheOldestGoFirst() {
        admin.configure(QUEUE, QueueSettings.DEFAULT.withFinished(Duration.ofDays(1), 5), ANN);
        var ids = new ArrayList<JobId>();
        for (var i = 0; i < 9; i++) {
            ids.add(succeed());
            advance(seconds(1));
        }
        assertThat(prune().removed()).isEqualTo(4);

        assertThat(admin.list(JobQuery.ALL.inState(JobState.SUCCEEDED), null, 20)
                        .jobs())
                .extracting(job -> job.id())
                .containsExactlyInAnyOrderElementsOf(ids.subList(4, 9));
    }

    @Test
    void theCountIsPerQueueAndDoesNotTouchOthers() {
        admin.configure(QUEUE, QueueSettings.DEFAULT.withFinished(Duration.ofDays(1), 1), ANN);
        succeed();
        succeed();
        accept(job().queue("reports"));
        accept(job().queue("reports"));
        var reports = worker("reports");
        reports.lease(2).forEach(reports::complete);
        accept(3);
        var dead = dead(job().priority(0));
        prune();

        assertThat(admin.count(JobQuery.ALL.inQueue("reports"), 10)).isEqualTo(2);
        assertThat(admin.count(JobQuery.ALL.inQueue(QUEUE).inState(JobState.SUCCEEDED), 10))
                .isEqualTo(1);
        assertThat(admin.count(JobQuery.ALL.inQueue(QUEUE).inState(JobState.READY), 10))
                .isEqualTo(3);
        assertThat(state(dead)).isEqualTo(JobState.DEAD);
    }

    @Test
    void nothingThatIsNotFinalIsEverPruned() {
        admin.configure(QUEUE, QueueSettings.DEFAULT.withFinished(Duration.ZERO, 0), ANN);
        var scheduled = accept(job().delay(Duration.ofDays(400)));
        accept(2);
        worker().leaseOne();
        advance(Duration.ofDays(300));
        assertThat(prune()).isEqualTo(new PruneReply(0, 0, List.of(), false));

        assertThat(state(scheduled)).isEqualTo(JobState.SCHEDULED);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(3);
    }

    @Test
    void case63_pruningGoesInSmallBatches() {
        client.accept(3_000, job());
        var worker = worker();
        worker.lease(3_000).forEach(worker::complete);
        advance(Duration.ofDays(2));
        var first = broker.prune();
        assertThat(first.removed()).isBetween(1, 2_999);
        assertThat(first.more()).isTrue();

        assertThat(first.removed() + prune().removed()).isEqualTo(3_000);
        assertThat(admin.count(JobQuery.ALL, 10)).isZero();
    }

    @Test
    void case144_nothingIsLeftBehindByJobsThatAreGone() {
        for (var i = 0; i < 200; i++) {
            var id = accept(job().key("key-" + i).delay(seconds(60)));
            applied(admin.cancel(QUEUE, id, ANN));
        }
        keepNothing();
        client.accept(200, job().payload(new byte[100]));
        var worker = worker();
        worker.lease(200).forEach(worker::complete);
        worker.end();
        advance(Duration.ofDays(3));
        prune();

        assertThat(admin.count(JobQuery.ALL, 10)).isZero();
        assertThat(admin.queues().get(0).counts().values()).allMatch(count -> count == 0);
        for (var i = 0; i < 200; i++) {
            assertThat(client.enqueue(job().key("key-" + i).payload("other")).isApplied())
                    .isTrue();
        }
    }

    @Test
    void aShorterRetentionHoldsForWhatIsThereAlready() {
        var id = succeed();
        advance(Duration.ofMinutes(10));
        admin.configure(QUEUE, QueueSettings.DEFAULT.withFinished(Duration.ofMinutes(5), 100), ANN);
        prune();

        assertThat(admin.find(QUEUE, id)).isEmpty();
    }

    @Test
    void oldAuditEntriesGoAfterTheirRetention() {
        admin.pause("old", ANN);
        advance(settings().auditRetention().minusDays(1));
        admin.pause("young", ANN);
        prune();
        assertThat(admin.audit(null, null, 10).entries()).hasSize(2);
        advance(Duration.ofDays(2));
        prune();

        assertThat(admin.audit(null, null, 10).entries())
                .extracting(entry -> entry.queue())
                .containsExactly("young");
    }

    private JobId succeed() {
        var id = accept(job());
        var worker = worker();
        worker.complete(worker.leaseOne());
        worker.end();
        return id;
    }
}
