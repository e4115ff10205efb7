package dev.belay.cli.shell;

/** How many columns of a terminal a text takes: near enough for tables that hold every script. */
public final class Width {

    private static final int[][] WIDE = {
        {0x1100, 0x115F}, {0x231A, 0x231B}, {0x2E80, 0x303E}, {0x3041, 0x33FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF},
        {0xA000, 0xA4CF}, {0xA960, 0xA97F}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F}, {0xFF00, 0xFF60},
        {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD},
    };

    private Width() {}

    /** The columns of a clean text. */
    public static int of(String text) {
        return text.codePoints().map(Width::of).sum();
    }

    /** The text, cut to a number of columns; what was cut ends in an ellipsis. */
    public static String cut(String text, int columns) {
        if (of(text) <= columns) {
            return text;
        }
        var kept = new StringBuilder();
        var used = 1;
        for (var i = 0; i < text.length(); ) {
            var c = text.codePointAt(i);
            used += of(c);
            if (used > columns) {
                break;
            }
            kept.appendCodePoint(c);
            i += Character.charCount(c);
        }
        return kept.append('…').toString();
    }

    /** The text with spaces behind it, or before it, up to a number of columns. */
    public static String pad(String text, int columns, boolean right) {
        var spaces = " ".repeat(Math.max(0, columns - of(text)));
        return right ? spaces + text : text + spaces;
    }

    private static int of(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(c) ? 2 : 1;
        };
    }

    private static boolean isWide(int c) {
        for (var range : WIDE) {
            if (c >= range[0] && c <= range[1]) {
                return true;
            }
        }
        return false;
    }
}
