package dev.belay.handler;

/** Turns bytes into bytes and back: a further link of an encoding ({@code gzip} in {@code json+gzip}). Thread-safe. */
public interface PayloadTransform {

    /** Its name in an encoding: {@code [a-z0-9-]{1,20}}. */
    String name();

    /** On the way into the store. */
    byte[] apply(byte[] bytes);

    /**
     * On the way out.
     *
     * @param maxBytes the most that may come out
     * @throws UndecodableException where the bytes were not made by {@link #apply}, or more than {@code maxBytes} would
     *     come out
     */
    byte[] revert(byte[] bytes, int maxBytes) throws UndecodableException;
}
