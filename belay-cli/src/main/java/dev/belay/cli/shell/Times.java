package dev.belay.cli.shell;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Times and lengths of time for people. */
public final class Times {

    private Times() {}

    /** A length of time in at most two units. */
    public static String length(long millis) {
        return length((double) millis);
    }

    /** An instant in UTC; a dash where there is none. */
    public static String at(@Nullable Long epochMillis) {
        return epochMillis == null ? "-" : Instant.ofEpochMilli(epochMillis).toString();
    }

    /** A length of time in at most two units. */
    public static String length(double millis) {
        if (millis < 0) {
            return "-" + length(-millis);
        }
        if (millis < 10) {
            return String.format(Locale.ROOT, "%.1f ms", millis);
        }
        if (millis < 1_000) {
            return Math.round(millis) + " ms";
        }
        if (millis < 60_000) {
            return String.format(Locale.ROOT, "%.1f s", millis / 1_000);
        }
        var seconds = Math.round(millis / 1_000);
        if (seconds < 3_600) {
            return seconds / 60 + " min " + seconds % 60 + " s";
        }
        var minutes = seconds / 60;
        return minutes < 48 * 60
                ? minutes / 60 + " h " + minutes % 60 + " min"
                : minutes / 1_440 + " d " + minutes / 60 % 24 + " h";
    }
}
