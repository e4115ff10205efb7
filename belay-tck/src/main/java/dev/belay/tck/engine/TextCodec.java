package dev.belay.tck.engine;

import dev.belay.handler.PayloadCodec;
import dev.belay.handler.UndecodableException;
import dev.belay.job.InvalidInputException;
import java.nio.charset.StandardCharsets;

/** The plainest codec: strings and whole numbers as their text, in UTF-8. */
public class TextCodec implements PayloadCodec {

    @Override
    public String name() {
        return "text";
    }

    @Override
    public byte[] encode(Object value) {
        if (!(value instanceof String || value instanceof Integer)) {
            throw new InvalidInputException("payload", "must be a String or an Integer, but is " + value.getClass());
        }
        return value.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public <T> T decode(byte[] bytes, Class<T> type) throws UndecodableException {
        var text = new String(bytes, StandardCharsets.UTF_8);
        if (type == String.class) {
            return type.cast(text);
        }
        if (type == Integer.class) {
            try {
                return type.cast(Integer.valueOf(text));
            } catch (NumberFormatException e) {
                throw new UndecodableException("not a whole number: '" + text + "'", e);
            }
        }
        throw new UndecodableException("can't make a " + type.getName());
    }

    @Override
    public byte[] canonical(byte[] encoded) {
        return encoded;
    }

    @Override
    public String show(byte[] encoded) {
        return new String(encoded, StandardCharsets.UTF_8);
    }
}
