package dev.belay.operation;

import dev.belay.broker.Cells;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cells of operations. Those that run are kept apart from those that ended, so that looking for work stays cheap
 * however many have ended. One that ends is copied before it is removed: it is never in neither place.
 */
final class OperationCells {

    private static final Logger LOG = LoggerFactory.getLogger(OperationCells.class);

    private static final String ACTIVE = "operation/active/";
    private static final String FINISHED = "operation/finished/";
    private static final Duration KEEP_FINISHED = Duration.ofDays(7);
    private static final int MAX_LISTED = 1_000;

    private final Cells cells;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    OperationCells(Cells cells) {
        this.cells = cells;
    }

    /** An operation that is not yet put aside, with its cell's version. */
    record Active(String key, long version, StoredOperation stored) {}

    void create(StoredOperation stored) {
        if (!cells.compareAndSet(ACTIVE + stored.operation().id(), 0, OperationText.write(stored), null)) {
            throw new IllegalStateException(
                    "there is an operation " + stored.operation().id() + " already");
        }
    }

    List<Active> active() {
        var found = new ArrayList<Active>();
        for (var cell : cells.list(ACTIVE, MAX_LISTED)) {
            var stored = read(cell);
            if (stored != null) {
                found.add(new Active(cell.key(), cell.version(), stored));
            }
        }
        return found;
    }

    Optional<Active> findActive(UUID id) {
        return cells.get(ACTIVE + id)
                .flatMap(cell ->
                        Optional.ofNullable(read(cell)).map(stored -> new Active(cell.key(), cell.version(), stored)));
    }

    List<StoredOperation> finished() {
        var found = new ArrayList<StoredOperation>();
        for (var cell : cells.list(FINISHED, MAX_LISTED)) {
            var stored = read(cell);
            if (stored != null) {
                found.add(stored);
            }
        }
        return found;
    }

    /** The active one is asked first: one that ends in between is in both places, never in none. */
    Optional<StoredOperation> find(UUID id) {
        return findActive(id)
                .map(Active::stored)
                .or(() -> cells.get(FINISHED + id).flatMap(cell -> Optional.ofNullable(read(cell))));
    }

    boolean replace(Active seen, StoredOperation changed) {
        return cells.compareAndSet(seen.key(), seen.version(), OperationText.write(changed), null);
    }

    /** Puts an operation aside that is over. Safe to do again. */
    void putAside(Active over) {
        var id = over.stored().operation().id();
        cells.compareAndSet(FINISHED + id, 0, OperationText.write(over.stored()), KEEP_FINISHED);
        cells.compareAndSet(over.key(), over.version(), null, null);
    }

    private @Nullable StoredOperation read(Cells.Cell cell) {
        try {
            return OperationText.read(cell.value());
        } catch (IllegalArgumentException e) {
            if (warned.add(cell.key())) {
                LOG.warn(
                        "The mass operation in cell '{}' can't be read and is left alone: {}",
                        cell.key(),
                        e.getMessage());
            }
            return null;
        }
    }
}
