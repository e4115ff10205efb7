package dev.belay.redis;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerProvider;

/** Opens {@code redis://…}. */
public final class RedisBrokerProvider implements BrokerProvider {

    @Override
    public String scheme() {
        return "redis";
    }

    @Override
    public Broker open(String address, String namespace) {
        return RedisBroker.builder(address).namespace(namespace).open();
    }
}
