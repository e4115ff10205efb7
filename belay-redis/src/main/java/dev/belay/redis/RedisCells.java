package dev.belay.redis;

import dev.belay.broker.Cells;
import dev.belay.job.Limits;
import dev.belay.redis.link.Script;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The cells of a namespace: one hash. */
final class RedisCells implements Cells {

    private final RedisStore store;

    RedisCells(RedisStore store) {
        this.store = store;
    }

    @Override
    public Optional<Cell> get(String key) {
        check(key);
        var stored = field(key);
        return stored == null ? Optional.empty() : Optional.ofNullable(cell(key, stored, store.time()));
    }

    @SuppressWarnings("NullAway") // a field that is not there is answered with null
    private byte @Nullable [] field(String key) {
        return store.<byte[]>call(commands -> commands.hget(store.key("cells"), RedisStore.utf8("c" + key)));
    }

    @Override
    public boolean compareAndSet(String key, long expected, byte @Nullable [] value, @Nullable Duration timeToLive) {
        check(key);
        RedisBroker.checked(() -> {
            if (value != null) {
                Limits.bytes("value", value.length, MAX_VALUE_BYTES);
            }
            if (timeToLive != null) {
                Limits.positive("timeToLive", timeToLive);
            }
        });
        var answer = store.run(
                Script.CELL,
                store.key("cells"),
                List.of(
                        RedisStore.utf8(key),
                        RedisStore.ascii(expected),
                        RedisStore.ascii(value == null ? 0 : 1),
                        value == null ? new byte[0] : value,
                        RedisStore.ascii(timeToLive == null ? -1 : timeToLive.toMillis())));
        return Replies.number(answer.get(0)) == 1;
    }

    @Override
    public List<Cell> list(String prefix, int limit) {
        RedisBroker.checked(() -> Limits.range("limit", limit, 1, Integer.MAX_VALUE));
        Map<byte[], byte[]> all = store.call(commands -> commands.hgetall(store.key("cells")));
        var now = store.time();
        var found = new ArrayList<Cell>();
        all.forEach((field, stored) -> {
            var name = RedisStore.text(field);
            if (name.startsWith("c" + prefix)) {
                var cell = cell(name.substring(1), stored, now);
                if (cell != null) {
                    found.add(cell);
                }
            }
        });
        return found.stream()
                .sorted(Comparator.comparing(Cell::key))
                .limit(limit)
                .toList();
    }

    private static void check(String key) {
        RedisBroker.checked(() -> Limits.text("key", key, 1, Limits.KEY));
    }

    private static @Nullable Cell cell(String key, byte[] stored, long now) {
        var buffer = ByteBuffer.wrap(stored);
        var version = buffer.getLong();
        var expires = buffer.getLong();
        if (expires != 0 && expires <= now) {
            return null;
        }
        var value = new byte[buffer.remaining()];
        buffer.get(value);
        return new Cell(key, version, value);
    }
}
