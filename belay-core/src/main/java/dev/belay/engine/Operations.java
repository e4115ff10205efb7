package dev.belay.engine;

import dev.belay.broker.Broker;
import dev.belay.operation.MassOperations;
import java.time.Duration;

/** Goes on with the mass operations of the namespace, whichever program started them. */
final class Operations implements Service {

    private final MassOperations operations;

    Operations(Broker broker) {
        operations = new MassOperations(broker);
    }

    @Override
    public String name() {
        return "operations";
    }

    @Override
    public Duration runOnce() {
        return operations.step();
    }
}
