package dev.belay.handler;

import dev.belay.job.JobType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The types that a worker knows, by wire name, aliases included. Immutable and thread-safe. */
public final class Handlers {

    private final Map<String, Entry<?>> byName;

    private Handlers(Map<String, Entry<?>> byName) {
        this.byName = Map.copyOf(byName);
    }

    /** What is registered under a name; null where nothing is. */
    public @Nullable Entry<?> find(String name) {
        return byName.get(name);
    }

    /** Every known name with the newest payload version that can be read. */
    public Map<String, Integer> types() {
        var types = new HashMap<String, Integer>();
        byName.forEach((name, entry) -> types.put(name, entry.type().version()));
        return types;
    }

    /** A type and its handler. */
    public record Entry<P>(JobType<P> type, JobHandler<P> handler) {}

    public static Builder builder() {
        return new Builder();
    }

    /** Collects handlers. Not thread-safe. */
    public static final class Builder {
        private final Map<String, Entry<?>> byName = new LinkedHashMap<>();

        /** @throws IllegalArgumentException where the name or an alias of the type is registered already */
        public <P> Builder add(JobType<P> type, JobHandler<P> handler) {
            var entry = new Entry<>(type, handler);
            put(type.name(), entry);
            type.aliases().forEach(alias -> put(alias, entry));
            return this;
        }

        public Handlers build() {
            return new Handlers(byName);
        }

        private void put(String name, Entry<?> entry) {
            if (byName.putIfAbsent(name, entry) != null) {
                throw new IllegalArgumentException(
                        "type '" + name + "' has a handler already: each name and alias may be registered once");
            }
        }
    }
}
