package dev.belay.cli.demo;

import dev.belay.broker.Histogram;
import dev.belay.broker.TimesDelta;
import dev.belay.job.Job;
import dev.belay.job.JobState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The demo in figures. */
record DemoReport(
        Evidence evidence, Row all, List<Row> types, List<DeadLetter> dead, Charges charges, List<Promise> promises) {

    /** The figures of a type, or of all. */
    record Row(
            String type,
            long accepted,
            long succeeded,
            long retried,
            long crashed,
            long dead,
            long lost,
            Percentiles pickup,
            Percentiles run) {}

    /** Milliseconds. */
    record Percentiles(double p50, double p95, double p99) {
        static Percentiles of(Histogram histogram) {
            return new Percentiles(
                    millis(histogram.quantile(0.5)),
                    millis(histogram.quantile(0.95)),
                    millis(histogram.quantile(0.99)));
        }

        private static double millis(double micros) {
            return Math.round(micros) / 1_000.0;
        }
    }

    record DeadLetter(
            String id,
            String order,
            String type,
            String reason,
            @Nullable String message) {}

    /** How often charges were asked for and made, and the most that was made for one order. */
    record Charges(long asked, long made, int mostForOne) {}

    static DemoReport of(Evidence evidence) {
        var types = evidence.accepted().values().stream()
                .map(Submitter.Accepted::type)
                .distinct()
                .sorted()
                .map(type -> row(evidence, type))
                .toList();
        return new DemoReport(
                evidence,
                row(evidence, null),
                types,
                dead(evidence),
                charges(evidence),
                new Promises(evidence).check());
    }

    List<String> brokenPromises() {
        return promises.stream()
                .filter(promise -> !promise.isKept())
                .map(promise -> promise.text() + ": "
                        + String.join("; ", promise.broken().stream().limit(5).toList())
                        + (promise.broken().size() > 5
                                ? "; and " + (promise.broken().size() - 5) + " more"
                                : ""))
                .toList();
    }

    private static Row row(Evidence evidence, @Nullable String type) {
        var accepted = evidence.accepted().entrySet().stream()
                .filter(entry -> type == null || entry.getValue().type().equals(type))
                .toList();
        var jobs = accepted.stream()
                .map(entry -> evidence.job(entry.getKey()))
                .filter(Objects::nonNull)
                .map(job -> Objects.requireNonNull(job))
                .filter(job -> job.state().isFinal())
                .toList();
        return new Row(
                type == null ? "all" : type,
                accepted.size(),
                count(jobs, JobState.SUCCEEDED),
                jobs.stream().mapToLong(DemoReport::retried).sum(),
                jobs.stream().mapToLong(job -> job.counts().crashes()).sum(),
                count(jobs, JobState.DEAD),
                accepted.size() - jobs.size(),
                Percentiles.of(evidence.times(TimesDelta.Kind.WAIT, type)),
                Percentiles.of(evidence.times(TimesDelta.Kind.RUN, type)));
    }

    private static long count(List<Job> jobs, JobState state) {
        return jobs.stream().filter(job -> job.state() == state).count();
    }

    /** Failures after which the job was tried again: all but the one that buried it. */
    private static long retried(Job job) {
        var failures = job.counts().failures();
        return job.state() == JobState.DEAD ? Math.max(0, failures - 1) : failures;
    }

    private static List<DeadLetter> dead(Evidence evidence) {
        var dead = new ArrayList<DeadLetter>();
        evidence.accepted().forEach((id, accepted) -> {
            var job = evidence.job(id);
            if (job != null && job.state() == JobState.DEAD) {
                var error = job.lastError();
                dead.add(new DeadLetter(
                        id.toString(),
                        accepted.order(),
                        accepted.type(),
                        String.valueOf(job.reason()),
                        error == null ? null : error.message()));
            }
        });
        dead.sort(Comparator.comparing(DeadLetter::order));
        return dead;
    }

    private static Charges charges(Evidence evidence) {
        var byOrder = new TreeMap<String, Integer>();
        long asked = 0;
        for (var counts : evidence.charges().values()) {
            asked += counts.asked();
            byOrder.merge(counts.order(), counts.made(), Integer::sum);
        }
        return new Charges(
                asked,
                byOrder.values().stream().mapToLong(Integer::longValue).sum(),
                byOrder.values().stream().mapToInt(Integer::intValue).max().orElse(0));
    }
}
