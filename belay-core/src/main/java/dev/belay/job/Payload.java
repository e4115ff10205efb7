package dev.belay.job;

import java.util.Arrays;

/**
 * The opaque bytes of a job: never looked into by a broker; out as they went in.
 *
 * @param bytes not copied, so not to be changed by anyone
 * @param encoding the codec chain, applied left to right ({@code json}, {@code json+gzip})
 * @param schemaVersion the version of the payload's shape, from 1
 */
public record Payload(byte[] bytes, String encoding, int schemaVersion) {

    public Payload {
        Limits.text("encoding", encoding, 1, Limits.ENCODING);
        Limits.range("schemaVersion", schemaVersion, 1, Integer.MAX_VALUE);
    }

    /** Its number of bytes. */
    public int size() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that
                && schemaVersion == that.schemaVersion
                && encoding.equals(that.encoding)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes) * 31 + encoding.hashCode();
    }

    @Override
    public String toString() {
        return "Payload[" + bytes.length + " bytes, " + encoding + ", version " + schemaVersion + "]";
    }
}
