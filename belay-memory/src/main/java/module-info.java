/** The reference broker of Belay, in memory. */
module dev.belay.memory {
    requires transitive dev.belay.core;
    requires static org.jspecify;

    exports dev.belay.memory;

    provides dev.belay.broker.BrokerProvider with
            dev.belay.memory.MemoryBrokerProvider;
}
