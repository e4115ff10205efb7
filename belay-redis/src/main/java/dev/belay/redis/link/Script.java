package dev.belay.redis.link;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The scripts: one a file, behind the parts that several share. Each file's header names the keys of its queue that it
 * touches, and what it then finds in the table {@code K}: so a caller declares all of them, and no others.
 */
public enum Script {
    ENQUEUE_PLAIN("base", "order", "calls", "enqueue_plain"),
    ENQUEUE("base", "order", "calls", "heads", "moves", "named", "accept", "enqueue"),
    ANSWERS("base", "answers"),
    LEASE_PLAIN("base", "session", "lease_plain"),
    LEASE("base", "order", "heads", "moves", "session", "sessions", "promotion", "lease"),
    SETTLE_PLAIN("base", "order", "settle_plain"),
    SETTLE("base", "order", "heads", "moves", "session", "sessions", "named", "accept", "settle"),
    REGISTER("base", "session", "sessions", "register"),
    KNOWN("base", "order", "heads", "moves", "known"),
    HEARTBEAT("base", "session", "sessions", "heartbeat"),
    END("base", "order", "heads", "moves", "session", "sessions", "end"),
    BEGIN("base", "heads", "session", "sessions", "begin"),
    RECONCILE("base", "session", "sessions", "reconcile"),
    REAP("base", "order", "heads", "moves", "session", "sessions", "named", "reap"),
    PROMOTE("base", "order", "heads", "moves", "promotion", "promote"),
    PRUNE("base", "order", "heads", "moves", "prune"),
    ACT("base", "order", "heads", "moves", "session", "sessions", "named", "accept", "act"),
    QUEUE("base", "order", "heads", "moves", "session", "sessions", "queue"),
    RECORD("base", "record"),
    FORWARD("base", "order", "heads", "moves", "named", "accept", "forward"),
    /** Of the namespace, not of a queue. */
    CELL("cell"),
    /** Of the namespace, not of a queue. */
    AUDIT("audit");

    private static final String READY = "ready";
    private static final int PRIORITIES = 5;

    private final List<String> keys;
    private final String text;
    private final String sha;

    Script(String... files) {
        var declared = new LinkedHashSet<String>();
        var all = new StringBuilder();
        for (var file : files) {
            var part = read(file);
            declared.addAll(declared(part));
            all.append(part);
        }
        var ofQueue = files[0].equals("base");
        keys = ofQueue ? keys(declared) : List.of();
        text = ofQueue ? table(keys) + all : all.toString();
        sha = sha1(text);
    }

    /** The keys of its queue that it touches, in the order in which it takes them; those of sessions come after them. */
    public List<String> keys() {
        return keys;
    }

    /** What is sent where the server does not know it. */
    String text() {
        return text;
    }

    /** By what it is called. */
    String sha() {
        return sha;
    }

    /** What the header of a file says. */
    static List<String> declared(String part) {
        var header = Pattern.compile("^-- keys: ([a-z_ ]+)", Pattern.MULTILINE).matcher(part);
        return header.find() ? List.of(header.group(1).trim().split(" +")) : List.of();
    }

    private static List<String> keys(Iterable<String> declared) {
        var keys = new ArrayList<String>();
        for (var key : declared) {
            if (key.equals(READY)) {
                for (var priority = 0; priority < PRIORITIES; priority++) {
                    keys.add(READY + priority);
                }
            } else {
                keys.add(key);
            }
        }
        return List.copyOf(keys);
    }

    /** The keys by their names, and the number of the first one that comes after them. */
    private static String table(List<String> keys) {
        var table = new StringBuilder("local K = {");
        var ready = keys.indexOf(READY + 0);
        for (var i = 0; i < keys.size(); i++) {
            if (!keys.get(i).startsWith(READY)) {
                table.append(keys.get(i)).append("=KEYS[").append(i + 1).append("],");
            }
        }
        if (ready >= 0) {
            table.append("ready={[0]=");
            for (var priority = 0; priority < PRIORITIES; priority++) {
                table.append("KEYS[").append(ready + priority + 1).append("],");
            }
            table.append('}');
        }
        return table.append("}\nlocal FIRST = ")
                .append(keys.size() + 1)
                .append('\n')
                .toString();
    }

    static String read(String name) {
        var file = "/dev/belay/redis/lua/" + name + ".lua";
        try (var in = Script.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the script " + file + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
