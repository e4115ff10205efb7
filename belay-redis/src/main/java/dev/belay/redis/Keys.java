package dev.belay.redis;

import dev.belay.job.SessionId;
import dev.belay.redis.link.Script;
import dev.belay.redis.record.Ids;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys of one queue, which share one hash tag, so that they are on one shard: <code>{namespace/queue/0}:name</code>. Names
 * have no braces, colons or spaces. Thread-safe.
 */
final class Keys {

    private final String tag;
    private final Map<String, byte[]> named = new ConcurrentHashMap<>();

    Keys(String namespace, String queue) {
        tag = "{" + namespace + "/" + queue + "/0}:";
    }

    /**
     * What a script touches.
     *
     * @param slice the number of a slice of time: where the script counts, it takes that one or the one after it
     * @param sessions whose in-flight sets it touches
     */
    List<byte[]> of(Script script, long slice, Collection<SessionId> sessions) {
        var keys = new ArrayList<byte[]>(script.keys().size() + sessions.size());
        for (var name : script.keys()) {
            keys.add(
                    switch (name) {
                        case "slice" -> slice(slice);
                        case "next_slice" -> slice(slice + 1);
                        default -> key(name);
                    });
        }
        sessions.forEach(session -> keys.add(flight(session)));
        return keys;
    }

    byte[] key(String name) {
        return named.computeIfAbsent(name, this::bytes);
    }

    byte[] slice(long number) {
        return bytes("events:" + number);
    }

    byte[] flight(SessionId session) {
        return bytes("flight:" + HexFormat.of().formatHex(Ids.bytes(session)));
    }

    private byte[] bytes(String name) {
        return (tag + name).getBytes(StandardCharsets.US_ASCII);
    }
}
