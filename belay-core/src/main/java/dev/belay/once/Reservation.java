package dev.belay.once;

import dev.belay.job.Fingerprint;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The answer to a claim. */
public sealed interface Reservation {

    /**
     * The claimant may make the effect, and is the only one who may.
     *
     * @param again whether somebody before may have made it: the call is made with the same key
     */
    record Reserved(boolean again) implements Reservation {}

    /**
     * It was made.
     *
     * @param result not copied; null for none
     * @param encoding of the result
     */
    record Recorded(byte @Nullable [] result, String encoding) implements Reservation {}

    /** It failed for good. */
    record Failed(String error, Instant at) implements Reservation {}

    /**
     * Somebody else is about to make it.
     *
     * @param since null where that can't be seen
     */
    record InProgress(String owner, @Nullable Instant since) implements Reservation {}

    /** The key was used for another request. */
    record Conflict(Fingerprint recorded, Fingerprint given, Instant firstSeen) implements Reservation {}

    /** Nobody knows whether it was made, and it must not be made twice: a person has to say. */
    record Unknown(Instant since) implements Reservation {}
}
