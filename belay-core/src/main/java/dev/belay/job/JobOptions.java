package dev.belay.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a job is to be run and kept: set at enqueue; afterwards only priority and tags can be edited.
 *
 * @param priority 0 (first) to 4 (last)
 * @param maxAttempts failures before the job is buried, from 1
 * @param maxCrashes crashes before the job is buried, from 1; 1 means: never run again after a crash
 * @param timeout of the handler; null for none
 * @param backoff between deliveries
 * @param retention how long it is kept once it succeeded or was cancelled; null for the queue's setting
 * @param groupKey what its limits and fair share go by; null for none
 * @param tags at most 20 of at most 100 characters
 * @param headers a small map of text, for trace context and the like; at most 16 KiB
 * @param dedup what its explicit key means to later enqueues
 */
public record JobOptions(
        int priority,
        int maxAttempts,
        int maxCrashes,
        @Nullable Duration timeout,
        Backoff backoff,
        @Nullable Duration retention,
        @Nullable String groupKey,
        List<String> tags,
        Map<String, String> headers,
        Dedup dedup) {

    public static final int DEFAULT_PRIORITY = 2;
    public static final int LOWEST_PRIORITY = 4;
    public static final int DEFAULT_MAX_ATTEMPTS = 5;
    public static final int DEFAULT_MAX_CRASHES = 3;

    /** The defaults. */
    public static final JobOptions DEFAULT = new JobOptions(
            DEFAULT_PRIORITY,
            DEFAULT_MAX_ATTEMPTS,
            DEFAULT_MAX_CRASHES,
            null,
            Backoff.DEFAULT,
            null,
            null,
            List.of(),
            Map.of(),
            Dedup.DEFAULT);

    public JobOptions {
        Limits.range("priority", priority, 0, LOWEST_PRIORITY);
        Limits.range("maxAttempts", maxAttempts, 1, Integer.MAX_VALUE);
        Limits.range("maxCrashes", maxCrashes, 1, Integer.MAX_VALUE);
        if (timeout != null) {
            Limits.positive("timeout", timeout);
        }
        if (retention != null) {
            Limits.wait("retention", retention);
        }
        Limits.optionalText("groupKey", groupKey, Limits.GROUP_KEY);
        checkTags(tags);
        Limits.headers(headers);
        java.util.Objects.requireNonNull(dedup, "dedup");
        tags = List.copyOf(tags);
        headers = headers.isEmpty() ? Map.of() : java.util.Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** @throws InvalidInputException for more than 20 tags, or one that is empty or longer than 100 characters */
    public static void checkTags(List<String> tags) {
        Limits.range("tags", tags.size(), 0, Limits.TAGS);
        tags.forEach(tag -> Limits.text("tag", tag, 1, Limits.TAG));
    }

    public JobOptions withPriority(int value) {
        return new JobOptions(
                value, maxAttempts, maxCrashes, timeout, backoff, retention, groupKey, tags, headers, dedup);
    }

    public JobOptions withMaxAttempts(int value) {
        return new JobOptions(priority, value, maxCrashes, timeout, backoff, retention, groupKey, tags, headers, dedup);
    }

    public JobOptions withMaxCrashes(int value) {
        return new JobOptions(
                priority, maxAttempts, value, timeout, backoff, retention, groupKey, tags, headers, dedup);
    }

    public JobOptions withTimeout(@Nullable Duration value) {
        return new JobOptions(
                priority, maxAttempts, maxCrashes, value, backoff, retention, groupKey, tags, headers, dedup);
    }

    public JobOptions withBackoff(Backoff value) {
        return new JobOptions(
                priority, maxAttempts, maxCrashes, timeout, value, retention, groupKey, tags, headers, dedup);
    }

    public JobOptions withRetention(@Nullable Duration value) {
        return new JobOptions(
                priority, maxAttempts, maxCrashes, timeout, backoff, value, groupKey, tags, headers, dedup);
    }

    public JobOptions withGroupKey(@Nullable String value) {
        return new JobOptions(
                priority, maxAttempts, maxCrashes, timeout, backoff, retention, value, tags, headers, dedup);
    }

    public JobOptions withTags(List<String> value) {
        return new JobOptions(
                priority, maxAttempts, maxCrashes, timeout, backoff, retention, groupKey, value, headers, dedup);
    }

    /** With one more tag. */
    public JobOptions withTag(String tag) {
        var more = new ArrayList<>(tags);
        more.add(tag);
        return withTags(more);
    }

    public JobOptions withHeaders(Map<String, String> value) {
        return new JobOptions(
                priority, maxAttempts, maxCrashes, timeout, backoff, retention, groupKey, tags, value, dedup);
    }

    public JobOptions withDedup(Dedup value) {
        return new JobOptions(
                priority, maxAttempts, maxCrashes, timeout, backoff, retention, groupKey, tags, headers, value);
    }

    /** How long an explicit key is remembered at least, from acceptance; null for the namespace's setting. */
    public JobOptions withDedupWindow(@Nullable Duration value) {
        return withDedup(dedup.withWindow(value));
    }

    /** With one more header, or another value of one. */
    public JobOptions withHeader(String name, String value) {
        var more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return withHeaders(more);
    }
}
