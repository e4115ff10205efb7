package dev.belay.cli.command;

import dev.belay.broker.JobQuery;
import dev.belay.cli.shell.Problem;
import dev.belay.job.Limits;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which jobs: all conditions must hold. */
final class QueryOptions {

    @Option(names = "--queue", paramLabel = "NAME", description = "of this queue")
    @Nullable
    String queue;

    @Option(names = "--type", paramLabel = "NAME", description = "of this type")
    @Nullable
    String type;

    @Option(names = "--error-class", paramLabel = "CLASS", description = "whose last error is of this class")
    @Nullable
    String errorClass;

    @Option(names = "--fingerprint", paramLabel = "HEX", description = "whose last error has this fingerprint")
    @Nullable
    String fingerprint;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "dead or cancelled for this reason, as ATTEMPTS_EXHAUSTED")
    @Nullable
    String reason;

    @Option(names = "--key", paramLabel = "KEY", description = "with this idempotency key")
    @Nullable
    String key;

    @Option(names = "--tag", paramLabel = "TAG", description = "with this tag")
    @Nullable
    String tag;

    @Option(
            names = "--finished-from",
            paramLabel = "TIME",
            description = "final since then: 2026-01-31T08:00:00Z, or epoch ms")
    @Nullable
    String finishedFrom;

    @Option(names = "--finished-to", paramLabel = "TIME", description = "final until then")
    @Nullable
    String finishedTo;

    /** The query of all states. */
    JobQuery query() {
        return JobQuery.ALL
                .inQueue(queue == null ? null : Limits.name("--queue", queue))
                .ofType(type == null ? null : Limits.name("--type", type))
                .withErrorClass(errorClass)
                .withFingerprint(fingerprint)
                .withReason(reason)
                .withKey(key)
                .withTag(tag)
                .finished(millis("--finished-from", finishedFrom), millis("--finished-to", finishedTo));
    }

    /** Whether any condition was given. */
    boolean any() {
        return !query().equals(JobQuery.ALL);
    }

    private static @Nullable Long millis(String option, @Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return text.chars().allMatch(Character::isDigit)
                    ? Long.parseLong(text)
                    : Instant.parse(text).toEpochMilli();
        } catch (DateTimeParseException | NumberFormatException e) {
            throw Problem.wrongUse(
                    option + " is no time: '" + text + "'", "Use 2026-01-31T08:00:00Z, or milliseconds since 1970.");
        }
    }
}
