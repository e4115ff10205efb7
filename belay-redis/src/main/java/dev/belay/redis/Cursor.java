package dev.belay.redis;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The end of a page over several queues: for each, a number below which it goes on. */
final class Cursor {

    private Cursor() {}

    static String text(Map<String, Long> below) {
        return below.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining("/"));
    }

    static Map<String, Long> parse(String text) {
        var below = new HashMap<String, Long>();
        try {
            for (var part : text.split("/", -1)) {
                var pair = part.split("=", -1);
                below.put(pair[0], Long.parseLong(pair[1]));
            }
            return below;
        } catch (RuntimeException e) {
            throw RedisBroker.rejected("cursor", "must be one that a page named as next, but is '" + text + "'");
        }
    }
}
