package dev.belay.redis;

import dev.belay.broker.Broker;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.redis.record.Ids;
import dev.belay.tck.BrokerHarness;
import dev.belay.tck.Store;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Redis stores for the contract suites, each a database of one server, used by somebody who may do no more than the
 * documentation's least ACL allows. Their clock is the server's, with an offset.
 */
public final class RedisHarness implements BrokerHarness {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public Store fresh() {
        return new DatabaseStore(DATABASES.incrementAndGet());
    }

    private static final class DatabaseStore implements Store {

        private final int database;
        private final String address;
        private final AtomicLong offset = new AtomicLong();
        private final Map<String, RedisBroker> namespaces = new LinkedHashMap<>();
        private @Nullable RedisBroker second;

        DatabaseStore(int database) {
            this.database = database;
            this.address = RedisServer.sharedAddress(database);
        }

        @Override
        public Broker broker() {
            return namespace(NAMESPACE);
        }

        @Override
        public synchronized Broker secondNode() {
            if (second == null) {
                second = open(NAMESPACE);
            }
            return second;
        }

        @Override
        public synchronized Broker namespace(String name) {
            return namespaces.computeIfAbsent(name, this::open);
        }

        private RedisBroker open(String namespace) {
            return RedisBroker.builder(address)
                    .namespace(namespace)
                    .offset(offset::get)
                    .random(RandomGenerator.of("L64X128MixRandom"))
                    .open();
        }

        @Override
        public void advance(Duration by) {
            offset.addAndGet(by.toMillis());
        }

        @Override
        public void breakConnection() {
            ((RedisBroker) broker()).breakConnection();
        }

        @Override
        public void reopen() {
            closeBrokers();
        }

        @Override
        public Optional<String> address() {
            return Optional.of(address);
        }

        @Override
        public Optional<Planter> planter() {
            return Optional.of(new HeadPlanter(((RedisBroker) broker()).store()));
        }

        @Override
        public void close() {
            closeBrokers();
            RedisServer.flushShared(database);
        }

        private void closeBrokers() {
            namespaces.values().forEach(RedisBroker::close);
            namespaces.clear();
            if (second != null) {
                second.close();
                second = null;
            }
        }
    }

    private record HeadPlanter(RedisStore store) implements Store.Planter {

        @Override
        public void corrupt(String queue, JobId job) {
            var head = head(queue, job);
            save(queue, job, Arrays.copyOf(head, head.length - 7));
        }

        @Override
        public void newer(String queue, JobId job) {
            var head = head(queue, job);
            head[0] = (byte) (Job.FORMAT + 1);
            save(queue, job, head);
        }

        private byte[] head(String queue, JobId job) {
            return Objects.requireNonNull(
                    new Jobs(store).field(store.keys(queue).key("heads"), Ids.bytes(job)), () -> "no job " + job);
        }

        private void save(String queue, JobId job, byte[] head) {
            store.<Boolean>call(commands -> commands.hset(store.keys(queue).key("heads"), Ids.bytes(job), head));
        }
    }
}
