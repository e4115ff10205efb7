package dev.belay.broker;

import dev.belay.job.Limits;
import dev.belay.job.SessionId;

/**
 * A numbered request for jobs of a session's queue.
 *
 * @param session that will hold them
 * @param number of the call, growing within the session
 * @param slots how many can start at once, 0 or more
 * @param extra how many more may be prefetched, 0 or more; at most {@code slots} of all jobs may have one crash left
 * @param maxBytes of all payloads together; one job is leased whatever its size
 * @param suspect whether to take one suspect, and nothing else, instead
 */
public record LeaseRequest(SessionId session, long number, int slots, int extra, long maxBytes, boolean suspect) {

    public static final long DEFAULT_MAX_BYTES = 16L * 1024 * 1024;

    public LeaseRequest {
        Limits.range("slots", slots, 0, 100_000);
        Limits.range("extra", extra, 0, 100_000);
    }

    /** A request for {@code slots} jobs, and nothing special. */
    public static LeaseRequest of(SessionId session, long number, int slots) {
        return new LeaseRequest(session, number, slots, 0, DEFAULT_MAX_BYTES, false);
    }

    public LeaseRequest withExtra(int value) {
        return new LeaseRequest(session, number, slots, value, maxBytes, suspect);
    }

    public LeaseRequest withMaxBytes(long value) {
        return new LeaseRequest(session, number, slots, extra, value, suspect);
    }

    /** For one suspect and nothing else. */
    public static LeaseRequest ofSuspect(SessionId session, long number) {
        return new LeaseRequest(session, number, 1, 0, DEFAULT_MAX_BYTES, true);
    }
}
