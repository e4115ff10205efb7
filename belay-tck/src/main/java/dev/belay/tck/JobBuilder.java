package dev.belay.tck;

import dev.belay.job.Backoff;
import dev.belay.job.Fingerprint;
import dev.belay.job.IdempotencyKey;
import dev.belay.job.JobId;
import dev.belay.job.JobLinks;
import dev.belay.job.JobOptions;
import dev.belay.job.Moment;
import dev.belay.job.NewJob;
import dev.belay.job.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Makes jobs for tests: says only what matters, the rest is a default. Immutable: each method answers a changed copy. */
public final class JobBuilder {

    public static final String QUEUE = "mail";
    public static final String TYPE = "send-receipt";

    private static final JobBuilder DEFAULT = new JobBuilder(
            null,
            QUEUE,
            TYPE,
            "{}".getBytes(StandardCharsets.UTF_8),
            "json",
            1,
            null,
            JobOptions.DEFAULT,
            Moment.NOW,
            null,
            JobLinks.NONE);

    private final @Nullable JobId id;
    private final String queue;
    private final String type;
    private final byte[] payload;
    private final String encoding;
    private final int schemaVersion;
    private final @Nullable String key;
    private final JobOptions options;
    private final Moment start;
    private final @Nullable Moment expiry;
    private final JobLinks links;

    private JobBuilder(
            @Nullable JobId id,
            String queue,
            String type,
            byte[] payload,
            String encoding,
            int schemaVersion,
            @Nullable String key,
            JobOptions options,
            Moment start,
            @Nullable Moment expiry,
            JobLinks links) {
        this.id = id;
        this.queue = queue;
        this.type = type;
        this.payload = payload;
        this.encoding = encoding;
        this.schemaVersion = schemaVersion;
        this.key = key;
        this.options = options;
        this.start = start;
        this.expiry = expiry;
        this.links = links;
    }

    /** A job for {@link #QUEUE} of type {@link #TYPE}, to be run now, without an explicit key. */
    public static JobBuilder job() {
        return DEFAULT;
    }

    /** Without it, each {@link #build} makes a fresh id. */
    public JobBuilder id(JobId value) {
        return new JobBuilder(value, queue, type, payload, encoding, schemaVersion, key, options, start, expiry, links);
    }

    public JobBuilder queue(String value) {
        return new JobBuilder(id, value, type, payload, encoding, schemaVersion, key, options, start, expiry, links);
    }

    public JobBuilder type(String value) {
        return new JobBuilder(id, queue, value, payload, encoding, schemaVersion, key, options, start, expiry, links);
    }

    public JobBuilder payload(byte[] value) {
        return new JobBuilder(id, queue, type, value, encoding, schemaVersion, key, options, start, expiry, links);
    }

    public JobBuilder payload(String value) {
        return payload(value.getBytes(StandardCharsets.UTF_8));
    }

    public JobBuilder encoding(String value) {
        return new JobBuilder(id, queue, type, payload, value, schemaVersion, key, options, start, expiry, links);
    }

    public JobBuilder schemaVersion(int value) {
        return new JobBuilder(id, queue, type, payload, encoding, value, key, options, start, expiry, links);
    }

    /** An explicit idempotency key; its fingerprint is that of the payload. */
    public JobBuilder key(String value) {
        return new JobBuilder(id, queue, type, payload, encoding, schemaVersion, value, options, start, expiry, links);
    }

    public JobBuilder options(UnaryOperator<JobOptions> change) {
        return new JobBuilder(
                id, queue, type, payload, encoding, schemaVersion, key, change.apply(options), start, expiry, links);
    }

    public JobBuilder priority(int value) {
        return options(o -> o.withPriority(value));
    }

    public JobBuilder maxAttempts(int value) {
        return options(o -> o.withMaxAttempts(value));
    }

    public JobBuilder maxCrashes(int value) {
        return options(o -> o.withMaxCrashes(value));
    }

    public JobBuilder backoff(Backoff value) {
        return options(o -> o.withBackoff(value));
    }

    public JobBuilder dedupWindow(Duration value) {
        return options(o -> o.withDedupWindow(value));
    }

    public JobBuilder replaceWaiting() {
        return options(o -> o.withDedup(o.dedup().withReplaceWaiting(true)));
    }

    public JobBuilder atMostOneWaiting() {
        return options(o -> o.withDedup(o.dedup().withAtMostOneWaiting(true)));
    }

    public JobBuilder start(Moment value) {
        return new JobBuilder(id, queue, type, payload, encoding, schemaVersion, key, options, value, expiry, links);
    }

    public JobBuilder delay(Duration value) {
        return start(new Moment.After(value));
    }

    public JobBuilder expiry(Moment value) {
        return new JobBuilder(id, queue, type, payload, encoding, schemaVersion, key, options, start, value, links);
    }

    public JobBuilder expiresAfter(Duration value) {
        return expiry(new Moment.After(value));
    }

    public JobBuilder links(JobLinks value) {
        return new JobBuilder(id, queue, type, payload, encoding, schemaVersion, key, options, start, expiry, value);
    }

    public NewJob build() {
        var jobId = id == null ? JobId.next() : id;
        var fingerprint = Fingerprint.of(payload);
        return new NewJob(
                jobId,
                queue,
                type,
                new Payload(payload, encoding, schemaVersion),
                key == null
                        ? new IdempotencyKey(jobId.toString(), fingerprint, false)
                        : new IdempotencyKey(key, fingerprint, true),
                options,
                start,
                expiry,
                links);
    }
}
