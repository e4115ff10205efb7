package dev.belay.job;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A kind of job: its stable wire name, the record that carries its payload, and its defaults. Defined once, shared by
 * who enqueues and who handles. The name goes into the store, never a class's name, so classes can be renamed. Immutable.
 *
 * <pre>{@code
 * static final JobType<Receipt> SEND_RECEIPT =
 *         JobType.define("send-receipt", Receipt.class).queue("mail").timeout(Duration.ofSeconds(30)).build();
 * }</pre>
 *
 * @param <P> the payload
 */
public final class JobType<P> {

    private final String name;
    private final Class<P> payloadClass;
    private final int version;
    private final Map<Integer, Upcaster<?, P>> upcasters;
    private final List<String> aliases;
    private final String queue;
    private final boolean keyRequired;
    private final JobOptions options;
    private final @Nullable Duration expiresAfter;
    private final RetryPolicy retryPolicy;

    private JobType(Builder<P> from) {
        name = from.name;
        payloadClass = from.payloadClass;
        version = from.version;
        upcasters = Map.copyOf(from.upcasters);
        aliases = List.copyOf(from.aliases);
        queue = from.queue;
        keyRequired = from.keyRequired;
        expiresAfter = from.expiresAfter;
        retryPolicy = from.retryPolicy;
        options = from.options.withBackoff(from.retryPolicy.backoff());
    }

    /** A type with all defaults. */
    public static <P> JobType<P> of(String name, Class<P> payloadClass) {
        return define(name, payloadClass).build();
    }

    /** Starts the definition of a type. */
    public static <P> Builder<P> define(String name, Class<P> payloadClass) {
        return new Builder<>(name, payloadClass);
    }

    /** A request for one job of this type. */
    public JobRequest<P> with(P payload) {
        return JobRequest.of(this, payload);
    }

    /** The wire name. */
    public String name() {
        return name;
    }

    public Class<P> payloadClass() {
        return payloadClass;
    }

    /** The version of the payload's shape that this definition writes. */
    public int version() {
        return version;
    }

    /** How payloads of older versions are read: by version. */
    public Map<Integer, Upcaster<?, P>> upcasters() {
        return upcasters;
    }

    /** Former names: jobs that were stored under them are handled as this type. */
    public List<String> aliases() {
        return aliases;
    }

    /** Where its jobs go unless the request names another queue. */
    public String queue() {
        return queue;
    }

    /** Whether an enqueue without an explicit idempotency key is refused. */
    public boolean keyRequired() {
        return keyRequired;
    }

    public JobOptions options() {
        return options;
    }

    /** How long after acceptance its jobs are still started; null for ever. */
    public @Nullable Duration expiresAfter() {
        return expiresAfter;
    }

    public RetryPolicy retryPolicy() {
        return retryPolicy;
    }

    @Override
    public String toString() {
        return "JobType[" + name + ", version " + version + "]";
    }

    /**
     * How a payload of an older version is read: as its own class, which is then turned into today's.
     *
     * @param <O> the old payload
     * @param <P> today's payload
     */
    public record Upcaster<O, P>(Class<O> oldClass, Function<O, P> upcast) {}

    /** Collects a definition. Not thread-safe. */
    public static final class Builder<P> {
        private final String name;
        private final Class<P> payloadClass;
        private int version = 1;
        private final Map<Integer, Upcaster<?, P>> upcasters = new LinkedHashMap<>();
        private List<String> aliases = List.of();
        private String queue = "default";
        private boolean keyRequired;
        private JobOptions options = JobOptions.DEFAULT;
        private @Nullable Duration expiresAfter;
        private RetryPolicy retryPolicy = RetryPolicy.DEFAULT;

        private Builder(String name, Class<P> payloadClass) {
            this.name = Limits.name("type", name);
            this.payloadClass = payloadClass;
        }

        /** The payload's version, to be raised with each change of its shape that older code can't read. Default 1. */
        public Builder<P> version(int value) {
            version = Limits.range("version", value, 1, Integer.MAX_VALUE);
            return this;
        }

        /** How payloads of an older version are read. */
        public <O> Builder<P> upcast(int oldVersion, Class<O> oldClass, Function<O, P> upcast) {
            upcasters.put(
                    Limits.range("upcast version", oldVersion, 1, Integer.MAX_VALUE), new Upcaster<>(oldClass, upcast));
            return this;
        }

        /** Former names of the type. */
        public Builder<P> aliases(String... names) {
            aliases = List.of(names);
            aliases.forEach(alias -> Limits.name("alias", alias));
            return this;
        }

        /** The queue of its jobs. Default {@code default}. */
        public Builder<P> queue(String value) {
            queue = Limits.name("queue", value);
            return this;
        }

        /** Refuses requests without an explicit idempotency key. */
        public Builder<P> requireKey() {
            keyRequired = true;
            return this;
        }

        /**
         * How long an explicit key is remembered at least, from acceptance, even after the job has gone. Default: the
         * namespace's setting.
         */
        public Builder<P> dedupWindow(Duration value) {
            options = options.withDedupWindow(value);
            return this;
        }

        /** As {@link JobRequest#replaceWaiting}, for every request: each needs an explicit key. */
        public Builder<P> replaceWaiting() {
            options = options.withDedup(options.dedup().withReplaceWaiting(true));
            return this;
        }

        /** As {@link JobRequest#atMostOneWaiting}, for every request: each needs an explicit key. */
        public Builder<P> atMostOneWaiting() {
            options = options.withDedup(options.dedup().withAtMostOneWaiting(true));
            return this;
        }

        /** 0 (first) to 4 (last). Default 2. */
        public Builder<P> priority(int value) {
            options = options.withPriority(value);
            return this;
        }

        /** Failures before a job is buried. Default 5. */
        public Builder<P> maxAttempts(int value) {
            options = options.withMaxAttempts(value);
            return this;
        }

        /** Crashes before a job is buried. Default 3; 1 means: never run again after a crash. */
        public Builder<P> maxCrashes(int value) {
            options = options.withMaxCrashes(value);
            return this;
        }

        /** After which the handler is interrupted and the delivery has failed. Default: none. */
        public Builder<P> timeout(Duration value) {
            options = options.withTimeout(value);
            return this;
        }

        /** How long a job is kept once it succeeded or was cancelled. Default: the queue's setting. */
        public Builder<P> retention(Duration value) {
            options = options.withRetention(value);
            return this;
        }

        /** How long after acceptance a job is still started. Default: for ever. */
        public Builder<P> expiresAfter(Duration value) {
            expiresAfter = Limits.positive("expiresAfter", value);
            return this;
        }

        /** Which errors are retried, and when. Default: all, with exponential backoff and full jitter. */
        public Builder<P> retry(RetryPolicy value) {
            retryPolicy = value;
            return this;
        }

        /** @throws InvalidInputException where an upcaster is for a version that is not older than the type's own */
        public JobType<P> build() {
            for (var old : upcasters.keySet()) {
                if (old >= version) {
                    throw new InvalidInputException(
                            "upcast version",
                            "must be older than the version of type '" + name + "', " + version + ", but is " + old);
                }
            }
            return new JobType<>(this);
        }
    }
}
