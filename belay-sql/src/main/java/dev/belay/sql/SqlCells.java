package dev.belay.sql;

import dev.belay.broker.Cells;
import dev.belay.job.Limits;
import dev.belay.sql.step.CellActions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The cells of a namespace. */
public final class SqlCells implements Cells {

    private final SqlStore store;

    public SqlCells(SqlStore store) {
        this.store = store;
    }

    @Override
    public Optional<Cell> get(String key) {
        return store.read(sql -> {
            Limits.text("key", key, 1, Limits.KEY);
            return Optional.ofNullable(sql.get("cell-get")
                    .set("namespace", store.namespace().id())
                    .set("key", key)
                    .set("now", store.time(sql))
                    .<Cell>first(SqlCells::cell));
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
                .set("now", store.time(sql))
                .set("limit", Math.max(0, limit))
                .list(SqlCells::cell));
    }

    private static Cell cell(ResultSet row) throws SQLException {
        var value = row.getBytes(3);
        return new Cell(row.getString(1), row.getLong(2), value == null ? new byte[0] : value);
    }
}
