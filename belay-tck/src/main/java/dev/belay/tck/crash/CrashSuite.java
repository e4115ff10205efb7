package dev.belay.tck.crash;

import dev.belay.Worker;
import dev.belay.handler.JobHandler;
import dev.belay.job.Backoff;
import dev.belay.job.JobId;
import dev.belay.job.JobType;
import dev.belay.job.RetryPolicy;
import dev.belay.tck.Skip;
import dev.belay.tck.engine.EngineSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What all suites with processes have: children on one store, and an effect counter that they share. */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class CrashSuite extends EngineSuite {

    static final Duration LEASE = Duration.ofMillis(1_500);
    static final Duration HEARTBEAT = Duration.ofMillis(300);
    static final Duration RECONNECT = Duration.ofMillis(400);

    /** Work with a usual budget: three crashes. */
    static final JobType<String> USUAL = crashType("usual", b -> b);

    /** Work that may fail once only. */
    static final JobType<String> ONE_ATTEMPT = crashType("one-attempt", b -> b.maxAttempts(1));

    /** Work that is suspected after its first crash. */
    static final JobType<String> TWO_CRASHES = crashType("two-crashes", b -> b.maxCrashes(2));

    /** Work that may crash as often as it likes. */
    static final JobType<String> MANY = crashType("many", b -> b.maxCrashes(1_000_000));

    static final List<JobType<String>> TYPES = List.of(USUAL, ONE_ATTEMPT, TWO_CRASHES, MANY);

    /** Whether to run at full size. */
    static final boolean NIGHTLY = Boolean.getBoolean("belay.tck.nightly");

    private Path directory;
    EffectLog log;

    private static JobType<String> crashType(
            String name, java.util.function.UnaryOperator<JobType.Builder<String>> change) {
        return change.apply(JobType.define(name, String.class)
                        .queue(QUEUE)
                        .retry(RetryPolicy.with(Backoff.fixed(Duration.ofMillis(100)))))
                .build();
    }

    @BeforeEach
    void prepareProcesses() throws IOException {
        address();
        reaping(Duration.ofMillis(200), Duration.ofSeconds(1));
        directory = Files.createTempDirectory("belay-tck-crash");
        log = new EffectLog(directory.resolve("effects"));
    }

    @AfterEach
    void removeDirectory() throws IOException {
        if (directory != null) {
            log.close();
            Files.delete(log.file());
            Files.delete(directory);
        }
    }

    private String address() {
        return bench.store()
                .address()
                .orElseThrow(() -> Skip.because("the " + harness.name()
                        + " broker can't be opened by another process: there is nothing to kill or freeze"));
    }

    /** Starts a worker process; see {@link WorkerMain}. */
    Child process(String queues, String... arguments) {
        var all = new ArrayList<>(List.of("address=" + address(), "effects=" + log.file(), "queues=" + queues));
        all.addAll(Arrays.asList(arguments));
        return closing(Child.start(WorkerMain.class, all));
    }

    /** Starts a client process; see {@link ClientMain}. */
    Child clientProcess(int count, String... arguments) {
        var all = new ArrayList<>(List.of("address=" + address(), "count=" + count));
        all.addAll(Arrays.asList(arguments));
        return closing(Child.start(ClientMain.class, all));
    }

    /** A worker in this process, with the paces of the others. */
    Worker.Builder local() {
        return define(broker).leaseDuration(LEASE).heartbeat(HEARTBEAT).reconnectBackoff(RECONNECT);
    }

    /** A worker in this process that does whatever comes, counted in the same log. */
    Worker heir(String... queues) {
        var builder = local();
        for (var queue : queues) {
            builder.queue(queue, 20);
        }
        JobHandler<String> handler = (payload, context) -> {
            log.append(true, context);
            log.append(false, context);
        };
        TYPES.forEach(type -> builder.handle(type, handler));
        return start(builder);
    }

    /** How often each job was started, by any process. */
    Map<JobId, Long> starts() {
        return log.lines().stream()
                .filter(EffectLog.Line::isStart)
                .collect(Collectors.groupingBy(EffectLog.Line::job, Collectors.counting()));
    }

    /** Each of these jobs was started at least once: what says that it has succeeded has run. */
    void assertAllRan(Collection<JobId> ids) {
        org.assertj.core.api.Assertions.assertThat(starts().keySet()).containsAll(ids);
    }
}
