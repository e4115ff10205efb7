package dev.belay.handler;

import dev.belay.job.InvalidInputException;
import java.nio.charset.StandardCharsets;

/** The simplest codec there is: strings, and integers in decimal. */
final class TextCodec implements PayloadCodec {

    @Override
    public String name() {
        return "text";
    }

    @Override
    public byte[] encode(Object value) {
        if (value instanceof String || value instanceof Integer) {
            return value.toString().getBytes(StandardCharsets.UTF_8);
        }
        throw new InvalidInputException("payload", "must be a String or an Integer");
    }

    @Override
    public <T> T decode(byte[] bytes, Class<T> type) throws UndecodableException {
        var text = new String(bytes, StandardCharsets.UTF_8);
        try {
            return type.cast(type == Integer.class ? (Object) Integer.valueOf(text) : text);
        } catch (NumberFormatException e) {
            throw new UndecodableException("not a number: " + text, e);
        }
    }

    /** Case does not count. */
    @Override
    public byte[] canonical(byte[] encoded) {
        return new String(encoded, StandardCharsets.UTF_8)
                .toLowerCase(java.util.Locale.ROOT)
                .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String show(byte[] encoded) {
        return "<" + new String(encoded, StandardCharsets.UTF_8) + ">";
    }
}
