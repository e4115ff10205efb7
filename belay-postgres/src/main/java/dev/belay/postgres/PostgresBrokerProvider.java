package dev.belay.postgres;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerProvider;

/** Opens {@code postgresql://user:password@host:port/database}. */
public final class PostgresBrokerProvider implements BrokerProvider {

    @Override
    public String scheme() {
        return PostgresAddress.SCHEME;
    }

    @Override
    public Broker open(String address, String namespace) {
        return PostgresBroker.builder(address).namespace(namespace).open();
    }
}
