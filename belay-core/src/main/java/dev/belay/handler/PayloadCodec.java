package dev.belay.handler;

/**
 * Turns payloads into bytes and back: the first link of an encoding ({@code json} in {@code json+gzip}). Thread-safe.
 * Found by {@link java.util.ServiceLoader}, or given by hand.
 */
public interface PayloadCodec {

    /** Its name in an encoding: {@code [a-z0-9-]{1,20}}. */
    String name();

    /**
     * Encodes.
     *
     * @throws dev.belay.job.InvalidInputException where the value can't be encoded so that it can be decoded again
     */
    byte[] encode(Object value);

    /**
     * Decodes into exactly the class asked for; the bytes never decide which class is made.
     *
     * @throws UndecodableException where the bytes are not such a value
     */
    <T> T decode(byte[] bytes, Class<T> type) throws UndecodableException;

    /**
     * The canonical form of encoded bytes: equal for two values that differ only in formatting (order of keys, white
     * space, escapes, 1 and 1.0). What fingerprints are made of.
     */
    byte[] canonical(byte[] encoded);

    /**
     * Encodes, and makes the canonical form of it: what an enqueue needs of a payload. A codec that learns both in one go does
     * so here.
     *
     * @throws dev.belay.job.InvalidInputException as {@link #encode}
     */
    default Encoded encodeWithCanonical(Object value) {
        var bytes = encode(value);
        return new Encoded(bytes, canonical(bytes));
    }

    /**
     * An encoded value.
     *
     * @param bytes as {@link #encode} answers them
     * @param canonical as {@link #canonical} answers it for these bytes
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Encoded(byte[] bytes, byte[] canonical) {}

    /** Encoded bytes in a form fit to be shown to people; never makes objects of them. */
    String show(byte[] encoded);
}
