package dev.belay.once;

import dev.belay.job.LeaseId;
import dev.belay.job.SessionId;

/** Who holds a reservation: its session and token tell it from every other, past and to come. */
public sealed interface Owner {

    /** The session that must be alive for the reservation to hold. */
    SessionId session();

    /** Tells owners of one session apart. */
    long token();

    /**
     * A delivery of a job: holds for as long as its lease.
     *
     * @param store identifies the broker's store, which knows whether the lease is held
     * @param lease of the delivery
     * @param replays of the job: what failed for good may be tried again after a replay
     */
    record Delivery(String store, LeaseId lease, int replays) implements Owner {
        @Override
        public SessionId session() {
            return lease.session();
        }

        @Override
        public long token() {
            return lease.token();
        }
    }

    /** A call outside of any job: holds for as long as the ledger session of its process, or until the call is over. */
    record Caller(SessionId session, long token) implements Owner {}
}
