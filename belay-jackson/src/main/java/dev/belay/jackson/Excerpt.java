package dev.belay.jackson;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** The beginning of bytes that are not JSON, for people. */
final class Excerpt {

    private static final int MAX_TEXT = 4_000;
    private static final int MAX_HEX = 512;
    private static final int HEX_LINE = 32;

    private Excerpt() {}

    static String of(byte[] bytes) {
        var out = new StringBuilder();
        try {
            text(out, bytes);
        } catch (CharacterCodingException e) {
            hex(out, bytes);
        }
        return out.toString();
    }

    private static void text(StringBuilder out, byte[] bytes) throws CharacterCodingException {
        var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, endOfText(bytes)));
        out.append(bytes.length).append(" bytes of text:\n");
        text.codePoints().forEach(point -> {
            if (point == '\n') {
                out.append('\n');
            } else {
                Printable.append(out, point, false);
            }
        });
        more(out, bytes.length > endOfText(bytes));
    }

    /** Not within a character. */
    private static int endOfText(byte[] bytes) {
        var end = Math.min(bytes.length, MAX_TEXT);
        while (end < bytes.length && end > MAX_TEXT - 4 && (bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return end;
    }

    private static void hex(StringBuilder out, byte[] bytes) {
        out.append(bytes.length).append(" bytes:");
        var end = Math.min(bytes.length, MAX_HEX);
        for (var from = 0; from < end; from += HEX_LINE) {
            out.append('\n')
                    .append(HexFormat.ofDelimiter(" ")
                            .formatHex(Arrays.copyOfRange(bytes, from, Math.min(end, from + HEX_LINE))));
        }
        more(out, bytes.length > end);
    }

    private static void more(StringBuilder out, boolean more) {
        if (more) {
            out.append(" …");
        }
    }
}
