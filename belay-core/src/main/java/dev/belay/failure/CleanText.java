package dev.belay.failure;

import org.jspecify.annotations.Nullable;

/** Collects text up to a number of bytes in UTF-8; NUL and lone surrogates are replaced, and no character is cut. */
final class CleanText {

    private static final String CUT = "…";
    private static final int CUT_BYTES = 3;
    private static final char REPLACEMENT = '\uFFFD';

    private final StringBuilder text = new StringBuilder();
    private final int maxBytes;
    private int bytes;
    private boolean full;

    CleanText(int maxBytes) {
        this.maxBytes = maxBytes - CUT_BYTES;
    }

    /** A text of its own; null is empty. */
    static String of(@Nullable String value, int maxBytes) {
        return new CleanText(maxBytes).add(value == null ? "" : value).toString();
    }

    CleanText add(String value) {
        for (var i = 0; i < value.length() && !full; ) {
            var point = value.codePointAt(i);
            i += Character.charCount(point);
            if (point == 0 || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)) {
                point = REPLACEMENT;
            }
            var size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (bytes + size > maxBytes) {
                text.append(CUT);
                full = true;
            } else {
                text.appendCodePoint(point);
                bytes += size;
            }
        }
        return this;
    }

    /** Whether more would be left out. */
    boolean isFull() {
        return full;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
