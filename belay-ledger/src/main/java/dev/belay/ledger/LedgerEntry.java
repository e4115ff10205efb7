package dev.belay.ledger;

import dev.belay.job.Fingerprint;
import dev.belay.once.Owner;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An effect, as people see it.
 *
 * @param scope within which its key is unique
 * @param state where it stands
 * @param fingerprint of its request; null where it had none
 * @param atMostOnce whether it must rather not happen than happen twice
 * @param owner who made the last attempt; null where that is over without a result
 * @param result what was recorded, not copied; null where there is none
 * @param encoding of the result
 * @param error why it failed for good
 * @param createdAt when its key was first seen
 * @param updatedAt of the last change
 * @param unknownAt since when nobody knows whether it happened, and a person is waited for
 * @param expiresAt when it is removed; null where it is not final
 */
public record LedgerEntry(
        String scope,
        String key,
        State state,
        @Nullable Fingerprint fingerprint,
        boolean atMostOnce,
        @Nullable Owner owner,
        byte @Nullable [] result,
        @Nullable String encoding,
        @Nullable String error,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant unknownAt,
        @Nullable Instant expiresAt) {

    /** Where an effect stands. */
    public enum State {
        /** Somebody is making it, or was. */
        PENDING,
        /** It was made, and its result is recorded. */
        COMPLETED,
        /** It failed for good. */
        FAILED_FINAL
    }

    /** Whether a person has to say whether it happened. */
    public boolean isUnknown() {
        return unknownAt != null;
    }

    /** Whether somebody may be making it just now. */
    boolean isHeld() {
        return state == State.PENDING && owner != null && unknownAt == null;
    }
}
