package dev.belay.engine;

import dev.belay.broker.Broker;
import dev.belay.delivery.OutboxTarget;
import dev.belay.once.Outbox;
import java.time.Duration;

/** Moves jobs from an outbox to the broker. Every worker that was given the outbox runs one. */
final class Relay implements Service {

    private final Outbox outbox;
    private final Outbox.Target target;

    Relay(Outbox outbox, Broker broker) {
        this.outbox = outbox;
        target = new OutboxTarget(broker);
    }

    @Override
    public String name() {
        return "relay";
    }

    @Override
    public Duration runOnce() {
        return outbox.relay(target);
    }
}
