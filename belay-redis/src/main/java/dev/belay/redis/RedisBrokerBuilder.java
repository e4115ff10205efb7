package dev.belay.redis;

import dev.belay.job.InvalidInputException;
import dev.belay.job.Limits;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Collects what a {@link RedisBroker} needs. Not thread-safe. */
public final class RedisBrokerBuilder {

    private final RedisURI uri;
    private String namespace = dev.belay.broker.Broker.DEFAULT_NAMESPACE;
    private Duration timeout = Duration.ofSeconds(5);
    private RandomGenerator random = RandomGenerator.getDefault();
    private LongSupplier offset = () -> 0;

    RedisBrokerBuilder(String address) {
        RedisURI parsed;
        try {
            parsed = RedisURI.create(address);
        } catch (IllegalArgumentException e) {
            throw notAnAddress();
        }
        if (!isHost(parsed.getHost())) {
            throw notAnAddress();
        }
        uri = parsed;
    }

    private static boolean isHost(@Nullable String host) {
        // A port that is no number is taken for a part of the host; only an IPv6 address has colons, two at least.
        return host != null && !host.isBlank() && (!host.contains(":") || host.indexOf(':') != host.lastIndexOf(':'));
    }

    /** The address may hold a password: it is not repeated, nor is what its reader said of it. */
    private static InvalidInputException notAnAddress() {
        return new InvalidInputException(
                "address", "must be like redis://host:6379/0 or rediss://user:password@host:6379/0");
    }

    /** The namespace; {@code belay} where none is set. */
    public RedisBrokerBuilder namespace(String value) {
        namespace = Limits.name("namespace", value);
        return this;
    }

    /** How long a call waits for a connection, and for an answer. Default 5 s. */
    public RedisBrokerBuilder timeout(Duration value) {
        timeout = Limits.positive("timeout", value);
        return this;
    }

    /** For the jitter of waits after crashes; used by one thread at a time. */
    RedisBrokerBuilder random(RandomGenerator value) {
        random = Objects.requireNonNull(value, "random");
        return this;
    }

    /** Milliseconds to add to the server's time: for tests. */
    RedisBrokerBuilder offset(LongSupplier value) {
        offset = Objects.requireNonNull(value, "offset");
        return this;
    }

    /**
     * Connects.
     *
     * @throws dev.belay.broker.BrokerException where the server can't be reached, or can't be used
     */
    public RedisBroker open() {
        var store = new RedisStore(uri, namespace, timeout, offset);
        try {
            store.synchronize();
            new StoreChecks(store).requireAtStart();
            return new RedisBroker(store, random);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }
}
