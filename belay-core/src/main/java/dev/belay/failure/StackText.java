package dev.belay.failure;

import dev.belay.job.Limits;
import org.jspecify.annotations.Nullable;

/**
 * A stack trace within a budget. What matters for finding a cause comes first: every exception of the chain with its top
 * frames, before any of them with all of its frames.
 */
final class StackText {

    private static final int FRAMES = 160;
    private static final int MIN_FRAMES = 8;
    private static final int MAX_FRAMES = 60;
    private static final int SUPPRESSED = 3;
    private static final int SUPPRESSED_FRAMES = 5;
    private static final int HEADER_BYTES = 1_000;

    private final CleanText out = new CleanText(Limits.ERROR_STACK);

    private StackText() {}

    static String of(Chain chain) {
        return new StackText().write(chain).out.toString();
    }

    /** A message, or what became of asking for it. */
    static @Nullable String message(Throwable thrown) {
        try {
            return thrown.getMessage();
        } catch (Throwable e) {
            return "(its message can't be read: getMessage() threw "
                    + e.getClass().getName() + ")";
        }
    }

    static StackTraceElement[] frames(Throwable thrown) {
        try {
            var frames = thrown.getStackTrace();
            return frames == null ? new StackTraceElement[0] : frames;
        } catch (Throwable e) {
            return new StackTraceElement[0];
        }
    }

    private StackText write(Chain chain) {
        var perThrowable =
                Math.max(MIN_FRAMES, Math.min(MAX_FRAMES, FRAMES / chain.shown().size()));
        for (var i = 0; i < chain.shown().size() && !out.isFull(); i++) {
            if (i == chain.omittedAfter()) {
                out.add("… " + chain.omitted() + " more causes …\n");
            }
            var thrown = chain.shown().get(i);
            out.add(i == 0 ? "" : "Caused by: ").add(header(thrown)).add("\n");
            frames(thrown, "", perThrowable);
            suppressed(thrown);
        }
        if (!chain.end().isEmpty()) {
            out.add("[" + chain.end() + "]\n");
        }
        return this;
    }

    private static String header(Throwable thrown) {
        var message = message(thrown);
        var name = thrown.getClass().getName();
        return CleanText.of(message == null ? name : name + ": " + message, HEADER_BYTES);
    }

    private void frames(Throwable thrown, String indent, int max) {
        var frames = frames(thrown);
        for (var i = 0; i < frames.length && i < max && !out.isFull(); i++) {
            out.add(indent + "\tat " + frames[i] + "\n");
        }
        if (frames.length > max) {
            out.add(indent + "\t… " + (frames.length - max) + " more frames\n");
        }
    }

    private void suppressed(Throwable thrown) {
        var all = thrown.getSuppressed();
        for (var i = 0; i < all.length && i < SUPPRESSED && !out.isFull(); i++) {
            out.add("\tSuppressed: ").add(header(all[i])).add("\n");
            frames(all[i], "\t", SUPPRESSED_FRAMES);
        }
        if (all.length > SUPPRESSED) {
            out.add("\t… " + (all.length - SUPPRESSED) + " more suppressed\n");
        }
    }
}
