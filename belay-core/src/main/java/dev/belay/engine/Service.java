package dev.belay.engine;

import java.time.Duration;

/** The small shape of every background part: does one round, and says when it wants the next. */
interface Service {

    /** For thread names and logs. */
    String name();

    /**
     * One round.
     *
     * @return how long to wait before the next one
     * @throws Exception is logged, and the round is tried again with backoff
     */
    Duration runOnce() throws Exception;
}
