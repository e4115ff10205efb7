package dev.belay.redis;

import dev.belay.broker.BrokerException;
import dev.belay.broker.NamespaceSettings;
import dev.belay.broker.QueueSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Settings as they are stored. */
final class Settings {

    private Settings() {}

    static byte[] bytes(NamespaceSettings settings) {
        return RedisStore.ascii(Stream.of(
                        settings.reapInterval().toMillis(),
                        settings.reapGrace().toMillis(),
                        settings.dedupWindow().toMillis(),
                        settings.unknownTypeLimit().toMillis(),
                        settings.auditRetention().toMillis(),
                        (long) settings.maxPayloadBytes())
                .map(String::valueOf)
                .collect(Collectors.joining(" ")));
    }

    static NamespaceSettings namespace(byte[] stored) {
        var parts = RedisStore.text(stored).split(" ", -1);
        try {
            return new NamespaceSettings(
                    millis(parts[0]),
                    millis(parts[1]),
                    millis(parts[2]),
                    millis(parts[3]),
                    millis(parts[4]),
                    Integer.parseInt(parts[5]));
        } catch (RuntimeException e) {
            throw new BrokerException.NotApplied(
                    "the settings of the namespace can't be read: '" + RedisStore.text(stored) + "'", e);
        }
    }

    /** The five numbers of a queue's settings; nothing for what is not set. */
    static List<byte[]> arguments(QueueSettings settings) {
        return List.of(
                RedisStore.ascii(settings.keepFinished().toMillis()),
                RedisStore.ascii(settings.keepFinishedCount()),
                RedisStore.utf8(
                        settings.keepDead() == null
                                ? null
                                : String.valueOf(settings.keepDead().toMillis())),
                RedisStore.utf8(settings.keepDeadCount() == null ? null : String.valueOf(settings.keepDeadCount())),
                RedisStore.utf8(settings.keepDeadBytes() == null ? null : String.valueOf(settings.keepDeadBytes())));
    }

    /** The settings of a queue from its hash. */
    static QueueSettings queue(Map<String, String> fields) {
        if (!fields.containsKey("keep")) {
            return QueueSettings.DEFAULT;
        }
        var dead = number(fields.get("keepDead"));
        var count = number(fields.get("keepDeadCount"));
        return new QueueSettings(
                millis(fields.getOrDefault("keep", "0")),
                Integer.parseInt(fields.getOrDefault("keepCount", "0")),
                dead == null ? null : Duration.ofMillis(dead),
                count == null ? null : (Integer) count.intValue(),
                number(fields.get("keepDeadBytes")));
    }

    private static @Nullable Long number(@Nullable String text) {
        return text == null || text.isEmpty() ? null : Long.valueOf(text);
    }

    private static Duration millis(String text) {
        return Duration.ofMillis(Long.parseLong(text));
    }
}
