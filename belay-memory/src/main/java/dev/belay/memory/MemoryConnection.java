package dev.belay.memory;

import dev.belay.broker.BrokerException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What stands for the connection of one broker object to its store: it has an age, and it can be made to fail, so that
 * callers can be tested against faults. Safe for use by many threads.
 */
public final class MemoryConnection {

    /** How calls fail. */
    public enum Fault {
        /** The call is refused: {@link BrokerException.NotApplied}. */
        REFUSED,
        /** The call is lost on its way there: {@link BrokerException.Unknown}, and it was not applied. */
        REQUEST_LOST,
        /** The answer is lost on its way back: {@link BrokerException.Unknown}, and it was applied. */
        REPLY_LOST
    }

    private final InstantSource clock;
    private volatile long since;
    private volatile @Nullable Fault fault;

    MemoryConnection(InstantSource clock) {
        this.clock = clock;
        this.since = clock.millis();
    }

    /** Lets all calls of this broker object, its admin and its cells fail, until {@link #restore}. */
    public void fail(Fault how) {
        fault = how;
    }

    /** Connects anew: calls work again, and the connection is young. */
    public void restore() {
        fault = null;
        since = clock.millis();
    }

    /** How long it has stood. Where the clock was set back to before its beginning, it begins anew. */
    long ageMillis(long now) {
        since = Math.min(since, now);
        return now - since;
    }

    /** @return the fault that is to befall the answer, to be given to {@link #answer} */
    @Nullable
    Fault request() {
        var how = fault;
        if (how == Fault.REFUSED) {
            throw new BrokerException.NotApplied("the connection is made to refuse calls", null);
        }
        if (how == Fault.REQUEST_LOST) {
            throw new BrokerException.Unknown("the connection is made to fail, here before the call was applied", null);
        }
        return how;
    }

    void answer(@Nullable Fault how) {
        if (how == Fault.REPLY_LOST) {
            throw new BrokerException.Unknown("the connection is made to fail, here after the call was applied", null);
        }
    }
}
