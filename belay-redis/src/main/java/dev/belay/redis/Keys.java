package dev.belay.redis;

import dev.belay.job.SessionId;
import dev.belay.redis.record.Ids;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/**
 * The keys of one queue, which share one hash tag, so that they are on one shard: <code>{namespace/queue/0}:name</code>. Names have no
 * braces, colons or spaces. Immutable.
 */
final class Keys {

    private static final String SLICE = "slice";
    private static final String NEXT_SLICE = "next-slice";

    /** In the order in which the scripts' library takes them; the slice of time comes in between. */
    private static final List<String> NAMES = List.of(
            "queue",
            "heads",
            "payloads",
            "histories",
            "results",
            "ready0",
            "ready1",
            "ready2",
            "ready3",
            "ready4",
            "late",
            "fragile",
            "suspects",
            "scheduled",
            "unknown",
            "expiring",
            "dead",
            "finished",
            "kept",
            "keys",
            "orphans",
            "clients",
            "client-times",
            "groups",
            "events",
            SLICE,
            "replaced",
            "replaced-times",
            "refusals",
            "refused",
            "kinds",
            "sessions",
            "specs",
            "commands",
            "progress",
            "all",
            "audit",
            "used",
            "wake",
            "corrupt",
            "registrations",
            "outgoing",
            NEXT_SLICE);

    private final String tag;
    private final List<byte[]> all = new ArrayList<>();
    private final int slice = NAMES.indexOf(SLICE);

    Keys(String namespace, String queue) {
        tag = "{" + namespace + "/" + queue + "/0}:";
        NAMES.forEach(name -> all.add(key(name)));
    }

    /** All keys, with the slice of a time and the one after it, and the in-flight sets of sessions. */
    List<byte[]> all(long sliceNumber, Collection<SessionId> sessions) {
        var keys = new ArrayList<>(all);
        keys.set(slice, slice(sliceNumber));
        keys.set(NAMES.indexOf(NEXT_SLICE), slice(sliceNumber + 1));
        sessions.forEach(session -> keys.add(flight(session)));
        return keys;
    }

    byte[] key(String name) {
        return (tag + name).getBytes(StandardCharsets.US_ASCII);
    }

    byte[] slice(long number) {
        return key("events:" + number);
    }

    byte[] flight(SessionId session) {
        return key("flight:" + HexFormat.of().formatHex(Ids.bytes(session)));
    }
}
