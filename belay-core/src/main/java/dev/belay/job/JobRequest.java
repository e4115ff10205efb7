package dev.belay.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A request for one job, before its payload is encoded. Immutable: each method answers a changed copy. The id is fixed
 * when the request is made, so the same request sent twice is one job.
 *
 * @param <P> the payload
 */
public final class JobRequest<P> {

    private final JobType<P> type;
    private final P payload;
    private final JobId id;
    private final String queue;
    private final @Nullable String key;
    private final Moment start;
    private final @Nullable Moment expiry;
    private final JobOptions options;

    private JobRequest(
            JobType<P> type,
            P payload,
            JobId id,
            String queue,
            @Nullable String key,
            Moment start,
            @Nullable Moment expiry,
            JobOptions options) {
        this.type = type;
        this.payload = Objects.requireNonNull(payload, "payload");
        this.id = id;
        this.queue = queue;
        this.key = key;
        this.start = start;
        this.expiry = expiry;
        this.options = options;
    }

    static <P> JobRequest<P> of(JobType<P> type, P payload) {
        var expiresAfter = type.expiresAfter();
        return new JobRequest<>(
                type,
                payload,
                JobId.next(),
                type.queue(),
                null,
                Moment.NOW,
                expiresAfter == null ? null : new Moment.After(expiresAfter),
                type.options());
    }

    /** With an id of the caller's own: unique within the queue. */
    public JobRequest<P> id(JobId value) {
        return new JobRequest<>(type, payload, value, queue, key, start, expiry, options);
    }

    /** To another queue than the type's. */
    public JobRequest<P> queue(String value) {
        return new JobRequest<>(type, payload, id, Limits.name("queue", value), key, start, expiry, options);
    }

    /** With an idempotency key: a second request with it becomes no second job. 1 to 255 characters. */
    public JobRequest<P> key(String value) {
        return new JobRequest<>(
                type, payload, id, queue, Limits.text("idempotencyKey", value, 1, Limits.KEY), start, expiry, options);
    }

    /** Not before a wait is over, counted from acceptance. */
    public JobRequest<P> delay(Duration value) {
        return new JobRequest<>(type, payload, id, queue, key, new Moment.After(value), expiry, options);
    }

    /** Not before an instant; one that is past means now. */
    public JobRequest<P> runAt(Instant value) {
        return new JobRequest<>(type, payload, id, queue, key, new Moment.At(value), expiry, options);
    }

    /** Not started any more after a wait, counted from acceptance. */
    public JobRequest<P> expiresAfter(Duration value) {
        return new JobRequest<>(type, payload, id, queue, key, start, new Moment.After(value), options);
    }

    /** Not started any more after an instant. */
    public JobRequest<P> expiresAt(Instant value) {
        return new JobRequest<>(type, payload, id, queue, key, start, new Moment.At(value), options);
    }

    /** 0 (first) to 4 (last). */
    public JobRequest<P> priority(int value) {
        return options(o -> o.withPriority(value));
    }

    /** One more header. */
    public JobRequest<P> header(String name, String value) {
        return options(o -> o.withHeader(name, value));
    }

    /** One more tag. */
    public JobRequest<P> tag(String value) {
        return options(o -> o.withTag(value));
    }

    /** What its limits and fair share go by. */
    public JobRequest<P> groupKey(String value) {
        return options(o -> o.withGroupKey(value));
    }

    /** How long the key is remembered at least, from acceptance, even after the job has gone. Default: the type's. */
    public JobRequest<P> dedupWindow(Duration value) {
        return options(o -> o.withDedupWindow(value));
    }

    /**
     * Where a job with this key has not been started yet (SCHEDULED or READY), that job gets this request's payload instead
     * of a conflict: it keeps its id, its options, its place in line and its time. Needs a {@link #key}.
     */
    public JobRequest<P> replaceWaiting() {
        return options(o -> o.withDedup(o.dedup().withReplaceWaiting(true)));
    }

    /**
     * Its key counts only while the job waits (SCHEDULED or READY): once it runs or is final, the next enqueue is accepted as
     * a new job and takes the key over. A job that returns to waiting after that (by a retry, a release, a crash) does not
     * get it back: then two may wait. Needs a {@link #key}; the dedup window does not matter.
     */
    public JobRequest<P> atMostOneWaiting() {
        return options(o -> o.withDedup(o.dedup().withAtMostOneWaiting(true)));
    }

    /** With changed options. */
    public JobRequest<P> options(UnaryOperator<JobOptions> change) {
        return new JobRequest<>(type, payload, id, queue, key, start, expiry, change.apply(options));
    }

    public JobType<P> type() {
        return type;
    }

    public P payload() {
        return payload;
    }

    public JobId id() {
        return id;
    }

    public String queue() {
        return queue;
    }

    /** The explicit idempotency key; null where none was given. */
    public @Nullable String key() {
        return key;
    }

    public Moment start() {
        return start;
    }

    public @Nullable Moment expiry() {
        return expiry;
    }

    public JobOptions options() {
        return options;
    }
}
