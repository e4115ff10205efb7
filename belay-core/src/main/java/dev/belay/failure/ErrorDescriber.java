package dev.belay.failure;

import dev.belay.job.JobError;
import dev.belay.job.Limits;
import java.time.Duration;

/**
 * Describes what a handler threw: bounded, clean, and in bounded time, whatever the exception does when it is asked.
 * Thread-safe; it holds threads only while exceptions block.
 */
public final class ErrorDescriber {

    /** How long an exception may take to tell about itself. */
    public static final Duration LIMIT = Duration.ofSeconds(1);

    private static final int CLASS_BYTES = 500;

    private final Patience patience;
    private final Duration limit;

    /** With a limit of 1 s. */
    public ErrorDescriber() {
        this(LIMIT);
    }

    /** @param limit how long an exception may take to tell about itself */
    public ErrorDescriber(Duration limit) {
        this.limit = limit;
        this.patience = new Patience(limit);
    }

    /**
     * Describes an exception: its class, its message (at most 4 KiB), its stack with causes and suppressed ones (at most
     * 16 KiB), and a fingerprint that is the same for errors of one kind. NUL and lone surrogates are replaced. Never
     * throws, and returns within the limit.
     *
     * @param type of the job
     */
    public JobError describe(String type, Throwable thrown) {
        try {
            if (isTrusted(thrown)) {
                return describeNow(type, thrown);
            }
            var answer = patience.ask(() -> describeNow(type, thrown));
            return answer == null
                    ? untold(type, thrown, "it did not tell its message within " + limit.toMillis() + " ms")
                    : answer;
        } catch (Throwable e) {
            // Out of memory or of stack, most likely: the least that can be said.
            return untold(
                    type, thrown, "describing it failed with " + e.getClass().getName());
        }
    }

    /** How many exceptions were asked and never answered, up to now: each holds a thread. */
    int blocked() {
        return patience.blocked();
    }

    private static boolean isTrusted(Throwable thrown) {
        var steps = 0;
        for (Throwable next = thrown; next != null; next = next.getCause()) {
            if (!Trust.isTrusted(next) || ++steps > 100) {
                // Longer chains are walked where a limit holds.
                return false;
            }
            for (var suppressed : next.getSuppressed()) {
                if (!Trust.isTrusted(suppressed)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static JobError describeNow(String type, Throwable thrown) {
        var message = StackText.message(thrown);
        var name = thrown.getClass().getName();
        return new JobError(
                CleanText.of(name, CLASS_BYTES),
                CleanText.of(message, Limits.ERROR_MESSAGE),
                StackText.of(Chain.of(thrown)),
                ErrorFingerprint.of(type, name, message, StackText.frames(thrown)));
    }

    private static JobError untold(String type, Throwable thrown, String why) {
        var name = thrown.getClass().getName();
        return new JobError(
                CleanText.of(name, CLASS_BYTES),
                "(" + why + ")",
                "",
                ErrorFingerprint.of(type, name, null, new StackTraceElement[0]));
    }
}
