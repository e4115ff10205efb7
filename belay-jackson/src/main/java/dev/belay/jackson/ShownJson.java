package dev.belay.jackson;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Lays JSON out for people. */
final class ShownJson {

    private static final int MAX_CHARS = 1024 * 1024;

    /** Deeper levels are not indented further: else much nesting would come out as little but spaces. */
    private static final int MAX_INDENT = 40;

    private final StringBuilder out = new StringBuilder();
    private int depth;
    private boolean first = true;
    private boolean afterName;

    private ShownJson() {}

    static String of(byte[] json) {
        var shown = new ShownJson();
        Scan.walk(json, shown::on);
        if (shown.out.length() >= MAX_CHARS) {
            shown.out.append("… (").append(json.length).append(" bytes in all)");
        }
        return shown.out.toString();
    }

    private boolean on(JsonToken token, JsonParser parser) {
        switch (token) {
            case END_OBJECT, END_ARRAY -> {
                depth--;
                if (!first) {
                    newLine();
                }
                out.append(token == JsonToken.END_OBJECT ? '}' : ']');
                first = false;
            }
            case PROPERTY_NAME -> {
                separate();
                string(parser.currentName());
                out.append(": ");
                afterName = true;
            }
            default -> {
                if (!afterName) {
                    separate();
                }
                afterName = false;
                value(token, parser);
            }
        }
        return out.length() < MAX_CHARS;
    }

    private void value(JsonToken token, JsonParser parser) {
        switch (token) {
            case START_OBJECT, START_ARRAY -> {
                out.append(token == JsonToken.START_OBJECT ? '{' : '[');
                depth++;
                first = true;
            }
            case VALUE_STRING -> string(parser.getString());
            default -> out.append(parser.getString());
        }
    }

    private void separate() {
        if (depth > 0) {
            if (!first) {
                out.append(',');
            }
            newLine();
        }
        first = false;
    }

    private void newLine() {
        out.append('\n').append("  ".repeat(Math.min(depth, MAX_INDENT)));
    }

    private void string(String text) {
        out.append('"');
        for (var i = 0; i < text.length() && out.length() < MAX_CHARS; ) {
            var point = text.codePointAt(i);
            i += Character.charCount(point);
            Printable.append(out, point, true);
        }
        out.append('"');
    }
}
