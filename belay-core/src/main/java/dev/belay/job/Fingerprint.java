package dev.belay.job;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The fingerprint of a request: a version byte and the SHA-256 of the canonical payload. Two requests with the same key
 * are the same request if and only if their fingerprints are equal.
 *
 * @param bytes 33 bytes; not copied, so not to be changed by anyone
 */
public record Fingerprint(byte[] bytes) {

    /** The version byte of the fingerprints that this version makes. */
    public static final byte VERSION = 1;

    public Fingerprint {
        if (bytes.length != 33) {
            throw new InvalidInputException("fingerprint", "must have 33 bytes, but has " + bytes.length);
        }
    }

    /** The fingerprint of a canonical payload. */
    public static Fingerprint of(byte[] canonical) {
        try {
            var bytes = new byte[33];
            bytes[0] = VERSION;
            System.arraycopy(MessageDigest.getInstance("SHA-256").digest(canonical), 0, bytes, 1, 32);
            return new Fingerprint(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Fingerprint that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** In hexadecimal. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
