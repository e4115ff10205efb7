package dev.belay.redis.record;

import dev.belay.job.Backoff;
import dev.belay.job.Dedup;
import dev.belay.job.Fingerprint;
import dev.belay.job.JobCounts;
import dev.belay.job.JobError;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.JobOptions;
import dev.belay.job.LastSettled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the type and the packed body of a head say.
 *
 * @param key the explicit key; null where none was given
 * @param token the newest before its lease
 */
record BodyRead(
        String type,
        String encoding,
        Fingerprint fingerprint,
        @Nullable String key,
        JobOptions options,
        @Nullable String reason,
        @Nullable Long finished,
        @Nullable Long unknown,
        JobCounts counts,
        long token,
        @Nullable LastSettled lastSettled,
        @Nullable JobError lastError,
        @Nullable String progress,
        JobLinks links,
        int history) {

    static BodyRead of(String type, byte[] packed) throws CorruptRecordException {
        var body = new Row(Packed.array(packed));
        var extras = new Row(Packed.array(body.bytes(Body.EXTRAS)));
        return new BodyRead(
                type,
                body.text(Body.ENCODING),
                new Fingerprint(body.bytes(Body.FINGERPRINT)),
                body.optionalText(Body.KEY),
                options(body, extras),
                body.optionalText(Body.REASON),
                body.optionalNumber(Body.FINISHED),
                body.optionalNumber(Body.UNKNOWN),
                new JobCounts(
                        body.small(Body.FAILURES),
                        body.small(Body.CRASHES),
                        body.small(Body.STEPS),
                        body.small(Body.DELIVERIES),
                        body.small(Body.SNOOZES),
                        body.small(Body.RELEASES),
                        body.small(Body.REPLAYS)),
                body.number(Body.TOKEN),
                lastSettled(body),
                lastError(body),
                body.optionalText(Body.PROGRESS),
                new JobLinks(link(extras.optionalBytes(2)), link(extras.optionalBytes(3))),
                body.small(Body.HISTORY));
    }

    BodyRead with(Fingerprint other) {
        return new BodyRead(
                type,
                encoding,
                other,
                key,
                options,
                reason,
                finished,
                unknown,
                counts,
                token,
                lastSettled,
                lastError,
                progress,
                links,
                history);
    }

    /** Whether nothing has happened to its job yet, and it has no key: many others say the same. */
    boolean isCommon() {
        return key == null && history == 0 && lastError == null && progress == null;
    }

    private static JobOptions options(Row body, Row extras) throws CorruptRecordException {
        var backoff = body.optionalText(Body.BACKOFF);
        return new JobOptions(
                body.small(Body.PRIORITY),
                body.small(Body.MAX_ATTEMPTS),
                body.small(Body.MAX_CRASHES),
                duration(body.optionalNumber(Body.TIMEOUT)),
                backoff == null ? Backoff.DEFAULT : Backoff.parse(backoff),
                duration(body.optionalNumber(Body.RETENTION)),
                extras.optionalText(0),
                texts(Packed.array(body.bytes(Body.TAGS))),
                headers(extras.optionalBytes(1)),
                dedup(body));
    }

    private static Dedup dedup(Row body) throws CorruptRecordException {
        var mode = body.optionalNumber(Body.DEDUP);
        return mode == null
                ? Dedup.DEFAULT
                : new Dedup(
                        duration(body.optionalNumber(Body.WINDOW)),
                        (mode & Body.REPLACES_WAITING) != 0,
                        (mode & Body.ONLY_WAITING) != 0);
    }

    private static List<String> texts(List<@Nullable Object> packed) throws CorruptRecordException {
        var row = new Row(packed);
        var texts = new ArrayList<String>();
        for (var i = 0; i < packed.size(); i++) {
            texts.add(row.text(i));
        }
        return texts;
    }

    private static Map<String, String> headers(byte @Nullable [] packed) throws CorruptRecordException {
        if (packed == null) {
            return Map.of();
        }
        var names = texts(Packed.array(packed));
        var headers = new LinkedHashMap<String, String>();
        for (var i = 0; i + 1 < names.size(); i += 2) {
            headers.put(names.get(i), names.get(i + 1));
        }
        return headers;
    }

    private static @Nullable Duration duration(@Nullable Long millis) {
        return millis == null ? null : Duration.ofMillis(millis);
    }

    private static @Nullable JobId link(byte @Nullable [] id) {
        return id == null ? null : Ids.job(id);
    }

    private static @Nullable LastSettled lastSettled(Row body) throws CorruptRecordException {
        var token = body.optionalNumber(Body.LAST_TOKEN);
        return token == null
                ? null
                : new LastSettled(token, Ids.session(body.bytes(Body.LAST_SESSION)), body.text(Body.LAST_OUTCOME));
    }

    private static @Nullable JobError lastError(Row body) throws CorruptRecordException {
        var errorClass = body.optionalText(Body.ERROR_CLASS);
        return errorClass == null
                ? null
                : new JobError(
                        errorClass,
                        body.text(Body.ERROR_MESSAGE),
                        body.text(Body.ERROR_STACK),
                        body.text(Body.ERROR_FINGERPRINT));
    }
}
