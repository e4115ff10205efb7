package dev.belay.testkit;

import dev.belay.job.JobState;
import dev.belay.job.JobType;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Assertions on enqueued jobs of one type. Each call narrows down which jobs are meant, and fails at once where none is
 * left; the message lists what was enqueued instead.
 *
 * @param <P> the payload
 */
public final class EnqueuedAssert<P> {

    private final EnqueuedJobs enqueued;
    private final JobType<P> type;
    private final String wanted;
    private final List<EnqueuedJob> matching;

    EnqueuedAssert(EnqueuedJobs enqueued, JobType<P> type) {
        this(
                enqueued,
                type,
                "'" + type.name() + "'",
                enqueued.all().stream().filter(job -> job.isOf(type)).toList());
        checkAny();
    }

    private EnqueuedAssert(EnqueuedJobs enqueued, JobType<P> type, String wanted, List<EnqueuedJob> matching) {
        this.enqueued = enqueued;
        this.type = type;
        this.wanted = wanted;
        this.matching = matching;
    }

    /** In this queue. */
    public EnqueuedAssert<P> inQueue(String queue) {
        return narrowed("in queue " + queue, job -> job.job().queue().equals(queue));
    }

    /** With this explicit idempotency key. */
    public EnqueuedAssert<P> withKey(String key) {
        return narrowed(
                "with key '" + key + "'",
                job -> job.job().key().explicit() && job.job().key().value().equals(key));
    }

    /** With a payload that equals this one once it is read back. */
    public EnqueuedAssert<P> withPayload(P payload) {
        return narrowed("with payload " + payload, job -> Objects.equals(job.decode(type), payload));
    }

    /**
     * With such a payload.
     *
     * @param description completes "with a payload that …"
     */
    public EnqueuedAssert<P> withPayload(String description, Predicate<? super P> condition) {
        return narrowed("with a payload that " + description, job -> {
            var payload = job.decode(type);
            return payload != null && condition.test(payload);
        });
    }

    /** To start so long after it was enqueued. */
    public EnqueuedAssert<P> delayedBy(Duration delay) {
        return narrowed("delayed by " + delay, job -> job.delay().equals(delay));
    }

    /** To start at once. */
    public EnqueuedAssert<P> notDelayed() {
        return narrowed("not delayed", job -> job.delay().isZero());
    }

    /** With this priority. */
    public EnqueuedAssert<P> withPriority(int priority) {
        return narrowed("with priority " + priority, job -> job.job().options().priority() == priority);
    }

    /** With this tag, among others. */
    public EnqueuedAssert<P> withTag(String tag) {
        return narrowed(
                "with tag '" + tag + "'", job -> job.job().options().tags().contains(tag));
    }

    /** With this header, among others. */
    public EnqueuedAssert<P> withHeader(String name, String value) {
        return narrowed(
                "with header " + name + "=" + value,
                job -> value.equals(job.job().options().headers().get(name)));
    }

    /** In this state now. */
    public EnqueuedAssert<P> inState(JobState state) {
        return narrowed("in state " + state, job -> job.job().state() == state);
    }

    /** Exactly one is meant. */
    public EnqueuedAssert<P> once() {
        return times(1);
    }

    /** Exactly so many are meant. */
    public EnqueuedAssert<P> times(int count) {
        if (matching.size() != count) {
            throw new AssertionError("Expected " + wanted + " to be enqueued " + count + " times, but was "
                    + matching.size() + " times; " + EnqueuedJob.list(enqueued.all()));
        }
        return this;
    }

    /** The payloads of the jobs that are meant, in the order of their enqueues. */
    public List<P> payloads() {
        return matching.stream()
                .map(job -> job.decode(type))
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
    }

    private EnqueuedAssert<P> narrowed(String how, Predicate<EnqueuedJob> condition) {
        var narrower = new EnqueuedAssert<>(
                enqueued,
                type,
                wanted + ", " + how,
                matching.stream().filter(condition).toList());
        narrower.checkAny();
        return narrower;
    }

    private void checkAny() {
        if (matching.isEmpty()) {
            throw new AssertionError("Expected " + wanted + " to be enqueued, but " + EnqueuedJob.list(enqueued.all()));
        }
    }
}
