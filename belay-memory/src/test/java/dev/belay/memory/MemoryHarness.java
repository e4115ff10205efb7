package dev.belay.memory;

import dev.belay.broker.Broker;
import dev.belay.job.Job;
import dev.belay.job.JobId;
import dev.belay.tck.BrokerHarness;
import dev.belay.tck.Store;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Memory brokers for the contract suites. Their clock stands still until it is moved. */
public final class MemoryHarness implements BrokerHarness {

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Store fresh() {
        return new MemoryTestStore();
    }

    private static final class MemoryTestStore implements Store {

        private final AtomicReference<Instant> time =
                new AtomicReference<>(Instant.ofEpochMilli(System.currentTimeMillis()));
        private final Map<String, MemoryBroker> namespaces = new LinkedHashMap<>();
        private @Nullable MemoryBroker second;

        @Override
        public Broker broker() {
            return first();
        }

        private MemoryBroker first() {
            return (MemoryBroker) namespace(NAMESPACE);
        }

        @Override
        public Broker secondNode() {
            if (second == null) {
                second = first().node();
            }
            return second;
        }

        @Override
        public Broker namespace(String name) {
            return namespaces.computeIfAbsent(
                    name,
                    any -> MemoryBroker.builder()
                            .clock(time::get)
                            .random(RandomGenerator.of("L64X128MixRandom"))
                            .build());
        }

        @Override
        public void advance(Duration by) {
            time.updateAndGet(now -> now.plus(by));
        }

        @Override
        public void breakConnection() {
            first().connection().restore();
        }

        @Override
        public void reopen() {
            throw new IllegalStateException("a memory broker is not durable: there is nothing to open again");
        }

        @Override
        public Optional<Planter> planter() {
            return Optional.of(new MemoryPlanter(first().operations().store));
        }

        @Override
        public void close() {
            namespaces.values().forEach(MemoryBroker::close);
            if (second != null) {
                second.close();
            }
        }
    }

    private record MemoryPlanter(dev.belay.memory.Store store) implements Store.Planter {

        @Override
        public void corrupt(String queue, JobId job) {
            plant(queue, job, record -> record.raw = "\0junk".getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void newer(String queue, JobId job) {
            plant(queue, job, record -> record.format = Job.FORMAT + 1);
        }

        private void plant(String queue, JobId job, java.util.function.Consumer<StoredJob> damage) {
            store.lock.lock();
            try {
                damage.accept(Objects.requireNonNull(store.job(queue, job), () -> "no job " + job + " in " + queue));
            } finally {
                store.lock.unlock();
            }
        }
    }
}
