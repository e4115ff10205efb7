package dev.belay.job;

/**
 * The last settle of a job: what lets a broker answer a settle that is sent again.
 *
 * @param outcome the name of the outcome, as in {@link Outcome#name()}
 */
public record LastSettled(long token, SessionId session, String outcome) {}
