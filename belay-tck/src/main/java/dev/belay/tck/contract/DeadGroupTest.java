package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.DeadGroup;
import dev.belay.job.DeadReason;
import dev.belay.job.JobError;
import dev.belay.job.JobId;
import dev.belay.job.Outcome;
import dev.belay.tck.BrokerSuite;
import dev.belay.tck.TestWorker;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Dead letters of one kind, counted together. */
public class DeadGroupTest extends BrokerSuite {

    private static final JobError IO = TestWorker.error("java.io.IOException", "no answer");
    private static final JobError SQL = TestWorker.error("java.sql.SQLException", "no table");

    @Test
    void deadLettersAreGroupedByTypeAndFingerprintMostFirst() {
        die(TYPE, SQL);
        var first = timed(() -> die(TYPE, IO));
        advance(seconds(60));
        die(TYPE, IO);
        var last = timed(() -> die(TYPE, IO));
        die("other-type", IO);
        die("other-type", IO);

        var groups = admin.deadGroups(null, 10);
        assertThat(groups)
                .extracting(group -> group.type() + " " + group.errorClass() + " " + group.count())
                .containsExactly(
                        "send-receipt java.io.IOException 3",
                        "other-type java.io.IOException 2",
                        "send-receipt java.sql.SQLException 1");
        var most = groups.get(0);
        assertThat(most.queue()).isEqualTo(QUEUE);
        assertThat(most.fingerprint()).isEqualTo(IO.fingerprint());
        assertThat(most.reason()).isEqualTo("NOT_RETRYABLE");
        assertThat(most.message()).isEqualTo("no answer");
        assertThat(most.firstSeen()).isBetween(first.from(), first.to());
        assertThat(most.lastSeen()).isBetween(last.from(), last.to());
    }

    @Test
    void whoDiedWithoutAnErrorIsAGroupToo() {
        die(TYPE, null);

        assertThat(admin.deadGroups(QUEUE, 10)).singleElement().satisfies(group -> {
            assertThat(group.fingerprint()).isEmpty();
            assertThat(group.errorClass()).isNull();
            assertThat(group.message()).isNull();
            assertThat(group.count()).isEqualTo(1);
        });
    }

    @Test
    void theCountIsOfWhatIsDeadNowAndFirstSeenStays() {
        var born = timed(() -> die(TYPE, IO));
        var replayed = born.value();
        var discarded = die(TYPE, IO);
        var stays = die(TYPE, IO);
        applied(admin.replay(QUEUE, replayed, null, ANN));
        applied(admin.discard(QUEUE, discarded, null, ANN));
        assertThat(admin.deadGroups(QUEUE, 10)).extracting(DeadGroup::count).containsExactly(1L);

        applied(admin.discard(QUEUE, stays, null, ANN));
        assertThat(admin.deadGroups(QUEUE, 10).stream()
                        .mapToLong(DeadGroup::count)
                        .sum())
                .isZero();
        advance(seconds(100));
        var again = timed(() -> die(TYPE, IO));
        assertThat(admin.deadGroups(QUEUE, 10)).singleElement().satisfies(group -> {
            assertThat(group.count()).isEqualTo(1);
            assertThat(group.firstSeen()).isBetween(born.from(), born.to());
            assertThat(group.lastSeen()).isBetween(again.from(), again.to());
        });
    }

    @Test
    void groupsAreOfOneQueueOrOfAll() {
        die(TYPE, IO);
        accept(job().queue("reports"));
        var worker = worker("reports");
        worker.settled(worker.leaseOne(), new Outcome.Bury(DeadReason.NOT_RETRYABLE, IO));

        assertThat(admin.deadGroups("reports", 10)).extracting(DeadGroup::queue).containsExactly("reports");
        assertThat(admin.deadGroups(null, 10)).hasSize(2);
        assertThat(admin.deadGroups(null, 1)).hasSize(1);
        assertThat(admin.deadGroups("no-such-queue", 10)).isEmpty();
    }

    @Test
    void theNewestTellsReasonAndMessage() {
        die(TYPE, IO);
        advance(seconds(1));
        var newer = new JobError(IO.errorClass(), "no answer from b", IO.stack(), IO.fingerprint());
        accept(job().maxAttempts(1));
        var worker = worker();
        worker.settled(worker.leaseOne(), new Outcome.Retry(seconds(0), false, newer));

        assertThat(admin.deadGroups(QUEUE, 10)).singleElement().satisfies(group -> {
            assertThat(group.reason()).isEqualTo("ATTEMPTS_EXHAUSTED");
            assertThat(group.message()).isEqualTo("no answer from b");
            assertThat(group.count()).isEqualTo(2);
        });
    }

    @Test
    void droppedDeadLettersAreCountedNoMore() {
        for (var i = 0; i < 5; i++) {
            die(TYPE, IO);
            advance(seconds(1));
        }
        admin.configure(QUEUE, dev.belay.broker.QueueSettings.DEFAULT.withDead(null, 2, null), ANN);
        prune();

        assertThat(admin.deadGroups(QUEUE, 10)).extracting(DeadGroup::count).containsExactly(2L);
    }

    @Test
    void case68_everyWayOfDyingIsCountedAlike() {
        accept(job().maxCrashes(1));
        var lost = worker();
        applied(lost.begin(lost.leaseOne()));
        crash(lost);
        accept(job().maxAttempts(1));
        var worker = worker();
        worker.fail(worker.leaseOne(), seconds(0));
        die(TYPE, null);
        accept(job().expiresAfter(seconds(1)));
        advance(seconds(2));
        worker.ask(1);

        assertThat(admin.deadGroups(QUEUE, 10).stream()
                        .mapToLong(DeadGroup::count)
                        .sum())
                .isEqualTo(4);
        assertThat(events(dev.belay.broker.Event.DEAD)).isEqualTo(4);
        assertThat(admin.list(dev.belay.broker.JobQuery.DEAD, null, 10).jobs())
                .extracting(job -> job.reason())
                .containsExactlyInAnyOrder("WORKER_LOST", "ATTEMPTS_EXHAUSTED", "NOT_RETRYABLE", "EXPIRED");
    }

    private JobId die(String type, @Nullable JobError error) {
        var id = accept(job().type(type).priority(0));
        var worker = worker();
        worker.settled(worker.leaseOne(), new Outcome.Bury(DeadReason.NOT_RETRYABLE, error));
        worker.end();
        assertThat(List.of(QUEUE)).contains(find(id).queue());
        return id;
    }
}
