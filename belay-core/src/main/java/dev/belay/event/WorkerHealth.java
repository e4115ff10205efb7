package dev.belay.event;

import java.util.List;

/**
 * How a worker is.
 *
 * @param state where it is in its life
 * @param problems what is wrong, in words for people; empty where nothing is
 * @param running handlers that run now, those whose lease was lost included
 * @param prefetched jobs leased and not started
 * @param settling outcomes that the broker has not answered yet
 */
public record WorkerHealth(State state, List<String> problems, int running, int prefetched, int settling) {

    /** Whether it runs and nothing is wrong. */
    public boolean isHealthy() {
        return state == State.RUNNING && problems.isEmpty();
    }

    /** Where a worker is in its life. */
    public enum State {
        NEW,
        RUNNING,
        /** Takes no new jobs; those that run may finish. */
        DRAINING,
        STOPPED
    }
}
