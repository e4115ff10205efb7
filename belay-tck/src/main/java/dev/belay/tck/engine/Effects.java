package dev.belay.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.handler.JobContext;
import dev.belay.handler.JobHandler;
import dev.belay.job.JobId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The effect counter: a row for each run of a handler, kept outside of the product, so that runs and overlaps are counted
 * independently of what the product says. Thread-safe.
 */
public final class Effects {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * One run of a handler.
     *
     * @param payload what it was given
     * @param end 0 while it runs
     */
    public record Run(
            JobId job,
            String queue,
            String type,
            int attempt,
            int delivery,
            long token,
            String payload,
            String thread,
            long start,
            long end) {

        boolean isOver() {
            return end != 0;
        }
    }

    private final List<Run> runs = new ArrayList<>();
    private int running;
    private int mostAtOnce;

    /** The same handler, counted. */
    public <P> JobHandler<P> count(JobHandler<P> handler) {
        return (payload, context) -> {
            var row = begin(payload, context);
            try {
                handler.handle(payload, context);
            } finally {
                end(row);
            }
        };
    }

    private synchronized int begin(Object payload, JobContext context) {
        running++;
        mostAtOnce = Math.max(mostAtOnce, running);
        runs.add(new Run(
                context.job().id(),
                context.job().queue(),
                context.job().type(),
                context.attempt(),
                context.delivery(),
                context.token(),
                payload.toString(),
                Thread.currentThread().getName(),
                System.nanoTime(),
                0));
        return runs.size() - 1;
    }

    private synchronized void end(int row) {
        running--;
        var run = runs.get(row);
        runs.set(
                row,
                new Run(
                        run.job,
                        run.queue,
                        run.type,
                        run.attempt,
                        run.delivery,
                        run.token,
                        run.payload,
                        run.thread,
                        run.start,
                        System.nanoTime()));
    }

    /** All runs, in the order of their starts. */
    public synchronized List<Run> runs() {
        return List.copyOf(runs);
    }

    public List<Run> of(JobId job) {
        return runs().stream().filter(run -> run.job().equals(job)).toList();
    }

    /** How many runs have begun. */
    public synchronized int starts() {
        return runs.size();
    }

    public synchronized int running() {
        return running;
    }

    /** The largest number of handlers that ran at a time. */
    public synchronized int mostAtOnce() {
        return mostAtOnce;
    }

    /** Waits until so many runs have begun. */
    public void awaitStarts(int count) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(2))
                .untilAsserted(() -> assertThat(starts()).as("runs begun").isGreaterThanOrEqualTo(count));
    }

    /** Waits until so many runs of a job have begun. */
    public void awaitStarts(JobId job, int count) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(2))
                .untilAsserted(() -> assertThat(of(job)).as("runs of " + job).hasSizeGreaterThanOrEqualTo(count));
    }

    /** Each of these jobs ran exactly once. */
    public void assertOnce(Collection<JobId> jobs) {
        var counts = new java.util.HashMap<JobId, Integer>();
        runs().forEach(run -> counts.merge(run.job(), 1, Integer::sum));
        assertThat(jobs)
                .allSatisfy(job -> assertThat(counts.getOrDefault(job, 0))
                        .as("runs of " + job)
                        .isEqualTo(1));
    }

    /** No two runs of a job overlapped, and their tokens grew. */
    public void assertNoOverlap() {
        var last = new java.util.HashMap<JobId, Run>();
        for (var run : runs()) {
            var before = last.put(run.job(), run);
            if (before != null) {
                assertThat(before.isOver() && before.end() <= run.start())
                        .as("run %s began before %s had ended", run, before)
                        .isTrue();
                assertThat(run.token()).isGreaterThan(before.token());
            }
        }
    }
}
