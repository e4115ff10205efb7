package dev.belay.redis.link;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The scripts, one a file, each behind the library that all share. */
public enum Script {
    ENQUEUE("enqueue"),
    ANSWERS("answers"),
    LEASE("promotion", "lease"),
    SETTLE("settle"),
    REGISTER("register"),
    KNOWN("known"),
    HEARTBEAT("heartbeat"),
    END("end"),
    BEGIN("begin"),
    RECONCILE("reconcile"),
    REAP("reap"),
    PROMOTE("promotion", "promote"),
    PRUNE("prune"),
    ACT("act"),
    QUEUE("queue"),
    RECORD("record"),
    FORWARD("forward"),
    CELL(false, "cell"),
    AUDIT(false, "audit");

    private final String text;
    private final String sha;

    Script(String... files) {
        this(true, files);
    }

    /** @param ofQueue whether it works on a queue, and so needs the library */
    Script(boolean ofQueue, String... files) {
        var all = new StringBuilder(ofQueue ? read("lib") : "");
        for (var file : files) {
            all.append(read(file));
        }
        text = all.toString();
        sha = sha1(text);
    }

    /** What is sent where the server does not know it. */
    String text() {
        return text;
    }

    /** By what it is called. */
    String sha() {
        return sha;
    }

    private static String read(String name) {
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
