package dev.belay.jackson;

import java.util.Arrays;

/** A growing array of bytes whose inside can be rearranged. Not thread-safe. */
final class Bytes {

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private byte[] array;
    private int size;

    Bytes(int capacity) {
        array = new byte[Math.max(16, capacity)];
    }

    int size() {
        return size;
    }

    /** Its array, of which the first {@link #size} bytes count. */
    byte[] array() {
        return array;
    }

    byte[] copy() {
        return Arrays.copyOf(array, size);
    }

    void write(int b) {
        if (size == array.length) {
            array = Arrays.copyOf(array, (int) Math.min(Integer.MAX_VALUE - 8, size * 2L));
        }
        array[size++] = (byte) b;
    }

    void ascii(String text) {
        for (var i = 0; i < text.length(); i++) {
            write(text.charAt(i));
        }
    }

    /** Writes a JSON string with the fewest escapes; a lone surrogate is one. */
    void jsonString(String text) {
        write('"');
        for (var i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            if (c < 0x80) {
                escapedAscii(c);
            } else if (c < 0x800) {
                write(0xC0 | (c >> 6));
                write(0x80 | (c & 0x3F));
            } else if (!Character.isSurrogate(c)) {
                write(0xE0 | (c >> 12));
                write(0x80 | ((c >> 6) & 0x3F));
                write(0x80 | (c & 0x3F));
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                var point = Character.toCodePoint(c, text.charAt(++i));
                write(0xF0 | (point >> 18));
                write(0x80 | ((point >> 12) & 0x3F));
                write(0x80 | ((point >> 6) & 0x3F));
                write(0x80 | (point & 0x3F));
            } else {
                unicodeEscape(c);
            }
        }
        write('"');
    }

    private void escapedAscii(char c) {
        switch (c) {
            case '"' -> ascii("\\\"");
            case '\\' -> ascii("\\\\");
            case '\b' -> ascii("\\b");
            case '\t' -> ascii("\\t");
            case '\n' -> ascii("\\n");
            case '\f' -> ascii("\\f");
            case '\r' -> ascii("\\r");
            default -> {
                if (c < ' ') {
                    unicodeEscape(c);
                } else {
                    write(c);
                }
            }
        }
    }

    private void unicodeEscape(char c) {
        ascii("\\u");
        for (var shift = 12; shift >= 0; shift -= 4) {
            write(HEX[(c >> shift) & 0xF]);
        }
    }
}
