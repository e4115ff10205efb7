package dev.belay.cli.command;

import dev.belay.job.Job;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job's life so far as phases: what it did from when, for how long. By the broker's clock. */
final class Phases {

    private Phases() {}

    record Phase(String name, long from, long millis) {}

    static List<Phase> of(Job job, long now) {
        var times = job.times();
        var phases = new ArrayList<Phase>();
        var finished = times.finishedAt();
        var leased = times.leasedAt();
        var ready = times.readyAt();
        var waited = times.createdAt();
        var tried = job.counts().deliveries() > 0;
        if (ready == null || ready > waited) {
            add(phases, tried ? "earlier deliveries and waits" : "scheduled", waited, first(ready, finished, now));
        }
        if (ready != null) {
            add(
                    phases,
                    leased == null && finished != null ? "ready and running" : "ready",
                    ready,
                    first(leased, finished, now));
        }
        if (leased != null) {
            add(phases, "running", leased, first(finished, null, now));
        }
        if (finished != null) {
            add(phases, job.state().name().toLowerCase(java.util.Locale.ROOT), finished, now);
        }
        return phases;
    }

    private static void add(List<Phase> phases, String name, long from, long to) {
        phases.add(new Phase(name, from, Math.max(0, to - from)));
    }

    private static long first(@Nullable Long wanted, @Nullable Long otherwise, long last) {
        return wanted != null ? wanted : otherwise != null ? otherwise : last;
    }
}
