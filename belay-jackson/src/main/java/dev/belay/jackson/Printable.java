package dev.belay.jackson;

/** Characters as they can be shown without being obeyed. */
final class Printable {

    private Printable() {}

    /**
     * Appends a code point, escaped where a terminal or a browser might act on it: control and format characters (among
     * them those that turn the direction of text), and lone surrogates.
     *
     * @param quoted whether it stands within quotes, so that quotes and backslashes are escaped
     */
    static void append(StringBuilder out, int point, boolean quoted) {
        if (quoted && (point == '"' || point == '\\')) {
            out.append('\\').appendCodePoint(point);
        } else if (point == '\n') {
            out.append("\\n");
        } else if (point == '\t') {
            out.append("\\t");
        } else if (point == '\r') {
            out.append("\\r");
        } else if (isObeyed(point)) {
            for (var c : Character.toChars(point)) {
                out.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
            }
        } else {
            out.appendCodePoint(point);
        }
    }

    static boolean isObeyed(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                true;
            // Joins emoji; harmless.
            case Character.FORMAT -> point != 0x200D;
            default -> false;
        };
    }
}
