package dev.belay.ledger;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What a key is found by. */
final class Hash {

    private Hash() {}

    /** The SHA-256 of scope and key. Neither holds a NUL, so no two pairs are hashed as one text. */
    static byte[] of(String scope, String key) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(scope.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            return digest.digest(key.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
