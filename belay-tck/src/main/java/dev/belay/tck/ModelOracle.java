package dev.belay.tck;

import dev.belay.broker.Broker;
import java.util.function.LongSupplier;

/**
 * Opens the broker that others are compared with: the reference broker, {@code belay-memory}. Found by {@link
 * java.util.ServiceLoader}, so that this module need not depend on it: a broker module that runs the package {@code
 * dev.belay.tck.model} has {@code belay-memory} in its test scope, and one class like this, named in {@code
 * META-INF/services/dev.belay.tck.ModelOracle}:
 *
 * <pre>{@code
 * public final class MemoryOracle implements ModelOracle {
 *     public Broker open(LongSupplier clock) {
 *         return ...; // a memory broker of its own with that clock
 *     }
 * }
 * }</pre>
 */
public interface ModelOracle {

    /**
     * Opens a reference broker on an empty store of its own.
     *
     * @param clock epoch milliseconds; stands still between two steps of a comparison
     */
    Broker open(LongSupplier clock);
}
