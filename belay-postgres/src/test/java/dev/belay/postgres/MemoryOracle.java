package dev.belay.postgres;

import dev.belay.broker.Broker;
import dev.belay.memory.MemoryBroker;
import dev.belay.tck.ModelOracle;
import java.util.function.LongSupplier;

/** The reference broker, which the model test runs beside this one. */
public final class MemoryOracle implements ModelOracle {

    @Override
    public Broker open(LongSupplier clock) {
        return MemoryBroker.builder()
                .clock(() -> java.time.Instant.ofEpochMilli(clock.getAsLong()))
                .build();
    }
}
