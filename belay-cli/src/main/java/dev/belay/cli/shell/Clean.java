package dev.belay.cli.shell;

/**
 * Makes text from outside fit for a terminal: what could move the cursor, change colours, hide or turn text around is
 * shown as an escape instead. Letters of every script stay as they are.
 */
public final class Clean {

    private Clean() {}

    /** For one line: line breaks and tabs are escaped too. */
    public static String line(String text) {
        return clean(text, false);
    }

    /** For a block of lines: line feeds and tabs stay. */
    public static String block(String text) {
        return clean(text, true);
    }

    /**
     * For finished JSON: what JSON allows raw within a string and a terminal must not see. The text stays JSON, with the
     * same meaning.
     */
    public static String json(String json) {
        return clean(json, true);
    }

    private static String clean(String text, boolean block) {
        var clean = new StringBuilder(text.length() + 16);
        for (var i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                clean.append(c).append(text.charAt(++i));
            } else if ((block && (c == '\n' || c == '\t')) || !isDangerous(c)) {
                clean.append(c);
            } else {
                escape(c, clean);
            }
        }
        return clean.toString();
    }

    private static void escape(char c, StringBuilder to) {
        switch (c) {
            case '\n' -> to.append("\\n");
            case '\t' -> to.append("\\t");
            case '\r' -> to.append("\\r");
            default -> to.append(String.format("\\u%04x", (int) c));
        }
    }

    private static boolean isDangerous(char c) {
        return Character.isISOControl(c)
                || Character.isSurrogate(c)
                || c == '\u2028'
                || c == '\u2029'
                || c == '\uFEFF'
                || isDirection(c);
    }

    /** Marks that turn the direction of what follows: they can make a line read as what it is not. */
    private static boolean isDirection(char c) {
        return c == '\u061C'
                || c == '\u200E'
                || c == '\u200F'
                || (c >= '\u202A' && c <= '\u202E')
                || (c >= '\u2066' && c <= '\u2069');
    }
}
