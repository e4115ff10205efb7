package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.QueueSettings;
import dev.belay.broker.StoreCheck;
import dev.belay.broker.Verdict;
import dev.belay.job.JobState;
import dev.belay.tck.BrokerSuite;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queues, their figures and settings. */
public class QueueAdminTest extends BrokerSuite {

    @Test
    void aQueueIsShownWithItsFigures() {
        client.accept(3, job());
        accept(job().delay(seconds(60)));
        var worker = worker();
        var leases = worker.lease(2);
        worker.complete(leases.get(0));
        dead(job().priority(0));
        applied(admin.cancel(QUEUE, accept(job().delay(seconds(9))), ANN));
        var view = admin.queues().get(0);

        assertThat(view.queue()).isEqualTo(QUEUE);
        assertThat(view.settings()).isEqualTo(QueueSettings.DEFAULT);
        assertThat(view.liveSessions()).isEqualTo(1);
        assertThat(List.of(JobState.values()))
                .extracting(view::count)
                .as("SCHEDULED, READY, RUNNING, SUCCEEDED, DEAD, CANCELLED")
                .containsExactly(1L, 1L, 1L, 1L, 1L, 1L);
    }

    @Test
    void theOldestReadyJobTellsTheAgeOfTheBacklog() {
        accept(job().queue("idle").delay(seconds(60)));
        var enqueued = timed(() -> accept(job()));
        advance(seconds(10));
        accept(job().priority(0));
        var views = admin.queues();

        assertThat(views.get(0).queue()).isEqualTo("idle");
        assertThat(views.get(0).oldestReadyAt()).isNull();
        assertThat(views.get(1).oldestReadyAt()).isBetween(enqueued.from(), enqueued.to());
    }

    @Test
    void queuesAreListedInOrderOfTheirNames() {
        for (var queue : List.of("m", "a", "z", "b-1", "b.1", "0")) {
            accept(job().queue(queue));
        }
        assertThat(admin.queues()).extracting(view -> view.queue()).isSorted().hasSize(6);
    }

    @Test
    void settingsAreKeptAndSeenByAllNodes() {
        var settings =
                QueueSettings.DEFAULT.withFinished(Duration.ofDays(3), 17).withDead(null, 5, null);
        admin.configure("reports", settings, ANN);

        assertThat(secondNode().admin().queues().get(0).settings()).isEqualTo(settings);
        admin.configure("reports", QueueSettings.DEFAULT, ANN);
        assertThat(admin.queues().get(0).settings()).isEqualTo(QueueSettings.DEFAULT);
    }

    @Test
    void namespaceSettingsAreKeptAndSeenByAllNodes() {
        var settings = new NamespaceSettings(
                seconds(1), seconds(7), Duration.ofHours(2), Duration.ofHours(3), Duration.ofDays(4), 5_000);
        assertThat(broker.settings()).isEqualTo(NamespaceSettings.DEFAULT);
        admin.configure(settings, ANN);

        assertThat(broker.settings()).isEqualTo(settings);
        assertThat(secondNode().settings()).isEqualTo(settings);
    }

    @Test
    void anEmptyQueueCanBeRemoved() {
        accept(job().queue("old"));
        var worker = worker("old");
        assertThat(admin.removeQueue("old", ANN)).isEqualTo(Verdict.BUSY);
        var lease = worker.leaseOne();
        assertThat(admin.removeQueue("old", ANN)).isEqualTo(Verdict.BUSY);
        worker.complete(lease);
        applied(admin.discard("old", lease.job().id(), null, ANN));
        assertThat(admin.removeQueue("old", ANN)).as("somebody serves it").isEqualTo(Verdict.BUSY);
        worker.end();

        applied(admin.removeQueue("old", ANN));
        assertThat(admin.queues()).isEmpty();
        assertThat(admin.removeQueue("old", ANN)).isEqualTo(Verdict.MISSING);
    }

    @Test
    void G3_tokensSurviveTheRemovalOfTheirQueue() {
        var id = accept(job());
        var worker = worker();
        var first = worker.leaseOne();
        worker.complete(first);
        applied(admin.discard(QUEUE, id, null, ANN));
        worker.end();
        applied(admin.removeQueue(QUEUE, ANN));
        accept(job().id(id));

        assertThat(worker().leaseOne().id().token()).isGreaterThan(first.id().token());
    }

    @Test
    void aRemovedQueueComesBackWithoutPauseAndSettings() {
        admin.configure(QUEUE, QueueSettings.DEFAULT.withDead(null, 1, null), ANN);
        admin.pause(QUEUE, ANN);
        applied(admin.removeQueue(QUEUE, ANN));
        accept(1);

        assertThat(admin.queues()).singleElement().satisfies(view -> {
            assertThat(view.paused()).isFalse();
            assertThat(view.settings()).isEqualTo(QueueSettings.DEFAULT);
        });
    }

    @Test
    void theStoreIsChecked() {
        var checks = admin.check();

        assertThat(checks).allSatisfy(check -> {
            assertThat(check.name()).isNotBlank();
            assertThat(check.detail()).isNotBlank();
            assertThat(check.result()).as(check.toString()).isNotEqualTo(StoreCheck.Result.FAILED);
        });
    }

    @Test
    void case139_aQueueThatNobodyServesCanBeSeen() {
        accept(job().queue("emials"));
        worker("emails");

        assertThat(admin.queues())
                .extracting(view -> view.queue() + " " + view.liveSessions() + " " + view.count(JobState.READY))
                .containsExactly("emails 1 0", "emials 0 1");
    }
}
