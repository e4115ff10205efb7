package dev.belay.job;

import org.jspecify.annotations.Nullable;

/**
 * Who did something to a job, and why.
 *
 * @param who a person or a program, 1 to 255 characters
 * @param why in words, at most 1,000 characters; null where none was given
 */
public record By(String who, @Nullable String why) {

    public By {
        Limits.text("who", who, 1, Limits.KEY);
        Limits.optionalText("why", why, Limits.REASON);
    }

    /** Without a reason. */
    public static By of(String who) {
        return new By(who, null);
    }

    public static By of(String who, String why) {
        return new By(who, why);
    }
}
