/** The distributed broker: Redis and Valkey. */
module dev.belay.redis {
    requires transitive dev.belay.core;
    requires lettuce.core;
    requires msgpack.core;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports dev.belay.redis;

    provides dev.belay.broker.BrokerProvider with
            dev.belay.redis.RedisBrokerProvider,
            dev.belay.redis.RedissBrokerProvider;
}
