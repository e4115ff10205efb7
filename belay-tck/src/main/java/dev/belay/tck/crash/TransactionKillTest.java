package dev.belay.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.broker.JobQuery;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.tck.Skip;
import dev.belay.tck.transaction.Rows;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Processes are killed around the commit of a transaction in which they complete or enqueue a job. */
@SuppressWarnings("NullAway.Init") // set before each test
public class TransactionKillTest extends CrashSuite {

    private String url;
    private boolean made;

    @BeforeEach
    void makeRows() {
        url = bench.store()
                .jdbcUrl()
                .orElseThrow(() -> Skip.because("the " + harness.name()
                        + " broker's store is in no database of a caller: it has no transactions"));
        Rows.create(url);
        made = true;
    }

    @AfterEach
    void dropRows() throws Exception {
        closeAll();
        if (made) {
            Rows.drop(url);
        }
    }

    private Child writer(String... more) {
        var arguments = new java.util.ArrayList<>(List.of("jdbc=" + url));
        arguments.addAll(List.of(more));
        return process(QUEUE + ":2", arguments.toArray(String[]::new));
    }

    @Test
    void G1_G3_killedBetweenTheCommitAndTheReturnTheJobIsDoneOnce() {
        var victim = writer("hold=committed");
        var id = enqueue(USUAL.with("write"));
        victim.await("committed", 1);
        victim.kill();

        assertThat(job(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(Rows.all(url)).containsExactly(id.toString());
        // Also when the dead worker's session was ended, and another one has taken over all that it held.
        writer().awaitReady();
        var after = enqueue(USUAL.with("write"));
        awaitState(after, JobState.SUCCEEDED);
        eventually(() -> assertThat(admin.sessions()).hasSize(1));
        assertThat(job(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(job(id).counts().crashes()).isZero();
        assertThat(admin.find(null, id).orElseThrow().history()).isEmpty();
        assertThat(Rows.all(url)).containsExactlyInAnyOrder(id.toString(), after.toString());
        assertThat(starts()).containsEntry(id, 1L);
        assertThat(List.of(events(Event.LEASED), events(Event.SUCCEEDED), events(Event.CRASHED)))
                .containsExactly(2L, 2L, 0L);
    }

    @Test
    void G1_G3_killedBeforeTheCommitTheJobIsDeliveredAgain() {
        var victim = writer("hold=completing");
        var id = enqueue(USUAL.with("write"));
        victim.await("completing", 1);
        victim.kill();

        assertThat(job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(Rows.all(url)).isEmpty();
        writer();
        awaitState(id, JobState.SUCCEEDED);
        assertThat(Rows.all(url)).containsExactly(id.toString());
        assertThat(job(id).counts().crashes()).isEqualTo(1);
        assertThat(admin.find(null, id).orElseThrow().history())
                .extracting(HistoryEntry::kind)
                .containsExactly(HistoryEntry.Kind.CRASHED);
        assertThat(starts()).containsEntry(id, 2L);
        assertThat(List.of(events(Event.LEASED), events(Event.SUCCEEDED), events(Event.CRASHED)))
                .containsExactly(2L, 1L, 1L);
    }

    @Test
    void G1_case10_aClientKilledBeforeItsCommitHasEnqueuedNothing() {
        var client = clientProcess(1, "jdbc=" + url, "hold=enqueued");
        client.await("enqueued", 1);
        client.kill();

        assertThat(admin.count(JobQuery.ALL, 10)).isZero();
        assertThat(Rows.all(url)).isEmpty();
    }

    @Test
    void G1_case10_ofAKilledClientEachRowHasItsJob() {
        var client = clientProcess(1_000_000, "jdbc=" + url);
        client.await("accepted", NIGHTLY ? 2_000 : 50);
        client.kill();

        var accepted = client.told("accepted").stream().map(JobId::parse).toList();
        var rows = Rows.all(url).stream().map(JobId::parse).toList();
        assertThat(rows).containsAll(accepted);
        // The one that was on its way is there with its row, or neither is.
        assertThat(admin.count(JobQuery.ALL, Long.MAX_VALUE)).isEqualTo(rows.size());
        heir(QUEUE);
        awaitAll(rows, JobState.SUCCEEDED);
        assertThat(starts().values()).hasSize(rows.size()).containsOnly(1L);
    }
}
