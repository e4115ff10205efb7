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

    /** Encoded bytes in a form fit to be shown to people; never makes objects of them. */
    String show(byte[] encoded);
}
