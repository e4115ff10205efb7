package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.JobQuery;
import dev.belay.broker.QueueSettings;
import dev.belay.broker.Verdict;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.JobBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** G7: an explicit key is remembered while its job exists and at least for the dedup window. */
public class DedupTest extends BrokerSuite {

    private static final Verdict READY = new Verdict.Applied(JobState.READY, null);

    @Test
    void G7_theSecondEnqueueGetsTheHolder() {
        var holder = accept(keyed());

        assertThat(client.enqueue(keyed())).isEqualTo(new Verdict.Duplicate(holder, JobState.READY));
        assertThat(secondNode().enqueue(client.call(keyed().build())))
                .containsExactly(new Verdict.Duplicate(holder, JobState.READY));
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
    }

    @Test
    void G7_theHoldersStateIsToldWhateverItIs() {
        var scheduled = accept(job().key("scheduled").delay(seconds(60)));
        assertDuplicate("scheduled", scheduled, JobState.SCHEDULED);
        var worker = worker();
        var holder = accept(keyed());
        var lease = worker.leaseOne();
        assertDuplicate("k", holder, JobState.RUNNING);
        worker.fail(lease, seconds(5));
        assertDuplicate("k", holder, JobState.SCHEDULED);
        applied(admin.runNow(QUEUE, holder, ANN));
        worker.bury(worker.leaseOne());
        assertDuplicate("k", holder, JobState.DEAD);
        applied(admin.replay(QUEUE, holder, null, ANN));
        worker.complete(worker.leaseOne());
        assertDuplicate("k", holder, JobState.SUCCEEDED);
    }

    @Test
    void case86_anotherFingerprintIsAConflictThatExplainsItself() {
        var first = keyed().build();
        var holder = client.accept(java.util.List.of(first)).get(0);
        var second = keyed().payload("[2]").build();

        var verdict = client.enqueue(second).get(0);

        assertThat(verdict).isInstanceOf(Verdict.Conflict.class);
        var conflict = (Verdict.Conflict) verdict;
        assertThat(conflict.holder()).isEqualTo(holder);
        assertThat(conflict.state()).isEqualTo(JobState.READY);
        assertThat(conflict.detail())
                .contains(
                        "k",
                        first.key().fingerprint().toString(),
                        second.key().fingerprint().toString());
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
    }

    @Test
    void case86_delayPriorityHeadersAndVersionAreNoDifference() {
        var holder = accept(keyed());

        assertThat(client.enqueue(keyed().delay(seconds(60)))).isEqualTo(new Verdict.Duplicate(holder, JobState.READY));
        assertThat(client.enqueue(keyed().priority(0))).isEqualTo(new Verdict.Duplicate(holder, JobState.READY));
        assertThat(client.enqueue(keyed().options(o -> o.withHeader("a", "b"))))
                .isEqualTo(new Verdict.Duplicate(holder, JobState.READY));
        assertThat(client.enqueue(keyed().schemaVersion(2))).isEqualTo(new Verdict.Duplicate(holder, JobState.READY));
    }

    @Test
    void case87_aKeyIsScopedByQueueAndType() {
        accept(keyed());

        assertThat(client.enqueue(keyed().queue("reports"))).isEqualTo(READY);
        assertThat(client.enqueue(keyed().type("other-type").payload("[2]"))).isEqualTo(READY);
        assertThat(client.enqueue(keyed().type("other-type").payload("[2]"))).isInstanceOf(Verdict.Duplicate.class);
    }

    @Test
    void case85_theSameKeyTwiceInOneBatchIsOneJob() {
        var first = keyed().build();
        var verdicts =
                client.enqueue(first, keyed().build(), keyed().payload("[2]").build(), job().build());

        assertThat(verdicts.get(0)).isEqualTo(READY);
        assertThat(verdicts.get(1)).isEqualTo(new Verdict.Duplicate(first.id(), JobState.READY));
        assertThat(verdicts.get(2)).isInstanceOf(Verdict.Conflict.class);
        assertThat(verdicts.get(3)).isEqualTo(READY);
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(2);
    }

    @Test
    void keysAreComparedByTheirCharacters() {
        accept(job().key("Key"));
        assertThat(client.enqueue(job().key("key"))).isEqualTo(READY);
        assertThat(client.enqueue(job().key("key "))).isEqualTo(READY);
        assertThat(client.enqueue(job().key("é"))).isEqualTo(READY);
        assertThat(client.enqueue(job().key("e\u0301"))).isEqualTo(READY);
    }

    @Test
    void G7_successKeepsTheKeyForTheWindowEvenWhenTheJobIsGone() {
        keepNothing();
        var holder = accept(keyed());
        advance(Duration.ofHours(1));
        var worker = worker();
        worker.complete(worker.leaseOne());
        assertThat(admin.find(QUEUE, holder)).isEmpty();

        // From acceptance, not from the end.
        advance(settings().dedupWindow().minusHours(1).minusMinutes(1));
        prune();
        assertThat(client.enqueue(keyed())).isEqualTo(new Verdict.Duplicate(holder, null));
        var conflict = client.enqueue(keyed().payload("[2]"));
        assertThat(conflict).isInstanceOf(Verdict.Conflict.class);
        assertThat(((Verdict.Conflict) conflict).holder()).isEqualTo(holder);
        assertThat(((Verdict.Conflict) conflict).state()).isNull();

        advance(Duration.ofMinutes(2));
        prune();
        assertThat(client.enqueue(keyed().payload("[2]"))).isEqualTo(READY);
    }

    @Test
    void aKeyIsFreeAfterItsWindowWhetherOrNotAnythingWasPruned() {
        keepNothing();
        accept(keyed());
        var worker = worker();
        worker.complete(worker.leaseOne());

        advance(settings().dedupWindow().plusSeconds(1));
        assertThat(client.enqueue(keyed())).isEqualTo(READY);
    }

    @Test
    void G7_aKeyIsKeptBeyondTheWindowWhileItsJobExists() {
        var waiting = accept(job().key("waiting").delay(Duration.ofDays(90)));
        var dead = dead(job().key("dead"));
        advance(settings().dedupWindow().multipliedBy(3));
        prune();

        assertDuplicate("waiting", waiting, JobState.SCHEDULED);
        assertDuplicate("dead", dead, JobState.DEAD);
    }

    @Test
    void case90_cancelFreesTheKeyAtOnce() {
        var worker = worker();
        var scheduled = accept(job().key("scheduled").delay(seconds(60)));
        var running = accept(job().key("running"));
        worker.leaseOne();
        var ready = accept(job().key("ready"));
        for (var id : java.util.List.of(scheduled, running, ready)) {
            var key = find(id).key().value();
            applied(admin.cancel(QUEUE, id, ANN));

            assertThat(client.enqueue(job().key(key).payload("[2]"))).isEqualTo(READY);
        }
    }

    @Test
    void case90_discardFreesTheKeyAtOnce() {
        var worker = worker();
        var succeeded = accept(keyed());
        worker.complete(worker.leaseOne());
        applied(admin.discard(QUEUE, succeeded, null, ANN));
        assertThat(client.enqueue(keyed().payload("[2]"))).isEqualTo(READY);

        var dead = dead(job().key("dead").priority(0));
        applied(admin.discard(QUEUE, dead, null, ANN));
        assertThat(client.enqueue(job().key("dead"))).isEqualTo(READY);
    }

    @Test
    void aCancelledJobThatIsPrunedDoesNotTakeTheKeyOfItsSuccessor() {
        var first = accept(keyed());
        applied(admin.cancel(QUEUE, first, ANN));
        var second = accept(keyed());
        advance(QueueSettings.DEFAULT.keepFinished().plusSeconds(1));
        prune();

        assertThat(admin.find(QUEUE, first)).isEmpty();
        assertDuplicate("k", second, JobState.READY);
    }

    @Test
    void case92_aJobThatWaitsForItsRetryHoldsItsKey() {
        var holder = accept(keyed());
        var worker = worker();
        worker.fail(worker.leaseOne(), Duration.ofHours(1));

        for (var i = 0; i < 100; i++) {
            assertThat(client.enqueue(keyed())).isEqualTo(new Verdict.Duplicate(holder, JobState.SCHEDULED));
        }
        assertThat(admin.count(JobQuery.ALL, 10)).isEqualTo(1);
    }

    @Test
    void theWindowIsASettingOfTheNamespace() {
        var now = settings();
        admin.configure(
                new dev.belay.broker.NamespaceSettings(
                        now.reapInterval(),
                        now.reapGrace(),
                        Duration.ofMinutes(1),
                        now.unknownTypeLimit(),
                        now.auditRetention(),
                        now.maxPayloadBytes()),
                ANN);
        keepNothing();
        accept(keyed());
        var worker = worker();
        worker.complete(worker.leaseOne());

        assertThat(client.enqueue(keyed())).isInstanceOf(Verdict.Duplicate.class);
        advance(seconds(61));
        assertThat(client.enqueue(keyed())).isEqualTo(READY);
    }

    @Test
    void case89_aJobTakenBackFromADeadWorkerHoldsItsKeyUntilItIsDone() {
        var holder = accept(keyed());
        var worker = worker();
        worker.leaseOne();
        crash(worker);
        assertDuplicate("k", holder, state(holder));
    }

    private static JobBuilder keyed() {
        return job().key("k");
    }

    private void assertDuplicate(String key, JobId holder, JobState state) {
        assertThat(client.enqueue(job().key(key))).isEqualTo(new Verdict.Duplicate(holder, state));
    }
}
