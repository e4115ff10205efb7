package dev.belay.event;

/**
 * Is told what happens to jobs, in the process in which it happens. Called on the engine's threads: it must be quick and
 * safe for use by many threads. What it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface JobListener {

    void on(JobEvent event);
}
