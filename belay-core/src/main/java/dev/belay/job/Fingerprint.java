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

    /** The bytes of every fingerprint. */
    public static final int LENGTH = 33;

    public Fingerprint {
        if (bytes.length != LENGTH) {
            throw new InvalidInputException("fingerprint", "must have " + LENGTH + " bytes, but has " + bytes.length);
        }
    }

    /** Copied for each use: to look the algorithm up anew costs as much as a small digest. */
    private static final MessageDigest SHA_256 = sha256();

    /** The fingerprint of a canonical payload. */
    public static Fingerprint of(byte[] canonical) {
        var bytes = new byte[LENGTH];
        bytes[0] = VERSION;
        System.arraycopy(fresh().digest(canonical), 0, bytes, 1, LENGTH - 1);
        return new Fingerprint(bytes);
    }

    private static MessageDigest fresh() {
        try {
            return (MessageDigest) SHA_256.clone();
        } catch (CloneNotSupportedException e) {
            // A provider may have none to copy.
            return sha256();
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
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
