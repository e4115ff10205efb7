package dev.belay.sql.step;

import dev.belay.job.LeaseId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this broker object knows of the jobs that it has leased out: enough to settle a success without reading the job
 * again. A hint only: the settling statement names token and session, and so finds nothing where the hint is out of date.
 * Used by the writer.
 */
final class Leased {

    /** Beyond as many the oldest are forgotten; they are settled by the long way. */
    private static final int LIMIT = 100_000;

    private final Map<LeaseId, Facts> facts = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LeaseId, Facts> eldest) {
            return size() > LIMIT;
        }
    };

    synchronized void put(LeaseId lease, Facts fact) {
        facts.put(lease, fact);
    }

    synchronized @Nullable Facts take(LeaseId lease) {
        return facts.remove(lease);
    }

    /**
     * What does not change of a job while it is leased.
     *
     * @param session the number of the session that holds it
     * @param key explicit key; null where there is none
     * @param retention its own retention in milliseconds; null for the queue's
     * @param large whether its payload is in the table of its own
     * @param more whether it had a row in the table {@code more}
     * @param simple whether its success can be settled in the short way
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Facts(
            long seq,
            byte[] id,
            long session,
            String type,
            @Nullable String key,
            @Nullable Long retention,
            boolean large,
            boolean more,
            boolean simple) {}
}
