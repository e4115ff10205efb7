package dev.belay.once;

import dev.belay.job.Fingerprint;
import dev.belay.job.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Who wants to make which effect.
 *
 * @param scope within which the key is unique, 1 to 255 characters
 * @param key 1 to 255 characters
 * @param fingerprint of the request; null where any request with the key is the same
 * @param atMostOnce whether it must rather not happen than happen twice
 * @param retention once it is final; null for the ledger's setting
 * @param owner who wants to
 */
public record Claim(
        String scope,
        String key,
        @Nullable Fingerprint fingerprint,
        boolean atMostOnce,
        @Nullable Duration retention,
        Owner owner) {

    public Claim {
        Limits.text("effect scope", scope, 1, Limits.KEY);
        Limits.text("effect key", key, 1, Limits.KEY);
    }

    /** As people read it. */
    public String name() {
        return "'" + key + "' in scope '" + scope + "'";
    }
}
