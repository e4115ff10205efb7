package dev.belay.broker;

/** Opens brokers by address; found by {@link java.util.ServiceLoader}. */
public interface BrokerProvider {

    /** The scheme it answers to: {@code sqlite} for {@code sqlite:belay.db}. */
    String scheme();

    /**
     * Opens a broker.
     *
     * @param address all of it, the scheme included
     * @param namespace {@code belay} unless somebody asked for another
     * @throws dev.belay.job.InvalidInputException where the address makes no sense, with what would
     * @throws BrokerException where the store can't be opened
     */
    Broker open(String address, String namespace);
}
