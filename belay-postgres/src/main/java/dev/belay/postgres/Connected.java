package dev.belay.postgres;

/**
 * Since when the server has been within reach, as this broker object has seen it: a connection that fails ends that, and the
 * next transaction begins it anew. Safe for use by many threads.
 */
final class Connected {

    private long since;
    private boolean lost = true;

    /** A connection failed, or could not be made. */
    synchronized void lost() {
        lost = true;
    }

    /** A transaction has begun at this time of the broker's clock. */
    synchronized void seen(long now) {
        // Where the clock was set back to before its beginning, it begins anew: or it would be young for long.
        since = lost ? now : Math.min(since, now);
        lost = false;
    }

    synchronized long since() {
        return since;
    }
}
