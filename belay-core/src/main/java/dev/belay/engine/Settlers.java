package dev.belay.engine;

import dev.belay.broker.Settlement;
import dev.belay.job.LeaseId;
import dev.belay.job.Outcome;
import dev.belay.time.MonotonicClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** One {@link Settler} a lane. */
final class Settlers {

    private final MonotonicClock clock;
    private final Map<String, Settler> byQueue = new HashMap<>();

    Settlers(Parts parts) {
        clock = parts.clock();
        parts.lanes().forEach(lane -> byQueue.put(lane.queue(), new Settler(lane.queue(), parts)));
    }

    void start() {
        byQueue.values().forEach(Settler::start);
    }

    /**
     * Sends an outcome that was taken with {@link Delivery#takeOutcome}. Waits while too many are under way. Of a delivery
     * that its handler completed in a transaction, it is sent only if the broker still holds that.
     */
    void settle(Delivery delivery, Outcome outcome, Duration ran) {
        var settlement = new Settlement(delivery.id(), outcome, delivery.untoldProgress());
        var inTransaction = delivery.completion() != Delivery.Completion.NONE;
        of(delivery.lane()).add(new Settler.Item(settlement, delivery, ran, inTransaction));
    }

    /**
     * Gives a delivery back, at no cost.
     *
     * @return false where it has ended in another way already
     */
    boolean release(Delivery delivery) {
        var running = delivery.state() == Delivery.State.RUNNING;
        if (!delivery.takeOutcome()) {
            return false;
        }
        settle(delivery, new Outcome.Release(running), Duration.ZERO);
        return true;
    }

    /** Gives back a lease that this worker does not know; tried until it is answered. */
    void releaseUnknown(Lane lane, LeaseId lease) {
        of(lane).add(new Settler.Item(
                new Settlement(lease, new Outcome.Release(false), null), null, Duration.ZERO, false));
    }

    /** Outcomes that were not answered yet. */
    int pending() {
        return byQueue.values().stream().mapToInt(Settler::pending).sum();
    }

    /** Stops, once all is answered or the time is over. */
    boolean stop(Duration atMost) {
        var deadline = clock.nanos() + atMost.toNanos();
        var all = true;
        for (var settler : byQueue.values()) {
            all &= settler.stop(Duration.ofNanos(Math.max(0, deadline - clock.nanos())));
        }
        return all;
    }

    private Settler of(Lane lane) {
        var settler = byQueue.get(lane.queue());
        if (settler == null) {
            throw new IllegalStateException("queue '" + lane.queue() + "' has no settler");
        }
        return settler;
    }
}
