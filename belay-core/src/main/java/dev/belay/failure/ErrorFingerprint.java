package dev.belay.failure;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is the same for errors of one kind, and different for others: a hash of type, class, message and top frames. */
final class ErrorFingerprint {

    private static final int FRAMES = 5;
    private static final int MESSAGE = 1_000;

    /** Not an apostrophe: a quote does not stand within a word. */
    private static final Pattern QUOTED =
            Pattern.compile("(?<!\\w)'[^']*'(?!\\w)|(?<!\\w)\"[^\"]*\"(?!\\w)|(?<!\\w)`[^`]*`(?!\\w)");

    private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]{1,16}\\b");

    /** Numbers, hexadecimal, UUIDs, dates, and names that a number is part of. */
    private static final Pattern WITH_DIGIT = Pattern.compile("\\b(?=[\\w-]{0,100}\\d)[\\w-]+");

    private static final Pattern REPEATED = Pattern.compile("#(?:[.,:/+-]?#)+");
    private static final Pattern WHITE = Pattern.compile("\\s+");
    private static final Pattern DIGITS = Pattern.compile("\\d+");

    /** How a call gets through reflection changes from one call to the next. */
    private static final List<String> HOW_IT_WAS_CALLED =
            List.of("java.lang.reflect.", "jdk.internal.", "sun.reflect.", "java.lang.invoke.");

    private ErrorFingerprint() {}

    static String of(String type, String errorClass, @Nullable String message, StackTraceElement[] frames) {
        var text = new StringBuilder(type)
                .append('\n')
                .append(stableClass(errorClass))
                .append('\n')
                .append(normalised(message == null ? "" : message));
        var taken = 0;
        for (var frame : frames) {
            if (frame != null && HOW_IT_WAS_CALLED.stream().noneMatch(frame.getClassName()::startsWith)) {
                // Without the line: an unrelated edit of the file does not make it another error.
                text.append('\n')
                        .append(stableClass(frame.getClassName()))
                        .append('.')
                        .append(DIGITS.matcher(frame.getMethodName()).replaceAll("#"));
                if (++taken == FRAMES) {
                    break;
                }
            }
        }
        return hash(text.toString());
    }

    static String normalised(String message) {
        var text = message.length() <= MESSAGE ? message : message.substring(0, MESSAGE);
        text = QUOTED.matcher(text).replaceAll("?");
        text = IDENTITY.matcher(text).replaceAll("@#");
        text = WITH_DIGIT.matcher(text).replaceAll("#");
        text = REPEATED.matcher(text).replaceAll("#");
        return WHITE.matcher(text).replaceAll(" ").strip();
    }

    /** Without what is numbered anew in each process: lambdas, proxies, generated and anonymous classes. */
    static String stableClass(String name) {
        var generated = name.indexOf("$$");
        var hidden = name.indexOf('/');
        var end = Math.min(generated < 0 ? name.length() : generated + 2, hidden < 0 ? name.length() : hidden);
        return DIGITS.matcher(name.substring(0, end)).replaceAll("#");
    }

    private static String hash(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
