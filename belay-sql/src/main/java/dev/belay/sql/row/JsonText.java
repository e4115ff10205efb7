package dev.belay.sql.row;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The two shapes of JSON that a record holds, a list of text (tags) and a map of text (headers), so that SQL and people
 * can read them. Everything else is refused.
 */
final class JsonText {

    private JsonText() {}

    /** Null for an empty list. */
    static @Nullable String write(List<String> list) {
        if (list.isEmpty()) {
            return null;
        }
        var out = new StringBuilder("[");
        for (var text : list) {
            quote(out.length() == 1 ? out : out.append(','), text);
        }
        return out.append(']').toString();
    }

    /** Null for an empty map. */
    static @Nullable String write(Map<String, String> map) {
        if (map.isEmpty()) {
            return null;
        }
        var out = new StringBuilder("{");
        map.forEach((name, value) -> {
            quote(out.length() == 1 ? out : out.append(','), name);
            quote(out.append(':'), value);
        });
        return out.append('}').toString();
    }

    static List<String> list(@Nullable String json) throws CorruptRecordException {
        return json == null ? List.of() : new Reader(json).list();
    }

    static Map<String, String> map(@Nullable String json) throws CorruptRecordException {
        return json == null ? Map.of() : new Reader(json).map();
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (var i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private static final class Reader {
        private final String json;
        private int at;

        Reader(String json) {
            this.json = json;
        }

        List<String> list() throws CorruptRecordException {
            var list = new ArrayList<String>();
            expect('[');
            while (!skip(']')) {
                if (!list.isEmpty()) {
                    expect(',');
                }
                list.add(text());
            }
            end();
            return list;
        }

        Map<String, String> map() throws CorruptRecordException {
            var map = new LinkedHashMap<String, String>();
            expect('{');
            while (!skip('}')) {
                if (!map.isEmpty()) {
                    expect(',');
                }
                var name = text();
                expect(':');
                if (map.put(name, text()) != null) {
                    throw problem("has '" + name + "' twice");
                }
            }
            end();
            return map;
        }

        private String text() throws CorruptRecordException {
            expect('"');
            var text = new StringBuilder();
            while (true) {
                var c = next();
                if (c == '"') {
                    return text.toString();
                }
                text.append(c == '\\' ? escaped() : c);
            }
        }

        private char escaped() throws CorruptRecordException {
            var c = next();
            return switch (c) {
                case '"', '\\', '/' -> c;
                case 'b' -> '\b';
                case 'f' -> '\f';
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                case 'u' -> hex();
                default -> throw problem("has an unknown escape");
            };
        }

        private char hex() throws CorruptRecordException {
            try {
                at += 4;
                return (char) Integer.parseInt(json.substring(at - 4, at), 16);
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                throw problem("has a broken escape");
            }
        }

        private char next() throws CorruptRecordException {
            if (at >= json.length()) {
                throw problem("is cut short");
            }
            return json.charAt(at++);
        }

        private void expect(char c) throws CorruptRecordException {
            if (!skip(c)) {
                throw problem("lacks '" + c + "'");
            }
        }

        private boolean skip(char c) {
            while (at < json.length() && Character.isWhitespace(json.charAt(at))) {
                at++;
            }
            if (at < json.length() && json.charAt(at) == c) {
                at++;
                return true;
            }
            return false;
        }

        private void end() throws CorruptRecordException {
            skip('\0');
            if (at < json.length()) {
                throw problem("goes on after its end");
            }
        }

        private CorruptRecordException problem(String what) {
            return new CorruptRecordException("JSON text " + what + " at position " + at);
        }
    }
}
