package dev.belay.tck.crash;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A child process's arguments, {@code name=value} each. */
final class Arguments {

    private final Map<String, String> values = new HashMap<>();

    Arguments(String[] args) {
        for (var arg : args) {
            var equals = arg.indexOf('=');
            values.put(arg.substring(0, equals), arg.substring(equals + 1));
        }
    }

    String get(String name) {
        var value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("argument " + name + "=… is missing");
        }
        return value;
    }

    String get(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    Set<String> set(String name) {
        var value = get(name, "");
        return value.isEmpty() ? Set.of() : Set.of(value.split(","));
    }
}
