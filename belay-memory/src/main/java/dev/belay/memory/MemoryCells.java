package dev.belay.memory;

import dev.belay.broker.Cells;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The cells as a node sees them: every call is one step. */
final class MemoryCells implements Cells {

    private final MemoryBroker node;

    MemoryCells(MemoryBroker node) {
        this.node = node;
    }

    @Override
    public Optional<Cell> get(String key) {
        return node.call(() -> Optional.ofNullable(store().cells.get(key, store().now())));
    }

    @Override
    public boolean compareAndSet(String key, long expected, byte @Nullable [] value, @Nullable Duration timeToLive) {
        return node.call(() -> store().cells.compareAndSet(key, expected, value, timeToLive, store().now()));
    }

    @Override
    public List<Cell> list(String prefix, int limit) {
        return node.call(() -> store().cells.list(prefix, limit, store().now()));
    }

    private Store store() {
        return node.operations().store;
    }
}
