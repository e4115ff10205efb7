package dev.belay.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients and workers in several processes work on one store at once. */
public class ManyProcessesTest extends CrashSuite {

    @Test
    void G1_G3_processesThatShareAStoreRunEachJobOnce() {
        var count = NIGHTLY ? 5_000 : 250;
        var workers = List.of(process(QUEUE + ":4"), process(QUEUE + ":4"));
        var clients = List.of(clientProcess(count), clientProcess(count));
        heir(QUEUE);
        var ids = new ArrayList<JobId>();
        for (var i = 0; i < count / 5; i++) {
            ids.add(enqueue(MANY.with("mine " + i)));
        }
        clients.forEach(client -> {
            assertThat(client.exitCode()).as(client.toString()).isZero();
            ids.addAll(client.told("accepted").stream().map(JobId::parse).toList());
        });
        assertThat(ids).hasSize(2 * count + count / 5);
        awaitAll(ids, JobState.SUCCEEDED);
        assertThat(starts().values()).hasSize(ids.size()).containsOnly(1L);
        workers.forEach(Child::awaitReady);
        assertThat(events(Event.LEASED)).isEqualTo(events(Event.SUCCEEDED) + events(Event.RELEASED));
        assertThat(events(Event.CRASHED) + events(Event.FAILED)).isZero();
    }
}
