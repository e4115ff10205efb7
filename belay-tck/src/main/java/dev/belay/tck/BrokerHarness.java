package dev.belay.tck;

/**
 * What a broker gives to the suites: empty stores with a clock that the suites move. Found by {@link
 * java.util.ServiceLoader}; implementations are public, with a public constructor without parameters.
 */
public interface BrokerHarness {

    /** The broker's name, as its {@link dev.belay.broker.Capabilities} tell it: {@code memory}, {@code sqlite}, … */
    String name();

    /** A new, empty store that shares nothing with any other. Each test gets its own and closes it. */
    Store fresh();
}
