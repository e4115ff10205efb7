package dev.belay.memory;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerProvider;
import dev.belay.job.InvalidInputException;
import dev.belay.job.Limits;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Opens {@code memory:} and {@code memory:some-name}. Within one process, each (address, namespace) is one store: opened
 * twice, it is two nodes on the same jobs. A store lives until the process ends, also when all its nodes are closed.
 */
public final class MemoryBrokerProvider implements BrokerProvider {

    private static final String SCHEME = "memory";

    private static final Map<Name, MemoryBroker> STORES = new ConcurrentHashMap<>();

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public Broker open(String address, String namespace) {
        Limits.name("namespace", namespace);
        if (!address.startsWith(SCHEME + ":")) {
            throw new InvalidInputException(
                    "address", "must be 'memory:' or 'memory:some-name', but is '" + address + "'");
        }
        var name = address.substring(SCHEME.length() + 1);
        if (!name.isEmpty()) {
            Limits.name("address (after 'memory:')", name);
        }
        // The first node of a store is kept here and never handed out, so that nobody can close it.
        return STORES.computeIfAbsent(
                        new Name(name, namespace),
                        any -> MemoryBroker.builder().namespace(namespace).build())
                .node();
    }

    private record Name(String address, String namespace) {}
}
