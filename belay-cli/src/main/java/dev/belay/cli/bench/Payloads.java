package dev.belay.cli.bench;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Payloads of a size, the same in the raw table and in Belay. */
final class Payloads {

    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

    private Payloads() {}

    static byte[] bytes(int size) {
        return text(size).getBytes(StandardCharsets.UTF_8);
    }

    static String text(int size) {
        var random = new Random(size);
        var text = new StringBuilder(size);
        for (var i = 0; i < size; i++) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }
}
