package dev.belay.tck.engine;

import dev.belay.event.JobEvent;
import dev.belay.event.JobListener;
import dev.belay.job.JobId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what listeners were told. Thread-safe. */
public final class Told implements JobListener {

    private final List<JobEvent> events = new CopyOnWriteArrayList<>();

    @Override
    public void on(JobEvent event) {
        events.add(event);
    }

    public List<JobEvent> all() {
        return events;
    }

    /** The events of a kind, in the order in which they were told. */
    public <E extends JobEvent> List<E> all(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** The events of a kind about one job. */
    public <E extends JobEvent> List<E> of(JobId job, Class<E> kind) {
        return all(kind).stream().filter(event -> event.job().equals(job)).toList();
    }

    /** The kinds of the events about one job, in order. */
    public List<String> kinds(JobId job) {
        return events.stream()
                .filter(event -> event.job().equals(job))
                .map(event -> event.getClass().getSimpleName())
                .toList();
    }
}
