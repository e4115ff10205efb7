package dev.belay.job;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a value may not exceed, and the checks that refuse what does. Text is measured in Unicode code points, everything
 * else in bytes. The limits are the same on every broker and for every way in.
 */
public final class Limits {

    public static final int NAME = 100;
    public static final int KEY = 255;
    public static final int GROUP_KEY = 255;
    public static final int TAGS = 20;
    public static final int TAG = 100;
    public static final int HEADERS_BYTES = 16 * 1024;
    public static final int PAYLOAD_BYTES = 1024 * 1024;
    public static final int PROGRESS_BYTES = 4 * 1024;
    public static final int RESULT_BYTES = 64 * 1024;
    public static final int ERROR_MESSAGE = 4 * 1024;
    public static final int ERROR_STACK = 16 * 1024;
    public static final int HISTORY_ENTRIES = 20;
    public static final int HISTORY_BYTES = 64 * 1024;
    public static final int ENCODING = 100;
    public static final int REASON = 1000;

    /** Jobs in one enqueue call to a broker; the client splits what is larger. */
    public static final int BATCH = 10_000;

    /** The longest wait that can be asked for. */
    public static final Duration MAX_WAIT = Duration.ofDays(36_525);

    /** The latest instant that can be stored: the end of the year 9999. */
    public static final Instant MAX_INSTANT = Instant.parse("9999-12-31T23:59:59.999Z");

    private Limits() {}

    /** A name of a queue, a type or a namespace: {@code [a-z0-9][a-z0-9._-]{0,99}}. */
    public static String name(String field, String value) {
        if (!isName(value)) {
            throw new InvalidInputException(
                    field,
                    "must match [a-z0-9][a-z0-9._-]{0,99} (at most " + NAME + " characters), but is " + shown(value));
        }
        return value;
    }

    /** By hand: each new job has two names, and a matcher took a thirteenth of the time of its enqueue. */
    private static boolean isName(String value) {
        if (value.isEmpty() || value.length() > NAME) {
            return false;
        }
        for (var i = 0; i < value.length(); i++) {
            var c = value.charAt(i);
            var always = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            if (!always && (i == 0 || (c != '.' && c != '_' && c != '-'))) {
                return false;
            }
        }
        return true;
    }

    /** Text of {@code min} to {@code max} code points without NUL and without lone surrogates. */
    public static String text(String field, String value, int min, int max) {
        var length = value.codePointCount(0, value.length());
        if (length < min || length > max) {
            throw new InvalidInputException(
                    field, "must have " + min + " to " + max + " characters, but has " + length + ": " + shown(value));
        }
        for (var i = 0; i < value.length(); i++) {
            var c = value.charAt(i);
            if (c == 0) {
                throw new InvalidInputException(field, "must not contain NUL, but does at position " + i);
            }
            if (Character.isSurrogate(c)) {
                if (!Character.isHighSurrogate(c)
                        || i + 1 == value.length()
                        || !Character.isLowSurrogate(value.charAt(i + 1))) {
                    throw new InvalidInputException(
                            field, "must not contain a lone surrogate, but does at position " + i);
                }
                i++;
            }
        }
        return value;
    }

    /** As {@link #text}, where null is allowed. */
    public static @Nullable String optionalText(String field, @Nullable String value, int max) {
        return value == null ? null : text(field, value, 1, max);
    }

    /** A whole number in a range, both ends included. */
    public static int range(String field, int value, int min, int max) {
        if (value < min || value > max) {
            throw new InvalidInputException(field, "must be " + min + " to " + max + ", but is " + value);
        }
        return value;
    }

    /** A number of bytes. */
    public static void bytes(String field, long size, long max) {
        if (size > max) {
            throw new InvalidInputException(field, "must be at most " + max + " bytes, but is " + size + " bytes");
        }
    }

    /** A wait: zero or more, at most {@link #MAX_WAIT}. */
    public static Duration wait(String field, Duration value) {
        if (value.isNegative() || value.compareTo(MAX_WAIT) > 0) {
            throw new InvalidInputException(field, "must be 0 to " + MAX_WAIT.toDays() + " days, but is " + value);
        }
        return value;
    }

    /** A length of time above zero, at most {@link #MAX_WAIT}. */
    public static Duration positive(String field, Duration value) {
        if (value.isZero() || value.isNegative() || value.compareTo(MAX_WAIT) > 0) {
            throw new InvalidInputException(
                    field, "must be above 0 and at most " + MAX_WAIT.toDays() + " days, but is " + value);
        }
        return value;
    }

    /** An instant that can be stored: from 1970 to the end of 9999. */
    public static Instant instant(String field, Instant value) {
        if (value.isBefore(Instant.EPOCH) || value.isAfter(MAX_INSTANT)) {
            throw new InvalidInputException(
                    field, "must be from " + Instant.EPOCH + " to " + MAX_INSTANT + ", but is " + value);
        }
        return value;
    }

    /** Headers: a small map of text; the sum of all names and values in UTF-8 is limited. */
    public static void headers(Map<String, String> headers) {
        long size = 0;
        for (var header : headers.entrySet()) {
            text("header name", header.getKey(), 1, KEY);
            text("header " + header.getKey(), header.getValue(), 0, HEADERS_BYTES);
            size += utf8Length(header.getKey()) + utf8Length(header.getValue());
        }
        bytes("headers", size, HEADERS_BYTES);
    }

    /** The length of a text in UTF-8. */
    public static int utf8Length(String value) {
        return value.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String shown(String value) {
        var end = value.offsetByCodePoints(0, Math.min(60, value.codePointCount(0, value.length())));
        var text = new StringBuilder("'");
        value.substring(0, end)
                .codePoints()
                .forEach(c ->
                        text.appendCodePoint(Character.isISOControl(c) || (c >= 0xD800 && c <= 0xDFFF) ? 0xFFFD : c));
        return text.append(end < value.length() ? "…'" : "'").toString();
    }
}
