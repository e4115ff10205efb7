package dev.belay.engine;

import dev.belay.broker.Broker;
import dev.belay.delivery.LedgerAccess;
import dev.belay.job.SessionId;
import dev.belay.time.MonotonicClock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the engine's parts need of each other; put together by {@link Engine}. */
interface Parts {

    Broker broker();

    Engine.Config config();

    default Engine.Timing timing() {
        return config().timing();
    }

    MonotonicClock clock();

    List<Lane> lanes();

    InFlight inFlight();

    Settlers settlers();

    JobRunner runner();

    HandlerThreads threads();

    JvmGate gate();

    Events events();

    Times times();

    Problems problems();

    Suspects suspects();

    /** Null where the worker has no ledger. */
    @Nullable
    LedgerAccess ledger();

    /** A broker said that a session has ended: its leases are lost, and the lane registers anew. */
    void sessionEnded(Lane lane, SessionId session);

    /** The broker does not hold the lease of a delivery. */
    void lose(Delivery delivery);

    /** The lease of a delivery was taken away, as its job was cancelled. */
    void revoked(Delivery delivery);

    void wakeLeaseLoop();

    boolean isStopping();

    /** Whether the worker has stopped waiting for a broker that is away. */
    boolean isAbandoned();

    /** Stops the worker as {@link Engine#requestStop} does. */
    void drain();
}
