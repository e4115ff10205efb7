package dev.belay.jackson;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/** Walks through JSON token by token: makes no objects, does not recurse. */
final class Scan {

    /** Strict, with Belay's limits, whatever a user set for the mapper. */
    private static final JsonFactory FACTORY = Mappers.factory();

    private static final int MAX_WHY = 500;

    private Scan() {}

    /** What is done with each token. */
    @FunctionalInterface
    interface Step {
        /** Whether to go on. */
        boolean on(JsonToken token, JsonParser parser);
    }

    /**
     * Takes a step for each token of exactly one value.
     *
     * @throws JacksonException where the bytes are not one JSON value within the limits
     */
    static void walk(byte[] bytes, Step step) {
        try (var parser = FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
            var token = parser.nextToken();
            if (token == null) {
                throw new StreamReadException(parser, "there is no value, only " + bytes.length + " bytes of nothing");
            }
            while (token != null) {
                if (!step.on(token, parser)) {
                    return;
                }
                var complete = parser.streamReadContext().inRoot();
                token = parser.nextToken();
                if (complete && token != null) {
                    throw new StreamReadException(parser, "there is something after the value");
                }
            }
        }
    }

    /** Finds out whether the bytes are one JSON value within the limits. */
    static void check(byte[] bytes) {
        walk(bytes, (token, parser) -> {
            parser.finishToken();
            return true;
        });
    }

    /** What an exception says, without the chain of names that Jackson adds, shortened. */
    static String why(Exception e) {
        var text = String.valueOf(e instanceof JacksonException j ? j.getOriginalMessage() : e.getMessage());
        return text.length() <= MAX_WHY ? text : text.substring(0, MAX_WHY) + "…";
    }
}
