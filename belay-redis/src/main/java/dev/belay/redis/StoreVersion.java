package dev.belay.redis;

import dev.belay.broker.StoreCheck;
import dev.belay.broker.StoreCheck.Result;
import java.util.Map;

/**
 * The version of a namespace's keys, and the oldest program that may work on them: written by the first program, raised by a
 * later one once no older program is left. Thread-safe.
 */
final class StoreVersion {

    /** What this program knows. */
    static final int KNOWN = 1;

    private static final String VERSION = "version";
    private static final String OLDEST = "oldest";

    private final RedisStore store;

    StoreVersion(RedisStore store) {
        this.store = store;
    }

    /** Writes it where there is none. */
    void writeIfNone() {
        if (read().isEmpty()) {
            write(VERSION);
            write(OLDEST);
        }
    }

    private void write(String field) {
        store.<Boolean>call(
                commands -> commands.hsetnx(store.key("version"), RedisStore.ascii(field), RedisStore.ascii(KNOWN)));
    }

    /** Whether this program has become too old while it was running. */
    boolean isTooOld() {
        return oldest(read()) > KNOWN;
    }

    StoreCheck check() {
        var found = read();
        return oldest(found) > KNOWN
                ? new StoreCheck(
                        "store version",
                        Result.FAILED,
                        "this program knows version " + KNOWN + " of the keys, but namespace '" + store.namespace
                                + "' is of version " + found.get(VERSION) + " and needs a program that knows version "
                                + oldest(found) + " or a later one: use a newer Belay")
                : new StoreCheck(
                        "store version",
                        Result.OK,
                        "the keys are of version " + found.getOrDefault(VERSION, "none yet") + ", this program knows "
                                + KNOWN);
    }

    private static int oldest(Map<String, String> found) {
        return Integer.parseInt(found.getOrDefault(OLDEST, "0"));
    }

    private Map<String, String> read() {
        return store.texts(store.key("version"));
    }
}
