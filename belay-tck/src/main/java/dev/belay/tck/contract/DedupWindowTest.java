package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.Verdict;
import dev.belay.job.Dedup;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.JobBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** G7 where a job has a dedup window of its own. */
public class DedupWindowTest extends BrokerSuite {

    private static final Verdict READY = new Verdict.Applied(JobState.READY, null);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void G7_anOwnWindowThatIsLongerHoldsThroughTheNamespaces() {
        var holder = gone(keyed(Duration.ofHours(48)));
        advance(settings().dedupWindow().plusHours(1));
        prune();
        assertThat(client.enqueue(keyed(MINUTE))).isEqualTo(new Verdict.Duplicate(holder, null));

        // From acceptance.
        advance(Duration.ofHours(23).minusMinutes(2));
        prune();
        assertThat(client.enqueue(job().key("k"))).isEqualTo(new Verdict.Duplicate(holder, null));
        advance(Duration.ofMinutes(3));
        prune();
        assertThat(client.enqueue(job().key("k"))).isEqualTo(READY);
    }

    @Test
    void G7_anOwnWindowThatIsShorterFreesTheKeySooner() {
        var pruned = gone(keyed(MINUTE));
        advance(seconds(30));
        prune();
        assertThat(client.enqueue(keyed(MINUTE))).isEqualTo(new Verdict.Duplicate(pruned, null));
        advance(seconds(31));
        prune();
        gone(keyed(MINUTE));

        advance(seconds(61));
        assertThat(client.enqueue(keyed(MINUTE)))
                .as("whether or not anything was pruned")
                .isEqualTo(READY);
    }

    @Test
    void G7_aKeyIsKeptBeyondItsOwnWindowWhileItsJobExists() {
        var waiting = accept(keyed(MINUTE).delay(Duration.ofDays(1)));
        advance(MINUTE.multipliedBy(3));
        prune();

        assertThat(client.enqueue(keyed(MINUTE))).isEqualTo(new Verdict.Duplicate(waiting, JobState.SCHEDULED));
    }

    @Test
    void theNamespacesSettingDoesNotMatterForIt() {
        var holder = gone(keyed(Duration.ofHours(1)));
        var other = gone(job().key("other"));
        window(MINUTE);
        advance(MINUTE.multipliedBy(2));
        prune();

        assertThat(client.enqueue(job().key("k"))).isEqualTo(new Verdict.Duplicate(holder, null));
        assertThat(client.enqueue(job().key("other")).isApplied())
                .as("%s", other)
                .isTrue();
    }

    @Test
    void theNextHolderHasAWindowOfItsOwn() {
        gone(keyed(MINUTE));
        advance(MINUTE.multipliedBy(2));
        var next = gone(job().key("k"));
        advance(Duration.ofHours(1));
        prune();

        assertThat(client.enqueue(keyed(MINUTE))).isEqualTo(new Verdict.Duplicate(next, null));
        advance(settings().dedupWindow());
        gone(keyed(Duration.ofHours(1)));
        advance(Duration.ofHours(1).plusSeconds(1));
        prune();
        assertThat(client.enqueue(job().key("k"))).isEqualTo(READY);
    }

    @Test
    void aReplayClaimsTheKeyWithItsOwnWindow() {
        keepNothing();
        var id = accept(keyed(Duration.ofHours(48)));
        applied(admin.cancel(QUEUE, id, ANN));
        applied(admin.replay(QUEUE, id, null, ANN));
        var worker = worker();
        worker.complete(worker.leaseOne());
        advance(Duration.ofHours(47));
        prune();

        assertThat(client.enqueue(job().key("k"))).isEqualTo(new Verdict.Duplicate(id, null));
    }

    @Test
    void aFollowUpsOwnWindowHoldsToo() {
        keepNothing();
        accept(1);
        var followUp = keyed(Duration.ofHours(48)).build();
        var worker = worker();
        worker.settled(worker.leaseOne(), dev.belay.tck.TestWorker.followedBy(followUp));
        worker.complete(worker.leaseOne());
        advance(Duration.ofHours(47));
        prune();

        assertThat(client.enqueue(job().key("k"))).isEqualTo(new Verdict.Duplicate(followUp.id(), null));
    }

    @Test
    void aJobSaysWhatItsKeyMeans() {
        var window = accept(keyed(Duration.ofHours(48)));
        var all = accept(job().key("l").dedupWindow(MINUTE).replaceWaiting().atMostOneWaiting());
        var unkeyed = accept(job().dedupWindow(MINUTE));
        var none = accept(job().key("m"));

        assertThat(find(window).options().dedup()).isEqualTo(new Dedup(Duration.ofHours(48), false, false));
        assertThat(find(all).options().dedup()).isEqualTo(new Dedup(MINUTE, true, true));
        assertThat(find(unkeyed).options().dedup()).isEqualTo(new Dedup(MINUTE, false, false));
        assertThat(find(none).options().dedup()).isEqualTo(Dedup.DEFAULT);
        var worker = worker();
        worker.lease(4).forEach(lease -> worker.fail(lease, seconds(5)));
        assertThat(find(all).options().dedup()).isEqualTo(new Dedup(MINUTE, true, true));
    }

    private static JobBuilder keyed(Duration window) {
        return job().key("k").dedupWindow(window);
    }

    /** A job that succeeded and was not kept. */
    private JobId gone(JobBuilder job) {
        keepNothing();
        var id = accept(job);
        var worker = worker();
        worker.complete(worker.leaseOne());
        worker.end();
        assertThat(admin.find(QUEUE, id)).isEmpty();
        return id;
    }

    private void window(Duration value) {
        var now = settings();
        admin.configure(
                new NamespaceSettings(
                        now.reapInterval(),
                        now.reapGrace(),
                        value,
                        now.unknownTypeLimit(),
                        now.auditRetention(),
                        now.maxPayloadBytes()),
                ANN);
    }
}
