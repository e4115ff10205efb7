package dev.belay.cli.shell;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/** Builds and writes the JSON of {@code --json}. */
public final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private Json() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    public static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    /** The JSON text of what was built, in one line. */
    public static String text(Object node) {
        return MAPPER.writeValueAsString(node);
    }

    /** JSON text as it stands, its numbers with every digit, in one line; null where the text is no JSON. */
    public static @Nullable RawValue raw(String text) {
        try (var parser = MAPPER.createParser(text)) {
            if (parser.nextToken() == null) {
                return null;
            }
            parser.skipChildren();
            return parser.nextToken() == null ? new RawValue(inOneLine(text)) : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    /** Without the white space between tokens. */
    private static String inOneLine(String json) {
        var line = new StringBuilder(json.length());
        var inString = false;
        for (var i = 0; i < json.length(); i++) {
            var c = json.charAt(i);
            if (inString && c == '\\') {
                line.append(c).append(json.charAt(++i));
                continue;
            }
            if (c == '"') {
                inString = !inString;
            }
            if (inString || c > ' ') {
                line.append(c);
            }
        }
        return line.toString();
    }
}
