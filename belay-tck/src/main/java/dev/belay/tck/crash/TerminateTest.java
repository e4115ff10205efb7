package dev.belay.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Event;
import dev.belay.job.HistoryEntry;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.tck.Skip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Case 129: processes are asked to end by SIGTERM and SIGINT; the JVM's exit codes are 143 and 130. */
public class TerminateTest extends CrashSuite {

    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 130"})
    void G12_case129_runningJobsEndOrAreGivenBackAtOnce(String signal, int exitCode) throws IOException {
        Skip.unless(
                !signal.equals("INT") || !isInterruptIgnored(),
                "whoever started these tests has them ignore SIGINT, as a shell's background job does: so would the worker");
        var child = process(QUEUE + ":4", "drain=700");
        child.awaitReady();
        var quick = enqueue(ONE_ATTEMPT.with("work:400"));
        var endless = enqueue(ONE_ATTEMPT.with("steps:50"));
        child.await("started", 2);
        child.await("progress", 2);
        child.signal(signal);
        // One more makes no difference.
        child.signal(signal);
        var later = new ArrayList<JobId>();
        eventually(() -> {
            later.add(enqueue(ONE_ATTEMPT.with("ok")));
            assertThat(child.isAlive()).isFalse();
        });
        assertThat(child.exitCode()).isEqualTo(exitCode);
        assertThat(job(quick).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(job(endless).state()).as("ready at once, without a reaper").isEqualTo(JobState.READY);
        assertThat(job(endless).progress()).startsWith("step ");
        assertThat(admin.sessions()).isEmpty();
        // What came in the instant before the signal was heard may have run; nothing else has.
        assertThat(later.subList(Math.min(later.size(), 20), later.size()))
                .allSatisfy(id -> assertThat(job(id).state()).isEqualTo(JobState.READY));

        heir(QUEUE);
        awaitState(endless, JobState.SUCCEEDED);
        awaitAll(later, JobState.SUCCEEDED);
        assertThat(job(endless).counts().failures()).isZero();
        assertThat(job(endless).counts().crashes()).isZero();
        assertThat(admin.find(null, endless).orElseThrow().history())
                .extracting(HistoryEntry::kind)
                .containsExactly(HistoryEntry.Kind.INTERRUPTED);
        assertThat(starts().get(quick)).isEqualTo(1);
        assertThat(starts().get(endless)).isEqualTo(2);
    }

    @Test
    void G12_case129_rollingRestartsCostNoAttempt() {
        var restarts = NIGHTLY ? 20 : 3;
        var ids = new ArrayList<JobId>();
        for (var i = 0; i < (NIGHTLY ? 1_000 : 200); i++) {
            ids.add(enqueue(ONE_ATTEMPT.with("work:" + (i % 10 == 0 ? 2_000 : 5))));
        }
        var current = process(QUEUE + ":8", "drain=300").awaitReady();
        for (var i = 0; i < restarts; i++) {
            var next = process(QUEUE + ":8", "drain=300").awaitReady();
            current.signal("TERM");
            assertThat(current.exitCode()).isEqualTo(143);
            current = next;
        }
        current.signal("TERM");
        current.exitCode();
        heir(QUEUE);
        awaitAll(ids, JobState.SUCCEEDED);
        assertAllRan(ids);
        assertThat(events(Event.FAILED) + events(Event.CRASHED) + events(Event.DEAD))
                .isZero();
    }

    @Test
    void case129_aProcessThatIsKilledWhileItDrainsLosesNothing() {
        var child = process(QUEUE + ":4", "drain=60000");
        child.awaitReady();
        var id = enqueue(USUAL.with("hold"));
        child.await("started", 1);
        child.signal("TERM");
        eventually(() -> {
            enqueue(USUAL.with("ok").queue(OTHER_QUEUE));
            assertThat(admin.sessions()).isNotEmpty();
        });
        child.kill();
        heir(QUEUE);
        awaitState(id, JobState.SUCCEEDED);
        assertThat(job(id).counts().crashes()).isEqualTo(1);
        assertThat(job(id).counts().failures()).isZero();
    }

    /** A JVM that inherits "ignore SIGINT" goes on ignoring it. Bit 1 of the mask is signal 2. */
    private static boolean isInterruptIgnored() throws IOException {
        var status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return false;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
    }
}
