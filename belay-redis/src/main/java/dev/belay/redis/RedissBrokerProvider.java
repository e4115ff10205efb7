package dev.belay.redis;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerProvider;

/** Opens {@code rediss://…}, by TLS. */
public final class RedissBrokerProvider implements BrokerProvider {

    @Override
    public String scheme() {
        return "rediss";
    }

    @Override
    public Broker open(String address, String namespace) {
        return RedisBroker.builder(address).namespace(namespace).open();
    }
}
