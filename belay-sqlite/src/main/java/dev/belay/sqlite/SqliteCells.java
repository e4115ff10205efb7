package dev.belay.sqlite;

import dev.belay.broker.Cells;
import dev.belay.job.Limits;
import dev.belay.sqlite.step.CellActions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The cells of a namespace. */
final class SqliteCells implements Cells {

    private final SqliteStore store;

    SqliteCells(SqliteStore store) {
        this.store = store;
    }

    @Override
    public Optional<Cell> get(String key) {
        return store.read(sql -> {
            Limits.text("key", key, 1, Limits.KEY);
            return Optional.ofNullable(sql.get("cell-get")
                    .set("namespace", store.namespace().id())
                    .set("key", key)
                    .set("now", store.namespace().clock().millis())
                    .<Cell>first(SqliteCells::cell));
        });
    }

    @Override
    public boolean compareAndSet(String key, long expected, byte @Nullable [] value, @Nullable Duration timeToLive) {
        return store.write(tx -> CellActions.compareAndSet(tx, key, expected, value, timeToLive));
    }

    @Override
    public List<Cell> list(String prefix, int limit) {
        return store.read(sql -> sql.get("cell-list")
                .set("namespace", store.namespace().id())
                .set("prefix", prefix)
                .set("length", prefix.codePointCount(0, prefix.length()))
                .set("now", store.namespace().clock().millis())
                .set("limit", Math.max(0, limit))
                .list(SqliteCells::cell));
    }

    private static Cell cell(ResultSet row) throws SQLException {
        var value = row.getBytes(3);
        return new Cell(row.getString(1), row.getLong(2), value == null ? new byte[0] : value);
    }
}
