package dev.belay.cli.bench;

/** The limit of a store itself, driven without Belay: a row is a payload and nothing else. */
interface RawStore extends AutoCloseable {

    /** Inserts rows in batches, by so many connections; rows a second. */
    double insert(int rows, int connections) throws Exception;

    /** Leases in batches, then settles them, until none is left; rows a second. */
    double leaseAndSettle(int connections) throws Exception;

    /** Many callers, each with its own call for one row after the other; rows a second. */
    double insertOneByOne(int rows, int callers) throws Exception;

    /** At a steady pace: insert, lease and settle of one row; milliseconds for each round. */
    Samples roundTrips(int rounds, int perSecond) throws Exception;

    /** What a server of the store's own has spent of the processor so far; 0 where the store has none. */
    default long serverNanos() {
        return 0;
    }

    @Override
    void close() throws Exception;
}
